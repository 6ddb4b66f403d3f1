"""Compiled 3 x 3 and 6 x 6 pieces of the factorisations."""

from __future__ import annotations

import numpy as np

from retarget.compiled import inner

__all__ = ["add_shifted", "factor", "invert_3", "solve_lower", "solve_upper"]


@inner
def add_shifted(inertia, r, onto):  # type: ignore[no-untyped-def]
    """Add an inertia that sits at the end of an arm r: onto += X' inertia X.

    X = [I 0; -hat(r) I] takes the motion of the arm's origin to its end.
    """
    r0, r1, r2 = r[0], r[1], r[2]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        rj, rk = r[j], r[k]
        # row i of T = H + hat(r) M, where [A H; H' M] = inertia
        t0 = inertia[i, 3] + rj * inertia[3 + k, 3] - rk * inertia[3 + j, 3]
        t1 = inertia[i, 4] + rj * inertia[3 + k, 4] - rk * inertia[3 + j, 4]
        t2 = inertia[i, 5] + rj * inertia[3 + k, 5] - rk * inertia[3 + j, 5]
        onto[i, 3] += t0
        onto[i, 4] += t1
        onto[i, 5] += t2
        onto[3, i] += t0
        onto[4, i] += t1
        onto[5, i] += t2
        # row i of A + hat(r) H' - T hat(r)
        onto[i, 0] += inertia[i, 0] + rj * inertia[0, 3 + k] - rk * inertia[0, 3 + j]
        onto[i, 1] += inertia[i, 1] + rj * inertia[1, 3 + k] - rk * inertia[1, 3 + j]
        onto[i, 2] += inertia[i, 2] + rj * inertia[2, 3 + k] - rk * inertia[2, 3 + j]
        onto[i, 0] -= t1 * r2 - t2 * r1
        onto[i, 1] -= t2 * r0 - t0 * r2
        onto[i, 2] -= t0 * r1 - t1 * r0
        for c in range(3):
            onto[3 + i, 3 + c] += inertia[3 + i, 3 + c]


@inner
def invert_3(A, out):  # type: ignore[no-untyped-def]
    """Fill the upper left of out with the inverse of a symmetric 3 x 3 matrix."""
    c00 = A[1, 1] * A[2, 2] - A[1, 2] * A[1, 2]
    c01 = A[0, 2] * A[1, 2] - A[0, 1] * A[2, 2]
    c02 = A[0, 1] * A[1, 2] - A[0, 2] * A[1, 1]
    f = 1.0 / (A[0, 0] * c00 + A[0, 1] * c01 + A[0, 2] * c02)
    out[0, 0], out[0, 1], out[0, 2] = f * c00, f * c01, f * c02
    out[1, 0], out[2, 0] = f * c01, f * c02
    out[1, 1] = f * (A[0, 0] * A[2, 2] - A[0, 2] * A[0, 2])
    out[2, 2] = f * (A[0, 0] * A[1, 1] - A[0, 1] * A[0, 1])
    out[1, 2] = out[2, 1] = f * (A[0, 1] * A[0, 2] - A[0, 0] * A[1, 2])


@inner
def factor(A):  # type: ignore[no-untyped-def]
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


@inner
def solve_lower(U, v):  # type: ignore[no-untyped-def]
    """Replace v (6,) by the solution of U'x = v, with U from `factor`."""
    for k in range(6):
        s = v[k]
        for i in range(k):
            s -= U[i, k] * v[i]
        v[k] = s * U[k, k]


@inner
def solve_upper(U, v):  # type: ignore[no-untyped-def]
    """Replace v (6,) by the solution of U x = v, with U from `factor`."""
    for k in range(5, -1, -1):
        s = v[k]
        for i in range(k + 1, 6):
            s -= U[k, i] * v[i]
        v[k] = s * U[k, k]
