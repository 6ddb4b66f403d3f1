"""How much each segment's orientation counts when a robot cannot follow them all."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from telexist.retarget.segments import LIMBS
from telexist.retarget.so3 import Array

__all__ = ["segment_weights"]

DEFAULT_WEIGHT = 0.2
WEIGHTS: Mapping[str, float] = {
    "Pelvis": 1.0,
    "T8": 1.0,
    "Head": 0.3,
    "Neck": 0.1,
    **{
        f"{side}{part}": 1.0
        for side in ("Left", "Right")
        for part in ("UpperArm", "ForeArm", "UpperLeg", "LowerLeg")
    },
    **{f"{side}Hand": 0.1 for side in ("Left", "Right")},
    **{f"{side}Foot": 0.5 for side in ("Left", "Right")},
}
TWIST = 0.03
"""Share of a limb's weight for turning about itself: where limbs point comes first; how
they turn is for hands and feet to say, wherever the robot has the joints."""


def segment_weights(segment: str, override: Mapping[str, float]) -> Array:
    """Return the weights about the segment's own x, y and z axes (3,) [1/rad^2]."""
    weight = override.get(segment, WEIGHTS.get(segment, DEFAULT_WEIGHT))
    # in N-pose limbs point down, so their twist is about their own z axis
    return weight * np.array([1.0, 1.0, TWIST if segment in LIMBS else 1.0])
