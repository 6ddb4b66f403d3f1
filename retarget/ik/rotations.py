"""Rotations for compiled code: single ones, written into given arrays.

The vectorised twins for everything else are in `retarget/so3.py`, which is also the
witness in the tests.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.compiled import jit_internal
from telexist.retarget.so3 import Array

__all__ = [
    "copy_matrix",
    "copy_vector",
    "arcsine_over_sine",
    "exponential",
    "inverse_right_jacobian",
    "logarithm",
    "product",
    "product_transposed",
    "rotate",
    "transposed_product",
]


@jit_internal
def copy_matrix(A: Array, out: Array) -> None:
    """Fill out with A; assigning slices would compile far longer."""
    for r in range(A.shape[0]):
        for c in range(A.shape[1]):
            out[r, c] = A[r, c]


@jit_internal
def copy_vector(v: NDArray[np.floating], out: Array) -> None:
    """Fill out with v; see `copy_matrix`."""
    for k in range(len(v)):
        out[k] = v[k]


@jit_internal
def product(A: Array, B: Array, out: Array) -> None:
    """Fill out = A B; `out` must be another array."""
    for r in range(3):
        for c in range(3):
            out[r, c] = A[r, 0] * B[0, c] + A[r, 1] * B[1, c] + A[r, 2] * B[2, c]


@jit_internal
def product_transposed(A: Array, B: Array, out: Array) -> None:
    """Fill out = A B'; `out` must be another array."""
    for r in range(3):
        for c in range(3):
            out[r, c] = A[r, 0] * B[c, 0] + A[r, 1] * B[c, 1] + A[r, 2] * B[c, 2]


@jit_internal
def transposed_product(A: Array, B: Array, out: Array) -> None:
    """Fill out = A' B; `out` must be another array."""
    for r in range(3):
        for c in range(3):
            out[r, c] = A[0, r] * B[0, c] + A[1, r] * B[1, c] + A[2, r] * B[2, c]


@jit_internal
def rotate(A: Array, v: Array, out: Array) -> None:
    """Fill out = A v; `out` must be another array."""
    for r in range(3):
        out[r] = A[r, 0] * v[0] + A[r, 1] * v[1] + A[r, 2] * v[2]


@jit_internal
def exponential(w0: float, w1: float, w2: float, out: Array) -> None:
    """Fill out with the rotation by |w| about w (Rodrigues)."""
    t2 = w0 * w0 + w1 * w1 + w2 * w2
    t = np.sqrt(t2)
    if t < 1e-5:
        a, b = 1.0 - t2 / 6.0, 0.5 - t2 / 24.0
    else:
        h = np.sin(0.5 * t) / t
        a, b = np.sin(t) / t, 2.0 * h * h
    out[0, 0] = 1.0 - b * (w1 * w1 + w2 * w2)
    out[1, 1] = 1.0 - b * (w0 * w0 + w2 * w2)
    out[2, 2] = 1.0 - b * (w0 * w0 + w1 * w1)
    out[0, 1], out[1, 0] = b * w0 * w1 - a * w2, b * w0 * w1 + a * w2
    out[0, 2], out[2, 0] = b * w0 * w2 + a * w1, b * w0 * w2 - a * w1
    out[1, 2], out[2, 1] = b * w1 * w2 - a * w0, b * w1 * w2 + a * w0


@jit_internal
def arcsine_over_sine(s2: float) -> float:
    """Return asin(s) / s from s squared, to rounding below s = 0.1."""
    f = 231.0 / 13312.0 + s2 * (143.0 / 10240.0)
    f = 35.0 / 1152.0 + s2 * (63.0 / 2816.0 + s2 * f)
    return 1.0 + s2 * (1.0 / 6.0 + s2 * (3.0 / 40.0 + s2 * (5.0 / 112.0 + s2 * f)))


@jit_internal
def logarithm(R: Array, out: Array) -> None:
    """Fill out with the rotation vector of R, of length in [0, pi]."""
    v0 = 0.5 * (R[2, 1] - R[1, 2])
    v1 = 0.5 * (R[0, 2] - R[2, 0])
    v2 = 0.5 * (R[1, 0] - R[0, 1])
    s2 = v0 * v0 + v1 * v1 + v2 * v2
    c = 0.5 * (R[0, 0] + R[1, 1] + R[2, 2] - 1.0)
    if s2 < 0.01 and c > 0.0:
        f = arcsine_over_sine(s2)
        out[0], out[1], out[2] = f * v0, f * v1, f * v2
        return
    s = np.sqrt(s2)
    t = np.arctan2(s, c)
    if t <= np.pi - 1e-3:
        f = t / s
        out[0], out[1], out[2] = f * v0, f * v1, f * v2
        return
    # near pi the axis comes from the symmetric part: it is its largest column
    k = 0
    for i in range(1, 3):
        if R[i, i] > R[k, k]:
            k = i
    c = np.cos(t)
    length = 0.0
    for i in range(3):
        out[i] = 0.5 * (R[i, k] + R[k, i]) - (c if i == k else 0.0)
        length += out[i] * out[i]
    f = t / np.sqrt(length)
    if out[0] * v0 + out[1] * v1 + out[2] * v2 < 0.0:
        f = -f
    for i in range(3):
        out[i] *= f


@jit_internal
def inverse_right_jacobian(e: Array, out: Array) -> None:
    """Fill out with K = 1 + S/2 + f S^2, S = hat(e): see `retarget/so3.py`."""
    t2 = e[0] * e[0] + e[1] * e[1] + e[2] * e[2]
    if t2 < 0.02:  # the series is exact to rounding, and the tangent takes long
        f = 1.0 / 12.0 + t2 * (
            1.0 / 720.0 + t2 * (1.0 / 30240.0 + t2 * (1.0 / 1209600.0))
        )
    else:
        half = 0.5 * np.sqrt(t2)
        f = (1.0 - half / np.tan(half)) / t2
    for r in range(3):
        for c in range(3):
            out[r, c] = f * e[r] * e[c]
        out[r, r] += 1.0 - f * t2
    out[0, 1] -= 0.5 * e[2]
    out[0, 2] += 0.5 * e[1]
    out[1, 0] += 0.5 * e[2]
    out[1, 2] -= 0.5 * e[0]
    out[2, 0] -= 0.5 * e[1]
    out[2, 1] += 0.5 * e[0]
