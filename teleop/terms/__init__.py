"""What passes between devices, loop, controllers and recording: types only."""

from telexist.teleop.terms.base_reference import BaseReference
from telexist.teleop.terms.controller_event import (
    ControllerEvent,
    ControllerEventKind,
)
from telexist.teleop.terms.controller_report import ControllerReport
from telexist.teleop.terms.device_sample import DeviceSample, Provides, Treadmill
from telexist.teleop.terms.event_kind import EventKind
from telexist.teleop.terms.fault import Fault
from telexist.teleop.terms.obstacle import Obstacle, ObstacleKind
from telexist.teleop.terms.path_reference import PathReference
from telexist.teleop.terms.reactions import REACTIONS, Reaction
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.robot_reference import RobotReference
from telexist.teleop.terms.session_news import SessionNews
from telexist.teleop.terms.setting_range import require_range
from telexist.teleop.terms.tick import STAGES, Event, State, Tick, TickSink
from telexist.teleop.terms.walk_command import WalkCommand

__all__ = [
    "BaseReference",
    "ControllerEvent",
    "ControllerEventKind",
    "ControllerReport",
    "DeviceSample",
    "Event",
    "EventKind",
    "Fault",
    "Obstacle",
    "ObstacleKind",
    "PathReference",
    "Provides",
    "REACTIONS",
    "Reaction",
    "Request",
    "RobotReference",
    "STAGES",
    "SessionNews",
    "State",
    "Tick",
    "TickSink",
    "Treadmill",
    "WalkCommand",
    "require_range",
]
