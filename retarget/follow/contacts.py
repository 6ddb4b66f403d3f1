"""Which parts of a person's feet bear load, found from the motion itself.

Causal, so that live and recorded motion give the same answer. A heel or ball is in
contact when it is low and not fast, with hysteresis. What hardly moves for a while is
carried by something: so a foot whose ankle is slow and not far above the floor rests on
it, whatever noise or a bad calibration says of its sole. Where the floor is follows
from the feet that rest on it, slowly: recordings climb or drift by centimetres.

Lengths and speeds are for a leg of 0.9 m and scale with the leg; where there are two, a
point gets into contact below the first and leaves it above the second.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Record, jit_internal
from telexist.retarget.follow.follower import FLAT, HEEL, SWING, TOE, FollowRecords
from telexist.retarget.follow.frame_arrays import FrameArrays
from telexist.retarget.so3 import Array

__all__ = ["contact", "follow_floor", "pitch_of_foot", "sole_height"]

HEIGHT = (0.04, 0.06)  # [m] of heel or ball
SPEED = (0.30, 0.50)  # [m/s] of heel or ball
TILT = (
    float(np.sin(np.deg2rad(14.0))),
    float(np.sin(np.deg2rad(18.0))),
)  # of a flat foot
SLOW = (0.17, 0.20)  # [m/s] of an ankle that rests
RAISED = (0.082, 0.09)  # [m] of such an ankle above where it is on a flat foot
STEADY = (
    0.04  # [s] for which it is slow, before it is believed: the top of a hop is not
)
FLOOR_RATE = 0.05  # [m/s] at which a floor may climb or drift
FLOOR_TIME = 0.1  # [s] in which the floor is believed to be where a foot rests


@jit_internal
def _height(R: Array, p: Array, c: Array) -> float:
    return p[2] + R[2, 0] * c[0] + R[2, 1] * c[1] + R[2, 2] * c[2]


@jit_internal
def _lowest(foot: Record, R: Array, p: Array) -> float:
    """Return the height of the lower of heel and ball [m]."""
    points = foot.human_points
    return min(_height(R, p, points[0]), _height(R, p, points[1]))


@jit_internal
def sole_height(foot: Record, floor: float, R: Array, p: Array) -> float:
    """Return how high heel or ball is over the floor, never negative [m]."""
    return max(_lowest(foot, R, p) - floor, 0.0)


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
def _rests(
    foot: Record, unit: float, floor: float, p: Array, v: Array, dt: float
) -> bool:
    """Return whether the ankle is low and has been slow for a while."""
    level = 1 if foot.slow >= STEADY else 0
    speed = np.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    low = p[2] - foot.ankle - floor < RAISED[level] * unit
    foot.slow = foot.slow + dt if low and speed < SLOW[level] * unit else 0.0
    return foot.slow >= STEADY


@jit_internal
def contact(foot: Record, person: Record, frame: FrameArrays, dt: float) -> int:
    """Return how a foot meets the floor, and remember it.

    Args:
        foot: The foot.
        person: The person, for the floor and the scale of the thresholds.
        frame: The person now.
        dt: Time since the last frame [s].
    """
    g, unit, floor = foot.segment, person.unit, person.floor
    R, p, w, v = frame.R[g], frame.p[g], frame.w[g], frame.v[g]
    for k in range(2):
        c, level = foot.human_points[k], 1 if foot.stood[k] != 0 else 0
        low = _height(R, p, c) - floor < HEIGHT[level] * unit
        slow = _speed(R, c, w, v) < SPEED[level] * unit
        foot.stood[k] = 1 if low and slow else 0
    heel, ball = foot.stood[0] != 0, foot.stood[1] != 0
    if _rests(foot, unit, floor, p, v, dt):
        heel = ball = True
    tilt = TILT[1 if foot.stood[2] != 0 else 0]
    flat = heel and ball and abs(R[2, 0]) < tilt and R[2, 2] > 0.0
    foot.stood[2] = 1 if flat else 0
    if flat:
        return FLAT
    if heel and ball:  # a tilted foot rests on its lower end
        points = foot.human_points
        return HEEL if _height(R, p, points[0]) < _height(R, p, points[1]) else TOE
    if heel:
        return HEEL
    return TOE if ball else SWING


@jit_internal
def follow_floor(f: FollowRecords, frame: FrameArrays, dt: float) -> None:
    """Let the floor climb or drift with the lowest foot that rests on it."""
    person, lowest = f.person[0], np.inf
    for side in range(2):
        foot = f.feet[side]
        if foot.slow >= STEADY and frame.shown[foot.segment] and frame.placed:
            g = foot.segment
            lowest = min(lowest, _lowest(foot, frame.R[g], frame.p[g]))
    if lowest < np.inf:
        most = FLOOR_RATE * person.unit * dt
        gap = (lowest - person.floor) * min(dt / FLOOR_TIME, 1.0)
        person.floor += min(max(gap, -most), most)


@jit_internal
def pitch_of_foot(R: Array, A: Array) -> float:
    """Return how far the sole with axes R A is turned toe down [rad]."""
    x0 = R[0, 0] * A[0, 0] + R[0, 1] * A[1, 0] + R[0, 2] * A[2, 0]
    x1 = R[1, 0] * A[0, 0] + R[1, 1] * A[1, 0] + R[1, 2] * A[2, 0]
    x2 = R[2, 0] * A[0, 0] + R[2, 1] * A[1, 0] + R[2, 2] * A[2, 0]
    return np.arctan2(-x2, np.hypot(x0, x1))
