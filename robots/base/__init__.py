"""What every robot can do, simulated or real.

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

__all__ = [
    "HandCommand",
    "JointCommand",
    "Robot",
    "RobotFeedback",
    "RobotState",
    "StandsUp",
    "accepted_command",
]
