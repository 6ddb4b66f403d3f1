"""Unity's axes and ours: x right, y up, z ahead, left-handed, and back.

With the mirror P that takes Unity's coordinates to ours, a point is P p and a rotation
P R P'. The matrix of a quaternion is the same formula in both worlds.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["from_unity", "to_unity"]

_P = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def from_unity(rotations: Array, positions: Array) -> tuple[Array, Array]:
    """Return rotations (..., 3, 3) and positions (..., 3) in our axes."""
    return _P @ rotations @ _P.T, positions @ _P.T


def to_unity(rotations: Array, positions: Array) -> tuple[Array, Array]:
    """Return rotations (..., 3, 3) and positions (..., 3) in Unity's axes."""
    return _P.T @ rotations @ _P, positions @ _P
