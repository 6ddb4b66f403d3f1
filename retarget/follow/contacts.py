"""Which parts of a person's feet stand on the floor, found from the motion itself.

From height and speed with hysteresis; causal, so that live and recorded motion give
the same answer. Thresholds are for a leg of 0.9 m and scale with the leg; a point gets
into contact below the first value and leaves it above the second.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Record, jit_internal
from telexist.retarget.follow.follower import FLAT, HEEL, SWING, TOE
from telexist.retarget.so3 import Array

__all__ = ["contact", "sole_height"]

HEIGHT = (0.04, 0.06)  # [m]
SPEED = (0.30, 0.50)  # [m/s]
TILT = (
    float(np.cos(np.deg2rad(7.0))),
    float(np.cos(np.deg2rad(10.0))),
)  # of a flat foot


@jit_internal
def _height(R: Array, p: Array, c: Array) -> float:
    return p[2] + R[2, 0] * c[0] + R[2, 1] * c[1] + R[2, 2] * c[2]


@jit_internal
def sole_height(foot: Record, R: Array, p: Array) -> float:
    """Return the height of the lower of heel and ball, never negative [m]."""
    points = foot.human_points
    return max(min(_height(R, p, points[0]), _height(R, p, points[1])), 0.0)


@jit_internal
def _speed(R: Array, c: Array, w: Array, v: Array) -> float:
    """Return the speed of the point c of a foot: |v + w x R c|."""
    a0 = R[0, 0] * c[0] + R[0, 1] * c[1] + R[0, 2] * c[2]
    a1 = R[1, 0] * c[0] + R[1, 1] * c[1] + R[1, 2] * c[2]
    a2 = R[2, 0] * c[0] + R[2, 1] * c[1] + R[2, 2] * c[2]
    v0 = v[0] + w[1] * a2 - w[2] * a1
    v1 = v[1] + w[2] * a0 - w[0] * a2
    v2 = v[2] + w[0] * a1 - w[1] * a0
    return np.sqrt(v0 * v0 + v1 * v1 + v2 * v2)


@jit_internal
def contact(foot: Record, unit: float, R: Array, p: Array, w: Array, v: Array) -> int:
    """Return how a foot meets the floor, and remember it.

    Args:
        foot: The foot.
        unit: Scale of the thresholds.
        R: Orientation of the person's foot (3, 3).
        p: Place of the ankle (3,) [m].
        w: Angular velocity of the foot (3,) [rad/s].
        v: Velocity of the ankle (3,) [m/s].
    """
    for k in range(2):
        c, level = foot.human_points[k], 1 if foot.stood[k] != 0 else 0
        low = _height(R, p, c) < HEIGHT[level] * unit
        slow = _speed(R, c, w, v) < SPEED[level] * unit
        foot.stood[k] = 1 if low and slow else 0
    heel, ball = foot.stood[0] != 0, foot.stood[1] != 0
    flat = heel and ball and R[2, 2] > TILT[1 if foot.stood[2] != 0 else 0]
    foot.stood[2] = 1 if flat else 0
    if flat:
        return FLAT
    if heel and ball:  # a tilted foot rests on its lower end
        points = foot.human_points
        return HEEL if _height(R, p, points[0]) < _height(R, p, points[1]) else TOE
    if heel:
        return HEEL
    return TOE if ball else SWING
