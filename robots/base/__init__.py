"""What every robot can do, simulated or real.

Commands go in, states and pictures come out; nothing here knows any robot.
"""

from telexist.robots.base.camera_wishes import CameraWishes
from telexist.robots.base.child_process import ignore_terminal
from telexist.robots.base.command_check import accepted_command
from telexist.robots.base.interface import (
    BeginsEarly,
    Check,
    HandCommand,
    JointCommand,
    JointGains,
    NeedsArming,
    Robot,
    RobotFeedback,
    RobotState,
    StandsUp,
)
from telexist.robots.base.safety_link import HasSafetyLink, SafetyLink

__all__ = [
    "BeginsEarly",
    "CameraWishes",
    "Check",
    "HandCommand",
    "HasSafetyLink",
    "JointCommand",
    "JointGains",
    "NeedsArming",
    "Robot",
    "RobotFeedback",
    "RobotState",
    "SafetyLink",
    "StandsUp",
    "accepted_command",
    "ignore_terminal",
]
