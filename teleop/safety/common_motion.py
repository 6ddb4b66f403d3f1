"""A body that moves or turns as one piece, feet and all, compiled.

Something of a person rests: a foot on the floor, a knee, the seat. A body of which all
parts turn about the same level axis is tilted by whoever measures it; one of which all
low parts move the same way drifts, unless it falls freely. Limbs that move the other
way hide that from a rule for all parts. So the feet of who does not run are judged
alone: one of them stands, unless the body falls freely; or a low part carries it that
neither moves nor turns.

All is measured over times, not samples: so it is the same at any rate.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from telexist.retarget.compiled import Ints, jit_hold_gil, jit_internal
from telexist.retarget.ik import copy_matrix, logarithm, product_transposed
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["CommonTrack", "take_common"]

TURN_TIME = 0.1  # [s], twice, of the low-pass of turning: noise is averaged
FORGET = 4.0  # [s] after which a tilt is forgotten
MOVE_TIME = 0.03  # [s], twice, of the low-pass of moving: feet of runners rest so long
LOW = 0.65  # [m] above the lowest point: what may carry somebody who stands or sits
REST = 0.1  # [m/s] of a part that rests,
REST_SHARE = 0.3  # and so much of the mean speed of low parts: feet of runners roll
RESTED = 4.0  # times as fast as it comes, time without rest is forgotten
NEAR = 0.2  # [m] above the lowest point: what may stand
STANDS = 0.3  # [m/s] of a foot, or of both in the mean: ends of clips are bridged so
CARRIES = 0.2  # [m/s] of a low part that carries a body,
CARRIES_TURN = 0.5  # [m] and so much of its level turning: a pelvis tilts where it is
RUNS = 2.0  # [m/s] of the whole body, level: feet of runners never stand for long
RUN_FORGET = 0.5  # [m/s^2] by which running is forgotten
BEGIN = 0.2  # [s] until speeds are known
FALL_TIME = 0.1  # [s] over which the vertical acceleration is found
FREE_FALL = (-14.0, -5.0)  # [m/s^2] of a body in the air
_WAYS = np.array([(math.cos(a), math.sin(a)) for a in np.arange(16) * (math.pi / 8.0)])
"""Level axes about which a body may tilt (16, 2)."""

_PARTS = (
    ("Pelvis", "L5", "L3", "T12", "T8"),
    ("LeftFoot", "LeftToe"),
    ("RightFoot", "RightToe"),
    ("LeftUpperLeg", "LeftLowerLeg"),
    ("RightUpperLeg", "RightLowerLeg"),
    ("LeftUpperArm", "LeftForeArm", "LeftHand"),
    ("RightUpperArm", "RightForeArm", "RightHand"),
    ("Neck", "Head"),
)
"""Whose mean turning counts; shoulders belong to none."""

_PART = np.full(len(SEGMENTS), -1, dtype=np.int64)
for _row, _names in enumerate(_PARTS):
    for _name in _names:
        _PART[SEGMENT_INDEX[_name]] = _row
_NEEDED = 3  # the first parts: without trunk and feet nobody knows what rests


class CommonTrack(NamedTuple):
    """What moves with all the rest; changed in place.

    Attributes:
        rotations: As seen last (23, 3, 3).
        positions: As seen last (23, 3).
        turning: Low-passed once and twice (2, 23, 3) [rad/s].
        moving: The same of places (2, 23, 3) [m/s].
        parts: Scratch: mean turning of each part and how many there are (8, 4).
        tilt: Of the body as a whole, of late (2,) [rad].
        state: Age [s], time without rest [s], vertical speed, low-passed [m/s], mean
            speed of the low parts [m/s], time without a stand [s], running of late
            [m/s] (6,).
        step: Scratch (3,).
        turn: Scratch (3, 3).
    """

    rotations: Array
    positions: Array
    turning: Array
    moving: Array
    parts: Array
    tilt: Array
    state: Array
    step: Array
    turn: Array

    @classmethod
    def empty(cls) -> CommonTrack:
        """Return the track of a body at rest."""
        s = len(SEGMENTS)
        shapes = ((s, 3, 3), (s, 3), (2, s, 3), (2, s, 3), (len(_PARTS), 4))
        rest = ((2,), (6,), (3,), (3, 3))
        return cls(*(np.zeros(shape) for shape in (*shapes, *rest)))


@jit_internal
def _low_pass(slow: Array, k: int, step: Array, dt: float, time: float) -> None:
    """Take a step in; the speed is low-passed twice."""
    share = 1.0 - math.exp(-dt / time)
    for i in range(3):
        slow[0, k, i] += share * (step[i] / dt - slow[0, k, i])
        slow[1, k, i] += share * (slow[0, k, i] - slow[1, k, i])


@jit_internal
def _common_turning(t: CommonTrack, rows: Ints, dt: float) -> float:
    """Return how far the whole body has tilted of late [rad].

    Of all level axes the one counts about which the slowest part turns fastest.
    """
    t.parts[:] = 0.0
    for i in range(len(rows)):
        part = _PART[rows[i]]
        if part >= 0:
            t.parts[part, 3] += 1.0
            for j in range(3):
                t.parts[part, j] += t.turning[1, rows[i], j]
    for part in range(len(t.parts)):
        count = t.parts[part, 3]
        if count == 0.0 and part < _NEEDED:
            return 0.0
        for j in range(3):
            t.parts[part, j] /= max(count, 1.0)
    common, way = 0.0, 0
    for i in range(len(_WAYS)):
        least = math.inf
        for part in range(len(t.parts)):
            if t.parts[part, 3] > 0.0:
                x, y = t.parts[part, 0], t.parts[part, 1]
                least = min(least, x * _WAYS[i, 0] + y * _WAYS[i, 1])
        if least > common:
            common, way = least, i
    keep = math.exp(-dt / FORGET)
    for j in range(2):
        t.tilt[j] = t.tilt[j] * keep + common * _WAYS[way, j] * dt
    return math.sqrt(t.tilt[0] ** 2 + t.tilt[1] ** 2)


@jit_internal
def _stands(t: CommonTrack, rows: Ints, lowest: float) -> bool:
    """Return whether a foot stands, both do in the mean, or a low part carries."""
    feet, fx, fy, fz = 0, 0.0, 0.0, 0.0
    for i in range(len(rows)):
        k = rows[i]
        v, w = t.moving[1, k], t.turning[1, k]
        speed = math.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)
        height = t.positions[k, 2] - lowest
        if height < NEAR and speed < STANDS:
            return True
        turn = math.sqrt(w[0] ** 2 + w[1] ** 2)
        if height < LOW and speed + CARRIES_TURN * turn < CARRIES:
            return True
        if _PART[k] == 1 or _PART[k] == 2:
            feet += 1
            fx, fy, fz = fx + v[0], fy + v[1], fz + v[2]
    return math.sqrt(fx**2 + fy**2 + fz**2) < STANDS * feet


@jit_internal
def _runs(t: CommonTrack, rows: Ints, dt: float) -> bool:
    """Return whether the body as a whole has moved fast of late, as runners do."""
    x, y = 0.0, 0.0
    for i in range(len(rows)):
        x += t.moving[1, rows[i], 0] / len(rows)
        y += t.moving[1, rows[i], 1] / len(rows)
    t.state[5] = max(math.sqrt(x**2 + y**2), t.state[5] - RUN_FORGET * dt)
    return t.state[5] > RUNS


@jit_internal
def _common_moving(t: CommonTrack, rows: Ints, dt: float) -> tuple[float, float]:
    """Return for how long nothing has rested, and stood [s]; 0 while it does."""
    mean, lowest, rise = t.step, math.inf, 0.0
    for i in range(len(rows)):
        lowest = min(lowest, t.positions[rows[i], 2])
        rise += t.moving[1, rows[i], 2] / len(rows)
    count, speed = 0, 0.0
    mean[:] = 0.0
    for i in range(len(rows)):
        if t.positions[rows[i], 2] < lowest + LOW:
            count += 1
            for j in range(3):
                mean[j] += t.moving[1, rows[i], j]
    for j in range(3):
        mean[j] /= count
        speed += mean[j] ** 2
    speed = math.sqrt(speed) + 1e-12
    least = math.inf
    for i in range(len(rows)):
        if t.positions[rows[i], 2] < lowest + LOW:
            v = t.moving[1, rows[i]]
            along = (v[0] * mean[0] + v[1] * mean[1] + v[2] * mean[2]) / speed
            least = min(least, along)
    t.state[2] += (1.0 - math.exp(-dt / FALL_TIME)) * (rise - t.state[2])
    falling = (rise - t.state[2]) / FALL_TIME
    falls = FREE_FALL[0] < falling < FREE_FALL[1]
    runs = _runs(t, rows, dt)
    t.state[3] = speed
    nobody = t.state[0] < BEGIN or falls
    rests = nobody or least < REST + REST_SHARE * speed
    stands = nobody or runs or _stands(t, rows, lowest)
    alone = _without(t.state, 1, rests, dt)
    return alone, _without(t.state, 4, stands, dt)


@jit_internal
def _without(state: Array, place: int, has: bool, dt: float) -> float:
    """Return the time without something [s], 0 while it is there; counted in state."""
    if has:
        state[place] = max(state[place] - RESTED * dt, 0.0)
        return 0.0
    state[place] += dt
    return float(state[place])


@jit_hold_gil
def take_common(
    t: CommonTrack, rows: Ints, R: Array, p: Array, dt: float, first: bool
) -> tuple[float, float, float, float]:
    """Take a frame in.

    Args:
        t: What came before; changed.
        rows: Which segments are shown (s,).
        R: Orientations (s, 3, 3).
        p: Positions (s, 3) [m]; (0, 3) if there are none.
        dt: Time since the last frame [s].
        first: Whether the frame has nothing to do with the last one.

    Returns:
        Tilt of the body as a whole [rad], time in which no low part rested [s], time in
        which no foot stood and nothing carried [s], mean speed of low parts [m/s].
    """
    if first:
        t.turning[:], t.moving[:], t.tilt[:], t.state[:] = 0.0, 0.0, 0.0, 0.0
    trunk, feet = False, 0
    for i in range(len(rows)):
        k = rows[i]
        trunk = trunk or _PART[k] == 0
        feet += 1 if _PART[k] == 1 or _PART[k] == 2 else 0
        if not first:
            product_transposed(R[i], t.rotations[k], t.turn)
            logarithm(t.turn, t.step)
            _low_pass(t.turning, k, t.step, dt, TURN_TIME)
        copy_matrix(R[i], t.rotations[k])
        if len(p) == 0:
            continue
        if not first:
            for j in range(3):
                t.step[j] = p[i, j] - t.positions[k, j]
            _low_pass(t.moving, k, t.step, dt, MOVE_TIME)
        for j in range(3):
            t.positions[k, j] = p[i, j]
    if first:
        return 0.0, 0.0, 0.0, 0.0
    t.state[0] += dt
    tilt = _common_turning(t, rows, dt)
    alone, loose = 0.0, 0.0
    if len(p) and trunk and feet >= 2:
        alone, loose = _common_moving(t, rows, dt)
    return tilt, alone, loose, t.state[3]
