"""In which frame a robot follows a person: the world, or the person's chest."""

from __future__ import annotations

import numpy as np

from retarget.robot_body import RobotBody
from retarget.segments import SEGMENT_INDEX
from retarget.so3 import Array

__all__ = ["world_R_reference"]


def world_R_reference(body: RobotBody, rotations: Array) -> Array:  # noqa: N802
    """Return the frame relative to which a robot follows a person (..., 3, 3).

    A robot on a bolted base cannot turn its trunk: it follows rotations and directions
    relative to the operator's T8 (spec 3). All others follow them in the world.

    Args:
        body: The robot.
        rotations: `world_R_segment` of all 23 segments (..., 23, 3, 3).
    """
    if body.fixed_base:
        return rotations[..., SEGMENT_INDEX["T8"], :, :]
    return np.broadcast_to(np.eye(3), (*rotations.shape[:-3], 3, 3))
