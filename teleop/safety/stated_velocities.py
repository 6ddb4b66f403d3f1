"""Whether stated velocities are those of the poses, compiled: asked of each live frame.

What was stated is integrated and compared with the way that was seen, over a fraction
of a second: so noise of single poses does not matter, nor the rate.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from telexist.retarget.compiled import Ints, jit_hold_gil, jit_internal
from telexist.retarget.ik import copy_matrix, logarithm, product_transposed
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["StatedTrack", "contradicted", "take_stated"]

TIME = 0.2  # [s] over which velocities and poses are compared
TURN = 2.0  # [rad] of difference; recordings with 2 degrees of noise: 0.7
MOVE = 0.3  # [m]; recordings: 0.03
SHARE = 0.3  # and so much of the way there

_JUDGED = np.array([not name.endswith("Toe") for name in SEGMENTS])
"""Toes turn over from one sample to the next in some recordings: not judged (23,)."""


class StatedTrack(NamedTuple):
    """Stated and seen motion of all segments; changed in place.

    Attributes:
        rotations: As seen last (23, 3, 3).
        positions: As seen last (23, 3).
        stated: Angular and linear velocities stated then (2, 23, 3).
        error: Stated less seen motion, of late (2, 23, 3) [rad], [m].
        way: Of late (2, 23) [rad], [m].
        step: Scratch: the newest step (3,).
        turn: Scratch: its matrix (3, 3).
    """

    rotations: Array
    positions: Array
    stated: Array
    error: Array
    way: Array
    step: Array
    turn: Array

    @classmethod
    def empty(cls) -> StatedTrack:
        """Return a track with no motion."""
        s = len(SEGMENTS)
        shapes = ((s, 3, 3), (s, 3), (2, s, 3), (2, s, 3), (2, s), (3,), (3, 3))
        return cls(*(np.zeros(shape) for shape in shapes))


@jit_internal
def _difference(t: StatedTrack, kind: int, k: int, stated: Array, dt: float) -> float:
    """Return how far the error is beyond what may be, with the step in the scratch.

    Zero states nothing: many sources send it for "unknown".
    """
    share = math.exp(-dt / TIME)
    said, total, way = 0.0, 0.0, 0.0
    for i in range(3):
        said += abs(stated[i])
        mean = 0.5 * (stated[i] + t.stated[kind, k, i])
        total += (t.error[kind, k, i] * share + mean * dt - t.step[i]) ** 2
        way += t.step[i] ** 2
    if said == 0.0:
        return 0.0
    return math.sqrt(total) - SHARE * (t.way[kind, k] * share + math.sqrt(way))


@jit_internal
def _add(t: StatedTrack, kind: int, k: int, stated: Array, dt: float) -> None:
    """Take the step in the scratch in."""
    share = math.exp(-dt / TIME)
    said, way = 0.0, 0.0
    for i in range(3):
        said += abs(stated[i])
        way += t.step[i] ** 2
    t.way[kind, k] = t.way[kind, k] * share + math.sqrt(way)
    for i in range(3):
        mean = 0.5 * (stated[i] + t.stated[kind, k, i])
        new = mean * dt - t.step[i] if said > 0.0 else 0.0
        t.error[kind, k, i] = t.error[kind, k, i] * share + new
        t.stated[kind, k, i] = stated[i]


@jit_internal
def _turn(t: StatedTrack, k: int, R: Array) -> None:
    product_transposed(R, t.rotations[k], t.turn)
    logarithm(t.turn, t.step)


@jit_internal
def _move(t: StatedTrack, k: int, p: Array) -> None:
    for i in range(3):
        t.step[i] = p[i] - t.positions[k, i]


@jit_hold_gil
def contradicted(
    t: StatedTrack, rows: Ints, R: Array, w: Array, p: Array, v: Array, dt: float
) -> tuple[int, int]:
    """Find a segment whose stated velocity is not that of its poses.

    Args:
        t: What came before; only its scratch is changed.
        rows: Which segments are shown (s,).
        R: Orientations (s, 3, 3).
        w: Stated angular velocities (s, 3) [rad/s].
        p: Positions (s, 3) [m]; (0, 3) if there are none.
        v: Stated velocities (s, 3) [m/s]; (0, 3) if there are none.
        dt: Time since the last frame [s].

    Returns:
        Place among the shown segments, -1 if there is none; 0: it turns, 1: it moves.
    """
    for i in range(len(rows)):
        k = rows[i]
        if not _JUDGED[k]:
            continue
        _turn(t, k, R[i])
        if _difference(t, 0, k, w[i], dt) > TURN:
            return i, 0
        if len(p) and len(v):
            _move(t, k, p[i])
            if _difference(t, 1, k, v[i], dt) > MOVE:
                return i, 1
    return -1, 0


@jit_hold_gil
def take_stated(
    t: StatedTrack,
    rows: Ints,
    R: Array,
    w: Array,
    p: Array,
    v: Array,
    dt: float,
    first: bool,
) -> None:
    """Take a frame in.

    Args:
        t: What came before; changed.
        rows: Which segments are shown (s,).
        R: Orientations (s, 3, 3).
        w: Stated angular velocities (s, 3) [rad/s].
        p: Positions (s, 3) [m]; (0, 3) if there are none.
        v: Stated velocities (s, 3) [m/s]; (0, 3) if there are none.
        dt: Time since the last frame [s].
        first: Whether the frame has nothing to do with the last one.
    """
    if first:
        for k in range(len(t.way[0])):
            for kind in range(2):
                t.way[kind, k] = 0.0
                for i in range(3):
                    t.error[kind, k, i] = 0.0
    for j in range(len(rows)):
        k = rows[j]
        if not first:
            _turn(t, k, R[j])
            _add(t, 0, k, w[j], dt)
        copy_matrix(R[j], t.rotations[k])
        for i in range(3):
            t.stated[0, k, i] = w[j, i]
        if len(p) and len(v):
            if not first:
                _move(t, k, p[j])
                _add(t, 1, k, v[j], dt)
            for i in range(3):
                t.positions[k, i], t.stated[1, k, i] = p[j, i], v[j, i]
