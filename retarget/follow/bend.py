"""Limbs that the robot cannot straighten; witness: `straight_limbs.py`."""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import jit_internal, jit_release_gil
from telexist.retarget.ik import copy_matrix, product
from telexist.retarget.so3 import Array

__all__ = ["bend_limb", "keep_bent"]


@jit_internal
def bend_limb(above_R_limb: Array, lean: Array, out: Array) -> None:
    """Turn a limb that is straighter than the robot's can be.

    Args:
        above_R_limb: The person's limb, seen from the limb above it (3, 3); in N-pose
            both point along -z.
        lean: Where the robot's limb points at its straightest (3,), seen from above.
        out: Filled with what the robot is asked for (3, 3).
    """
    copy_matrix(above_R_limb, out)
    d0, d1, d2 = -above_R_limb[0, 2], -above_R_limb[1, 2], -above_R_limb[2, 2]
    own, robots = np.hypot(d0, d1), np.hypot(lean[0], lean[1])
    least = np.arctan2(robots, -lean[2])
    share = np.arctan2(own, -d2) / least
    if share >= 1.0:
        return
    x, y = (1.0 - share) * lean[0] / robots, (1.0 - share) * lean[1] / robots
    if own > 1e-9:
        x += share * d0 / own
        y += share * d1 / own
    length = np.hypot(x, y)
    if length > 1e-6:
        x, y = x / length, y / length
    else:
        x, y = lean[0] / robots, lean[1] / robots
    w0, w1, w2 = np.sin(least) * x, np.sin(least) * y, -np.cos(least)
    # the shortest rotation from d to w: I + [v] + [v]^2 / (1 + c)
    v0, v1, v2 = d1 * w2 - d2 * w1, d2 * w0 - d0 * w2, d0 * w1 - d1 * w0
    k = 1.0 / (1.0 + d0 * w0 + d1 * w1 + d2 * w2)
    turn = np.empty((3, 3))
    turn[0, 0], turn[0, 1], turn[0, 2] = (
        1.0 - k * (v1 * v1 + v2 * v2),
        k * v0 * v1 - v2,
        k * v0 * v2 + v1,
    )
    turn[1, 0], turn[1, 1], turn[1, 2] = (
        k * v0 * v1 + v2,
        1.0 - k * (v0 * v0 + v2 * v2),
        k * v1 * v2 - v0,
    )
    turn[2, 0], turn[2, 1], turn[2, 2] = (
        k * v0 * v2 - v1,
        k * v1 * v2 + v0,
        1.0 - k * (v0 * v0 + v1 * v1),
    )
    product(turn, above_R_limb, out)


@jit_release_gil
def keep_bent(above_R_limb: Array, lean: Array, out: Array) -> None:
    """Do what `bend_limb` does, for Python."""
    bend_limb(above_R_limb, lean, out)
