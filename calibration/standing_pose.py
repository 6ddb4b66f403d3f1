"""The poses in which an operator may stand, as rotations from N-pose."""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array, rotation_x

__all__ = ["POSES", "pose_rotation"]

POSES = ("n", "t")
"""N-pose: arms down, palms in. T-pose: arms sideways, palms down."""

_ARM = ("UpperArm", "ForeArm", "Hand")


def pose_rotation(kind: str, segment: str) -> Array:
    """Return `world_R_segment` (3, 3) of a segment in a pose, facing x."""
    if kind == "t" and segment.endswith(_ARM):
        quarter = np.pi / 2.0 if segment.startswith("Left") else -np.pi / 2.0
        return rotation_x(quarter)
    return np.eye(3)
