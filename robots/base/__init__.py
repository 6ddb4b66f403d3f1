"""What every robot can do, simulated or real, and the table of back ends.

Commands go in, states and pictures come out; nothing here knows any robot.
"""

from telexist.robots.base.command_check import accepted_command
from telexist.robots.base.interface import (
    HandCommand,
    JointCommand,
    Robot,
    RobotFeedback,
    RobotState,
    StandsUp,
)
from telexist.robots.base.table import backend_class

__all__ = [
    "HandCommand",
    "JointCommand",
    "Robot",
    "RobotFeedback",
    "RobotState",
    "StandsUp",
    "accepted_command",
    "backend_class",
]
