"""A limb that stands still in the world while what carries it turns, compiled.

A sensor that is worn and works says the same orientation twice only when nothing moves:
neither muscles nor noise cancel the turning of a shoulder to the last bit. Feet and
toes may stand on the floor, so that they are not judged.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from telexist.retarget.compiled import Ints, jit_hold_gil
from telexist.retarget.ik import copy_matrix, logarithm, product_transposed
from telexist.retarget.segments import PARENT, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["StillTrack", "still_limb"]

SAME = 1.0e-6  # of a matrix: a rotation that has not changed
TIME = 0.3  # [s] for which a limb has not turned
CARRIED = math.radians(0.2)  # by which what carries it turned meanwhile


def _carrier(segment: str) -> int:
    """Return the row of what carries a segment, -1 where it is not judged."""
    parent = PARENT[segment]
    floor = segment.endswith(("Foot", "Toe"))
    return -1 if parent is None or floor else SEGMENT_INDEX[parent]


_CARRIERS = np.array([_carrier(name) for name in SEGMENTS], dtype=np.int64)


class StillTrack(NamedTuple):
    """Since when each segment has not turned; changed in place.

    Attributes:
        rotations: Of each since then (23, 3, 3).
        carriers: Of what carries it, then (23, 3, 3).
        time: How long ago that was (23,) [s].
        carried: How far that has turned since (23,) [rad].
        places: Of the segments in the frame, -1 where not shown (23,).
        step: Scratch (3,).
        turn: Scratch (3, 3).
    """

    rotations: Array
    carriers: Array
    time: Array
    carried: Array
    places: Ints
    step: Array
    turn: Array

    @classmethod
    def empty(cls) -> StillTrack:
        """Return the track of segments that were never seen."""
        s = len(SEGMENTS)
        return cls(
            rotations=np.zeros((s, 3, 3)),
            carriers=np.zeros((s, 3, 3)),
            time=np.zeros(s),
            carried=np.zeros(s),
            places=np.full(s, -1, dtype=np.int64),
            step=np.zeros(3),
            turn=np.zeros((3, 3)),
        )


@jit_hold_gil
def still_limb(t: StillTrack, rows: Ints, R: Array, dt: float) -> int:
    """Take a frame in; return the place of a limb that has frozen, or -1.

    Args:
        t: What came before; changed.
        rows: Which segments are shown (s,).
        R: Orientations (s, 3, 3).
        dt: Time since the last frame [s].
    """
    t.places[:] = -1
    for i in range(len(rows)):
        t.places[rows[i]] = i
    found = -1
    for i in range(len(rows)):
        k = rows[i]
        carrier = -1 if _CARRIERS[k] < 0 else t.places[_CARRIERS[k]]
        if carrier < 0:
            continue
        change = 0.0
        for r in range(3):
            for c in range(3):
                change = max(change, abs(R[i, r, c] - t.rotations[k, r, c]))
        if change > SAME:
            copy_matrix(R[i], t.rotations[k])
            copy_matrix(R[carrier], t.carriers[k])
            t.time[k], t.carried[k] = 0.0, 0.0
            continue
        product_transposed(R[carrier], t.carriers[k], t.turn)
        logarithm(t.turn, t.step)
        square = t.step[0] ** 2 + t.step[1] ** 2 + t.step[2] ** 2
        t.carried[k] = max(t.carried[k], math.sqrt(square))
        t.time[k] += dt
        if found < 0 and t.time[k] >= TIME and t.carried[k] > CARRIED:
            found = i
    return found
