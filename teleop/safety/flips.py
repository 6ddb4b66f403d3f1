"""A segment that turns to and fro from sample to sample, compiled.

One such turn may be a bad sample or a very fast limb; no limb goes on like that.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from telexist.retarget.compiled import Ints, jit_hold_gil
from telexist.retarget.ik import copy_matrix, logarithm, product_transposed
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["FlipTrack", "flipping"]

TIME = 0.2  # [s] over which changes of the turning are averaged
NOISE = 0.35  # [rad] of them, root mean square; 2 degrees of noise: 0.15
ACCELERATION = 300.0  # [rad/s^2] and so much: what limbs do all the time
LEAP = 2.5  # times that counts of a single sample, however wild: a few are no fault
SHARE = 0.1  # of each new interval in the usual one

_JUDGED = np.array([not name.endswith("Toe") for name in SEGMENTS])
"""Toes turn over and back in some recordings: not judged (23,)."""


class FlipTrack(NamedTuple):
    """How unevenly each segment turns; changed in place.

    Attributes:
        rotations: As seen last (23, 3, 3).
        before: The turn that led there (23, 3) [rad].
        square: Mean square of the turns' changes, of late (23,) [rad^2].
        interval: Between two samples, usually (1,) [s].
        step: Scratch (3,).
        turn: Scratch (3, 3).
    """

    rotations: Array
    before: Array
    square: Array
    interval: Array
    step: Array
    turn: Array

    @classmethod
    def empty(cls) -> FlipTrack:
        """Return the track of segments at rest."""
        s = len(SEGMENTS)
        shapes = ((s, 3, 3), (s, 3), (s,), (1,), (3,), (3, 3))
        return cls(*(np.zeros(shape) for shape in shapes))


@jit_hold_gil
def flipping(t: FlipTrack, rows: Ints, R: Array, dt: float, first: bool) -> int:
    """Take a frame in; return the place of a segment that turns to and fro, or -1.

    Args:
        t: What came before; changed.
        rows: Which segments are shown (s,).
        R: Orientations (s, 3, 3).
        dt: Time since the last frame [s].
        first: Whether the frame has nothing to do with the last one.
    """
    share = 1.0 - math.exp(-dt / TIME)
    t.interval[0] = dt if first else t.interval[0] + SHARE * (dt - t.interval[0])
    most = (NOISE + ACCELERATION * t.interval[0] ** 2) ** 2
    found = -1
    for i in range(len(rows)):
        k = rows[i]
        square = 0.0
        product_transposed(R[i], t.rotations[k], t.turn)
        logarithm(t.turn, t.step)
        for j in range(3):
            square += (t.step[j] - t.before[k, j]) ** 2
            t.before[k, j] = 0.0 if first else t.step[j]
        copy_matrix(R[i], t.rotations[k])
        square = min(square, LEAP * most)
        t.square[k] = 0.0 if first else t.square[k] + share * (square - t.square[k])
        if found < 0 and _JUDGED[k] and t.square[k] > most:
            found = i
    return found
