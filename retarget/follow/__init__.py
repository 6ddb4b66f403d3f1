"""The engine: one frame of a person in, the robot's next configuration out.

`Retargeter` follows a whole clip or one frame at a time, with the same numbers. In
come `HumanFrame`s and a `RobotBody`; out go `RobotFrame`s inside all limits.
"""

from telexist.retarget.follow.limbs import start_postures
from telexist.retarget.follow.retargeter import Retargeter, RetargetSettings
from telexist.retarget.follow.segment_weights import segment_weights
from telexist.retarget.follow.straight_limbs import ABOVE, bent_limb, straightest
from telexist.retarget.follow.tremor_filter import TremorFilter

__all__ = [
    "ABOVE",
    "RetargetSettings",
    "Retargeter",
    "TremorFilter",
    "bent_limb",
    "segment_weights",
    "start_postures",
    "straightest",
]
