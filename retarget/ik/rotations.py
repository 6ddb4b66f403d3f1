"""Rotations for compiled code: single ones, written into given arrays.

The vectorised twins for everything else are in `retarget/so3.py`, which is also the
witness in the tests.
"""

from __future__ import annotations

import numpy as np

from retarget.compiled import inner

__all__ = ["exponential", "logarithm", "product", "product_transposed", "turn"]


@inner
def product(A, B, out):  # type: ignore[no-untyped-def]
    """Fill out = A B; `out` must be another array."""
    for r in range(3):
        for c in range(3):
            out[r, c] = A[r, 0] * B[0, c] + A[r, 1] * B[1, c] + A[r, 2] * B[2, c]


@inner
def product_transposed(A, B, out):  # type: ignore[no-untyped-def]
    """Fill out = A B'; `out` must be another array."""
    for r in range(3):
        for c in range(3):
            out[r, c] = A[r, 0] * B[c, 0] + A[r, 1] * B[c, 1] + A[r, 2] * B[c, 2]


@inner
def turn(A, v, out):  # type: ignore[no-untyped-def]
    """Fill out = A v; `out` must be another array."""
    for r in range(3):
        out[r] = A[r, 0] * v[0] + A[r, 1] * v[1] + A[r, 2] * v[2]


@inner
def exponential(w0, w1, w2, out):  # type: ignore[no-untyped-def]
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


@inner
def logarithm(R, out):  # type: ignore[no-untyped-def]
    """Fill out with the rotation vector of R, of length in [0, pi]."""
    v0 = 0.5 * (R[2, 1] - R[1, 2])
    v1 = 0.5 * (R[0, 2] - R[2, 0])
    v2 = 0.5 * (R[1, 0] - R[0, 1])
    s = np.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
    c = 0.5 * (R[0, 0] + R[1, 1] + R[2, 2] - 1.0)
    t = np.arctan2(s, c)
    if t <= np.pi - 1e-3:
        f = 1.0 + t * t / 6.0 if t < 1e-5 else t / s
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
