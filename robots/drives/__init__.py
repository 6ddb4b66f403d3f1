"""What drives can do: efforts, speeds, accelerations, and limiters that keep them.

Wanted joint motion goes in; motion within the bounds comes out.
"""

from telexist.robots.drives.actuators import GRAVITY, Actuators, actuators_of
from telexist.robots.drives.command_limiter import Bounds, CommandLimiter, joint_bounds
from telexist.robots.drives.grips import Grips, grip_joints
from telexist.robots.drives.reference_gate import ReferenceGate
from telexist.robots.drives.set_points import COMMAND_SHARE, SetPoints

__all__ = [
    "Actuators",
    "Bounds",
    "COMMAND_SHARE",
    "CommandLimiter",
    "GRAVITY",
    "Grips",
    "ReferenceGate",
    "SetPoints",
    "actuators_of",
    "grip_joints",
    "joint_bounds",
]
