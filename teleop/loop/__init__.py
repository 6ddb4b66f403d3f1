"""One turn of the loop: device, person, targets, reference, controller, robot.

Samples of devices go in; commands to the robot and one `Tick` a turn come out.
"""

from telexist.teleop.loop.background_follower import BackgroundFollower
from telexist.teleop.loop.base_motion import BaseMotion
from telexist.teleop.loop.hand_motion import HandMotion
from telexist.teleop.loop.operator_input import OperatorInput
from telexist.teleop.loop.operator_motion import Follower, OperatorMotion
from telexist.teleop.loop.own_steps import OwnSteps
from telexist.teleop.loop.real_time import (
    for_others,
    prefer_this_thread,
    treat_as_others,
)
from telexist.teleop.loop.reference_maker import ReferenceMaker
from telexist.teleop.loop.teleop_loop import TeleopLoop
from telexist.teleop.loop.watch_loop import WatchLoop

__all__ = [
    "BackgroundFollower",
    "BaseMotion",
    "Follower",
    "HandMotion",
    "OperatorInput",
    "OperatorMotion",
    "OwnSteps",
    "ReferenceMaker",
    "TeleopLoop",
    "WatchLoop",
    "for_others",
    "prefer_this_thread",
    "treat_as_others",
]
