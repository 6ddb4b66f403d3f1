"""Soles that cannot roll by themselves: their legs have no joint that turns them.

Without an ankle that rolls, a sole's roll about its long axis is that of its leg: it
says nothing of the floor, and nobody can ask for another one without moving the hip.
"""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.compiled import Bools, jit_hold_gil
from telexist.retarget.so3 import Array

__all__ = ["can_roll", "write_sole_up"]

TIPPED = 0.03  # [rad] of roll from which a sole stands on one long edge
SLOWEST = 0.1  # of a roll's speed per joint speed that still counts as rolling
LEAST_SHARE = 0.5  # of a roll that the leg's joints must give


def can_roll(J: Array, length: float) -> bool:
    """Whether a leg's joints turn a sole about its long axis where it is.

    The share of a roll e = (0, 0, 0, 1, 0, 0) that joints give at sensible speeds is
    e' J (J' J + c I)^-1 J' e: near 1 with an ankle that rolls; without one the hip
    would have to, and carries the sole away.

    Args:
        J: Of the leg's own joints to the sole's middle, sole axes, linear first (6, k).
        length: Of the sole [m]: what a motion of its middle is compared with.
    """
    scaled = np.vstack([J[:3] / length, J[3:]])
    damped = scaled.T @ scaled + SLOWEST**2 * np.eye(J.shape[1])
    roll = scaled[3]
    return bool(roll @ np.linalg.solve(damped, roll) > LEAST_SHARE)


@jit_hold_gil
def write_sole_up(
    R: Array,
    rolls: Bools,
    widths: Array,
    vertical: Array,
    up: Array,
    tip: Array,
    edge: Array,
) -> None:
    """Write where soles have up, and on what of them they stand.

    That is their z axis and their middle. Of soles that cannot roll, up is the vertical
    less its part along their long axis, and they stand on their lower long edge.

    Args:
        R: Axes of the soles (k, 3, 3).
        rolls: Whether each can roll by itself (k,).
        widths: Of the soles (k,) [m].
        vertical: Unit vector (3,).
        up: Is written: unit vectors (k, 3).
        tip: Is written: 1 on the left edge, -1 on the right one, 0 flat (k,).
        edge: Is written: from the soles' middles to where they stand (k, 3) [m].
    """
    for i in range(len(rolls)):
        along = tip[i] = 0.0
        for a in range(3):
            up[i, a], edge[i, a] = R[i, a, 2], 0.0
            along += R[i, a, 0] * vertical[a]
        square = 1.0 - along * along
        if rolls[i] or square < 1e-6:  # a sole on its toes has no roll
            continue
        length, sine = math.sqrt(square), 0.0
        for a in range(3):
            up[i, a] = (vertical[a] - along * R[i, a, 0]) / length
            sine += up[i, a] * R[i, a, 1]
        tip[i] = min(max(-sine / TIPPED, -1.0), 1.0)
        for a in range(3):
            edge[i, a] = 0.5 * widths[i] * tip[i] * R[i, a, 1]
