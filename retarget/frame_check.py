"""Whether numbers can be those of a person, compiled: asked of every live frame.

Arrays must be as `signals.frozen_array` makes them: float64, in C's order and
read-only; others would be compiled for once more.
"""

from __future__ import annotations

from telexist.retarget.compiled import jit_hold_gil
from telexist.retarget.so3 import Array

__all__ = ["are_finite", "are_rotations"]

TOLERANCE = 1e-3  # of the entries of R R^T
INFINITY = float("inf")
LARGEST = 2.0  # entry of R; larger ones may overflow below


@jit_hold_gil
def are_rotations(R: Array) -> bool:
    """Return whether all of (s, 3, 3) are rotations, to 1e-3; NaN is none."""
    for k in range(len(R)):
        M = R[k]
        for i in range(3):
            for j in range(3):
                if not abs(M[i, j]) <= LARGEST:  # NaN is not
                    return False
        for i in range(3):
            for j in range(i + 1):
                dot = M[i, 0] * M[j, 0] + M[i, 1] * M[j, 1] + M[i, 2] * M[j, 2]
                if abs(dot - (1.0 if i == j else 0.0)) > TOLERANCE:
                    return False
        volume = (
            M[0, 0] * (M[1, 1] * M[2, 2] - M[1, 2] * M[2, 1])
            - M[0, 1] * (M[1, 0] * M[2, 2] - M[1, 2] * M[2, 0])
            + M[0, 2] * (M[1, 0] * M[2, 1] - M[1, 1] * M[2, 0])
        )
        if volume <= 0.0:  # mirrored
            return False
    return True


@jit_hold_gil
def are_finite(vectors: Array) -> bool:
    """Return whether no entry of (s, 3) is NaN or infinite."""
    for k in range(len(vectors)):
        for i in range(3):
            if not abs(vectors[k, i]) < INFINITY:  # NaN is not
                return False
    return True
