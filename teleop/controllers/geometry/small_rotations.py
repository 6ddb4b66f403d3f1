"""Logarithm and exponential of one rotation in scalar arithmetic.

`retarget/so3.py` does the same for arrays of rotations and for every angle; a control
step needs a handful of single ones, and numpy's overhead would cost more than the rest.
"""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.so3 import Array, log_so3

__all__ = ["about_z", "rotation_vector", "turned_by"]

NEAR_PI = -0.9  # cosine beyond which the careful logarithm is asked


def rotation_vector(R: Array) -> Array:
    """Return log R (3,) [rad]."""
    (a, b, c), (d, e, f), (g, h, i) = R.tolist()
    cosine = 0.5 * (a + e + i - 1.0)
    if cosine < NEAR_PI:
        return log_so3(R)
    x, y, z = h - f, c - g, d - b
    sine = 0.5 * math.sqrt(x * x + y * y + z * z)
    k = 0.5 if sine < 1e-6 else 0.5 * math.atan2(sine, cosine) / sine
    return np.array([k * x, k * y, k * z])


def turned_by(w: Array) -> Array:
    """Return exp w (3, 3) for a rotation vector (3,) [rad]."""
    x, y, z = w.tolist()
    angle2 = x * x + y * y + z * z
    angle = math.sqrt(angle2)
    if angle < 1e-4:
        s, k = 1.0 - angle2 / 6.0, 0.5 - angle2 / 24.0
    else:
        s, k = math.sin(angle) / angle, (1.0 - math.cos(angle)) / angle2
    return np.array(
        [
            [1.0 - k * (y * y + z * z), k * x * y - s * z, k * x * z + s * y],
            [k * x * y + s * z, 1.0 - k * (x * x + z * z), k * y * z - s * x],
            [k * x * z - s * y, k * y * z + s * x, 1.0 - k * (x * x + y * y)],
        ]
    )


def about_z(angle: float) -> Array:
    """Return the rotation about z (3, 3)."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
