"""What one turn of the loop saw and did, for the recording, the page, the summary."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Protocol

from telexist.retarget.person_dynamics import PersonDynamics
from telexist.retarget.signals import HumanFrame, RobotFrame
from telexist.robots.base import JointCommand, RobotFeedback, RobotState
from telexist.teleop.terms.controller_report import ControllerReport
from telexist.teleop.terms.device_sample import DeviceSample
from telexist.teleop.terms.robot_reference import RobotReference

__all__ = ["STAGES", "Event", "State", "Tick", "TickSink"]


class State(enum.Enum):
    """Where a session stands; see `teleop/safety/supervisor.py`."""

    IDLE = "idle"
    CALIBRATED = "calibrated"
    ENGAGING = "engaging"
    ACTIVE = "active"
    HOLDING = "holding"
    STOPPED = "stopped"


STAGES = ("wait", "read", "retarget", "smooth", "control", "send")
"""Stages between the arrival of a sample and the joint command, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened, with its reason.

    Attributes:
        stamp: When [s].
        kind: A `Fault`, an `EventKind`, a `ControllerEventKind`, or a device's own word
            for samples that it refused.
        reason: One line for people; names the device or joint.
        state: State of the session after it.
        device: Name of the device that it is about; "" for none.
    """

    stamp: float
    kind: str
    reason: str
    state: State
    device: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """One turn of the loop.

    Attributes:
        number: Running number of the turn.
        stamp: When the turn began [s].
        period: Time since the last turn began [s].
        state: State of the session at its end.
        samples: What the devices said in this turn, in the order of the devices.
        raw: A raw human frame that arrived in this turn, else None.
        human: The same after calibration, else None.
        targets: What the inverse kinematics answered to it, else None.
        reference: What the controller was given; None where there is no robot.
        command: What was sent to the robot, else None.
        robot: The robot's state that was used, else None.
        report: What the controller has to show, else None.
        feedback: A camera picture that arrived in this turn, else None.
        dynamics: What was estimated of the person since the last turn.
        events: What happened in this turn.
        notice: What the operator should read now, such as a countdown; "" for nothing.
        stages: Seconds that the sample which is in the command for the first time spent
            in each of `STAGES`; zeros where no command with a new sample went out.
        age: Age of the newest human sample when the command went out [s].
    """

    number: int
    stamp: float
    period: float
    state: State
    samples: tuple[DeviceSample, ...] = ()
    raw: HumanFrame | None = None
    human: HumanFrame | None = None
    targets: RobotFrame | None = None
    reference: RobotReference | None = None
    command: JointCommand | None = None
    robot: RobotState | None = None
    report: ControllerReport | None = None
    feedback: RobotFeedback | None = None
    dynamics: tuple[PersonDynamics, ...] = ()
    events: tuple[Event, ...] = ()
    notice: str = ""
    stages: tuple[float, ...] = (0.0,) * len(STAGES)
    age: float = float("nan")


class TickSink(Protocol):
    """Somebody who wants every tick: a recording, the page, the summary."""

    def put(self, tick: Tick) -> None:
        """Take a tick; returns at once, whatever the disk or the browser does."""

    def close(self) -> None:
        """Finish; may be called twice."""
