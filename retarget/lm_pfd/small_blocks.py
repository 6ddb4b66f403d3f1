"""Compiled 3 x 3 and 6 x 6 pieces of the factorisations."""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.retarget.lm_pfd.inlined import inlined
from telexist.retarget.so3 import Array

__all__ = [
    "add_block",
    "add_shifted",
    "add_shifted_upper",
    "clear_block",
    "copy_block",
    "copy_vector",
    "factor",
    "invert_3",
    "mirror",
    "solve_lower",
    "solve_upper",
]


@inlined
def clear_block(A: Array) -> None:
    """Set a matrix to zero."""
    for r in range(A.shape[0]):
        for c in range(A.shape[1]):
            A[r, c] = 0.0


@inlined
def copy_block(A: Array, out: Array) -> None:
    """Copy a matrix; assigning slices would first look whether they overlap."""
    for r in range(A.shape[0]):
        for c in range(A.shape[1]):
            out[r, c] = A[r, c]


@inlined
def add_block(A: Array, onto: Array) -> None:
    """Add a matrix to another, without making a third."""
    for r in range(A.shape[0]):
        for c in range(A.shape[1]):
            onto[r, c] += A[r, c]


@inlined
def copy_vector(v: Array, out: Array) -> None:
    """Copy a vector; see `copy_block`."""
    for k in range(len(v)):
        out[k] = v[k]


@inlined
def mirror(A: Array) -> None:
    """Fill the lower triangle of a symmetric matrix (6, 6) from the upper one."""
    for r in range(1, 6):
        for c in range(r):
            A[r, c] = A[c, r]


@inlined
def _shifted(inertia: Array, r: Array) -> tuple[Any, Any, Any]:
    """Return the inertia at the end of an arm r as seen at its origin: X' inertia X.

    X = [I 0; -hat(r) I] takes the motion of the arm's origin to its end. With
    inertia = [A H; H' M], of which the upper triangle is read, that is
    [A + hat(r) H' - T hat(r), T; T', M], T = H + hat(r) M. Written out, because a
    compiler that must fear that the arrays overlap cannot keep their entries.

    Returns:
        The upper triangle of the first block, T, and the upper triangle of M.
    """
    x, y, z = r[0], r[1], r[2]
    h00, h01, h02 = inertia[0, 3], inertia[0, 4], inertia[0, 5]
    h10, h11, h12 = inertia[1, 3], inertia[1, 4], inertia[1, 5]
    h20, h21, h22 = inertia[2, 3], inertia[2, 4], inertia[2, 5]
    m00, m01, m02 = inertia[3, 3], inertia[3, 4], inertia[3, 5]
    m11, m12, m22 = inertia[4, 4], inertia[4, 5], inertia[5, 5]
    t00, t01, t02 = h00 + y * m02 - z * m01, h01 + y * m12 - z * m11, h02 + y * m22
    t10, t11, t12 = h10 + z * m00 - x * m02, h11 + z * m01 - x * m12, h12 + z * m02
    t20, t21, t22 = h20 + x * m01 - y * m00, h21 + x * m11 - y * m01, h22 + x * m12
    t02, t12, t22 = t02 - z * m12, t12 - x * m22, t22 - y * m02
    a00 = inertia[0, 0] + y * h02 - z * h01 - t01 * z + t02 * y
    a01 = inertia[0, 1] + y * h12 - z * h11 - t02 * x + t00 * z
    a02 = inertia[0, 2] + y * h22 - z * h21 - t00 * y + t01 * x
    a11 = inertia[1, 1] + z * h10 - x * h12 - t12 * x + t10 * z
    a12 = inertia[1, 2] + z * h20 - x * h22 - t10 * y + t11 * x
    a22 = inertia[2, 2] + x * h21 - y * h20 - t20 * y + t21 * x
    first = (a00, a01, a02, a11, a12, a22)
    second = (t00, t01, t02, t10, t11, t12, t20, t21, t22)
    return first, second, (m00, m01, m02, m11, m12, m22)


@inlined
def add_shifted(inertia: Array, r: Array, onto: Array) -> None:
    """Add an inertia that sits at the end of an arm r: onto += X' inertia X."""
    a, t, m = _shifted(inertia, r)
    _add_row(onto[0], a[0], a[1], a[2], t[0], t[1], t[2])
    _add_row(onto[1], a[1], a[3], a[4], t[3], t[4], t[5])
    _add_row(onto[2], a[2], a[4], a[5], t[6], t[7], t[8])
    _add_row(onto[3], t[0], t[3], t[6], m[0], m[1], m[2])
    _add_row(onto[4], t[1], t[4], t[7], m[1], m[3], m[4])
    _add_row(onto[5], t[2], t[5], t[8], m[2], m[4], m[5])


@inlined
def add_shifted_upper(inertia: Array, r: Array, onto: Array) -> None:
    """Do what `add_shifted` does to the upper triangle only."""
    a, t, m = _shifted(inertia, r)
    _add_row(onto[0], a[0], a[1], a[2], t[0], t[1], t[2])
    onto[1, 1] += a[3]
    onto[1, 2] += a[4]
    onto[1, 3] += t[3]
    onto[1, 4] += t[4]
    onto[1, 5] += t[5]
    onto[2, 2] += a[5]
    onto[2, 3] += t[6]
    onto[2, 4] += t[7]
    onto[2, 5] += t[8]
    onto[3, 3] += m[0]
    onto[3, 4] += m[1]
    onto[3, 5] += m[2]
    onto[4, 4] += m[3]
    onto[4, 5] += m[4]
    onto[5, 5] += m[5]


@inlined
def _add_row(
    row: Array, a: float, b: float, c: float, d: float, e: float, f: float
) -> None:
    row[0] += a
    row[1] += b
    row[2] += c
    row[3] += d
    row[4] += e
    row[5] += f


@inlined
def invert_3(
    A: Array, damping: float
) -> tuple[float, float, float, float, float, float]:
    """Return the inverse of the symmetric upper left of A (3, 3), damped.

    Returns:
        Its entries 00, 01, 02, 11, 12 and 22.
    """
    a, b, c = A[0, 0] + damping, A[1, 1] + damping, A[2, 2] + damping
    x, y, z = A[1, 2], A[0, 2], A[0, 1]
    c00, c01, c02 = b * c - x * x, y * x - z * c, z * x - y * b
    f = 1.0 / (a * c00 + z * c01 + y * c02)
    c11, c12, c22 = a * c - y * y, z * y - a * x, a * b - z * z
    return f * c00, f * c01, f * c02, f * c11, f * c12, f * c22


@inlined
def factor(A: Array) -> None:
    """Replace the upper triangle of A (6, 6) by U with A = U'U.

    The diagonal of U is stored inverted.
    """
    for k in range(6):
        d = A[k, k]
        for i in range(k):
            d -= A[i, k] * A[i, k]
        f = 1.0 / np.sqrt(d)
        A[k, k] = f
        for c in range(k + 1, 6):
            s = A[k, c]
            for i in range(k):
                s -= A[i, k] * A[i, c]
            A[k, c] = s * f


@inlined
def solve_lower(U: Array, v: Array) -> None:
    """Replace v (6,) by the solution of U'x = v, with U from `factor`."""
    for k in range(6):
        s = v[k]
        for i in range(k):
            s -= U[i, k] * v[i]
        v[k] = s * U[k, k]


@inlined
def solve_upper(U: Array, v: Array) -> None:
    """Replace v (6,) by the solution of U x = v, with U from `factor`."""
    for k in range(5, -1, -1):
        s = v[k]
        for i in range(k + 1, 6):
            s -= U[k, i] * v[i]
        v[k] = s * U[k, k]
