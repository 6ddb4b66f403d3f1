"""The constrained least squares of one linearised step, exactly and in O(n).

    min  sum_i |r_i - J_i x|^2_W  +  damping  +  posture  +  w sum min(0, z + J_z x)^2
    s.t. lower <= x <= upper,  row_lower <= A x <= row_upper

Active sets are found by block pivoting: every joint beyond a bound is put on it, every
joint pushed back inside is freed, and the articulated-body pass is repeated; single
pivots take over should that cycle. Points below the floor are one-sided targets and
enter as weights of their body. Couplings between joints are few; they are a small
dual problem around the recursion.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from retarget.ik.articulated import add_point, articulate, resolve
from retarget.so3 import Array

__all__ = ["Bounds", "Work", "make_work", "solve_bounded"]

MAX_PASSES = 500
PATIENCE = 8  # passes without progress before single pivots take over
TOLERANCE = 1e-11  # [rad] or [m] by which a bound may be missed inside the solve


class Bounds(NamedTuple):
    """Limits of one linearised step.

    Attributes:
        lower: Least displacement of each joint (n,).
        upper: Greatest displacement of each joint (n,).
        rows: Couplings over the joints (c, n).
        row_lower: (c,).
        row_upper: (c,).
    """

    lower: Array
    upper: Array
    rows: Array
    row_lower: Array
    row_upper: Array


class Work(NamedTuple):
    """Memory of the solver, kept between steps; `status` is also its warm start.

    Attributes:
        R: Orientations of the bodies (n + 1, 3, 3).
        p: Places of the bodies (n + 1, 3).
        S: Motions of the joints (n, 6).
        weight: Target weights of each body (n + 1, 6, 6).
        pull: Target forces on each body (n + 1, 6).
        tau: Forces on each joint (n,).
        damping: Of each joint (n,).
        inertia: Articulated (n + 1, 6, 6).
        force: Articulated (n + 1, 6).
        U: (n, 6).
        D: (n,).
        base_inverse: (6, 6).
        x: Displacement of the joints (n,).
        motion: Displacement of the bodies (n + 1, 6).
        status: -1 on the lower bound, 1 on the upper, 0 free, 2 locked (n,).
        row_status: -1, 0 or 1 (c,).
        floor_status: Whether a floor point pushes (f,).
        row_x: Answers to unit forces along the rows (c, n).
        row_motion: (c, n + 1, 6).
        row_gradient: (c, n).
        gradient: Of the cost at held joints (n,).
        mu: Multipliers of the rows (c,).
    """

    R: Array
    p: Array
    S: Array
    weight: Array
    pull: Array
    tau: Array
    damping: Array
    inertia: Array
    force: Array
    U: Array
    D: Array
    base_inverse: Array
    x: Array
    motion: Array
    status: NDArray[np.int64]
    row_status: NDArray[np.int64]
    floor_status: NDArray[np.int64]
    row_x: Array
    row_motion: Array
    row_gradient: Array
    gradient: Array
    mu: Array


def make_work(n: int, rows: int, floor_points: int) -> Work:
    """Return memory for n joints, a number of couplings and of floor points."""
    return Work(
        R=np.zeros((n + 1, 3, 3)),
        p=np.zeros((n + 1, 3)),
        S=np.zeros((n, 6)),
        weight=np.zeros((n + 1, 6, 6)),
        pull=np.zeros((n + 1, 6)),
        tau=np.zeros(n),
        damping=np.zeros(n),
        inertia=np.zeros((n + 1, 6, 6)),
        force=np.zeros((n + 1, 6)),
        U=np.zeros((n, 6)),
        D=np.zeros(n),
        base_inverse=np.zeros((6, 6)),
        x=np.zeros(n),
        motion=np.zeros((n + 1, 6)),
        status=np.zeros(n, dtype=np.int64),
        row_status=np.zeros(rows, dtype=np.int64),
        floor_status=np.zeros(floor_points, dtype=np.int64),
        row_x=np.zeros((rows, n)),
        row_motion=np.zeros((rows, n + 1, 6)),
        row_gradient=np.zeros((rows, n)),
        gradient=np.zeros(n),
        mu=np.zeros(rows),
    )


@numba.njit(cache=True)
def _invert_base(inertia, damping, fixed, out):  # type: ignore[no-untyped-def]
    """Fill the inverse of the base's articulated inertia by Gauss-Jordan."""
    if fixed:
        out[:] = 0.0
        return
    A = np.empty((6, 12))
    for r in range(6):
        for c in range(6):
            A[r, c] = inertia[r, c]
            A[r, 6 + c] = 0.0
        A[r, r] += damping
        A[r, 6 + r] = 1.0
    for k in range(6):  # positive definite: pivots on the diagonal are safe
        s = 1.0 / A[k, k]
        for c in range(12):
            A[k, c] *= s
        for r in range(6):
            if r != k:
                f = A[r, k]
                for c in range(12):
                    A[r, c] -= f * A[k, c]
    out[:] = A[:, 6:]


@numba.njit(cache=True)
def _gradient(w, tau, x, out):  # type: ignore[no-untyped-def]
    """Fill the cost's slope along each held joint: S'(I a - f) + damping x - tau."""
    for i in range(len(x)):
        out[i] = 0.0
        if w.status[i] == 0:
            continue
        s = w.damping[i] * x[i] - tau[i]
        for r in range(6):
            t = -w.force[i + 1, r]
            for c in range(6):
                t += w.inertia[i + 1, r, c] * w.motion[i + 1, c]
            s += w.S[i, r] * t
        out[i] = s


@numba.njit(cache=True)
def _point_rise(w, body, point):  # type: ignore[no-untyped-def]
    """Return how much a floor point rises: z of v + omega x c."""
    m = w.motion[body]
    c0 = point[0] - w.p[0, 0]
    c1 = point[1] - w.p[0, 1]
    return m[5] + m[0] * c1 - m[1] * c0


@numba.njit(cache=True)
def _equality_solve(  # type: ignore[no-untyped-def]
    tree, w, bounds, floor_body, floor_point, floor_weight, base_damping, fixed
):
    """Solve with the present active sets; fills x, motion, gradient and mu."""
    w.inertia[:] = w.weight
    w.force[:] = w.pull
    down = np.array([0.0, 0.0, floor_weight])
    for k in range(len(floor_body)):
        if w.floor_status[k] != 0:
            b = floor_body[k]
            lift = np.array([0.0, 0.0, -floor_point[k, 2]])
            arm = floor_point[k] - w.p[0]
            add_point(w.inertia[b], w.force[b], arm, down, lift)
    n = len(w.x)
    for i in range(n):
        if w.status[i] == -1:
            w.x[i] = bounds.lower[i]
        elif w.status[i] == 1:
            w.x[i] = bounds.upper[i]
        elif w.status[i] == 2:
            w.x[i] = 0.0
    articulate(tree, w.S, w.damping, w.status, w.inertia, w.U, w.D)
    _invert_base(w.inertia[0], base_damping, fixed, w.base_inverse)
    rows = 0
    for k in range(len(w.row_status)):
        w.mu[k] = 0.0
        rows += w.row_status[k] != 0
    if rows > 0:
        _row_answers(tree, w, bounds)
        w.force[:] = w.pull
        for k in range(len(floor_body)):
            if w.floor_status[k] != 0:
                b = floor_body[k]
                c = floor_point[k] - w.p[0]
                push = -floor_weight * floor_point[k, 2]
                w.force[b, 0] += c[1] * push
                w.force[b, 1] -= c[0] * push
                w.force[b, 5] += push
    resolve(
        tree, w.S, w.damping, w.status, w.inertia, w.U, w.D,
        w.base_inverse, w.force, w.tau, w.x, w.motion,
    )  # fmt: skip
    _gradient(w, w.tau, w.x, w.gradient)
    if rows > 0:
        _hold_rows(w, bounds, rows)


@numba.njit(cache=True)
def _row_answers(tree, w, bounds):  # type: ignore[no-untyped-def]
    """Fill how the mechanism answers a unit force along each active row."""
    for k in range(len(w.row_status)):
        if w.row_status[k] == 0:
            continue
        w.force[:] = 0.0
        answer = w.row_x[k]
        for i in range(len(answer)):
            answer[i] = 0.0
        resolve(
            tree, w.S, w.damping, w.status, w.inertia, w.U, w.D,
            w.base_inverse, w.force, bounds.rows[k], answer, w.motion,
        )  # fmt: skip
        _gradient(w, bounds.rows[k], answer, w.row_gradient[k])
        w.row_motion[k] = w.motion


@numba.njit(cache=True)
def _hold_rows(w, bounds, rows):  # type: ignore[no-untyped-def]
    """Correct the solution so that the active rows hold: a small dual problem."""
    index = np.empty(rows, dtype=np.int64)
    a = 0
    for k in range(len(w.row_status)):
        if w.row_status[k] != 0:
            index[a] = k
            a += 1
    M, b = np.empty((rows, rows)), np.empty(rows)
    for a in range(rows):
        k = index[a]
        side = bounds.row_upper[k] if w.row_status[k] > 0 else bounds.row_lower[k]
        b[a] = np.dot(bounds.rows[k], w.x) - side
        for c in range(rows):
            M[a, c] = np.dot(bounds.rows[k], w.row_x[index[c]])
        M[a, a] += 1e-14
    mu = np.linalg.solve(M, b)
    for a in range(rows):
        k = index[a]
        w.mu[k] = mu[a]
        w.x[:] -= mu[a] * w.row_x[k]
        w.motion[:] -= mu[a] * w.row_motion[k]
        w.gradient[:] -= mu[a] * w.row_gradient[k]


@numba.njit(cache=True)
def _wrong_joint(w, bounds, i):  # type: ignore[no-untyped-def]
    """Return the status that joint i should have instead, or its own."""
    s = w.status[i]
    if s == 2:
        return s
    if s == 0:
        if w.x[i] < bounds.lower[i] - TOLERANCE:
            return -1
        if w.x[i] > bounds.upper[i] + TOLERANCE:
            return 1
        return 0
    if bounds.lower[i] >= bounds.upper[i]:
        return s
    slope = w.gradient[i] * -s
    return s if slope >= -TOLERANCE * w.D[i] else 0


@numba.njit(cache=True)
def _wrong_row(w, bounds, k):  # type: ignore[no-untyped-def]
    """Return the status that row k should have instead, or its own."""
    s = w.row_status[k]
    if bounds.row_lower[k] == bounds.row_upper[k]:
        return 1
    if s == 0:
        along = np.dot(bounds.rows[k], w.x)
        if along < bounds.row_lower[k] - TOLERANCE:
            return -1
        if along > bounds.row_upper[k] + TOLERANCE:
            return 1
        return 0
    return s if w.mu[k] * s >= 0.0 else 0


@numba.njit(cache=True)
def solve_bounded(  # type: ignore[no-untyped-def]
    tree, w, bounds, floor_body, floor_point, floor_weight, base_damping, fixed
):
    """Solve the constrained step; fills `w.x` and `w.motion`.

    Returns:
        Whether the active set was settled; if not, x is clipped and still inside.
    """
    best, patience, settled = 1 << 30, PATIENCE, False
    for k in range(len(w.row_status)):
        if bounds.row_lower[k] == bounds.row_upper[k]:
            w.row_status[k] = 1
    for _ in range(MAX_PASSES):
        _equality_solve(
            tree, w, bounds, floor_body, floor_point, floor_weight, base_damping, fixed
        )
        wrong = 0
        single = patience <= 0
        for k in range(len(floor_body)):
            z = floor_point[k, 2] + _point_rise(w, floor_body[k], floor_point[k])
            should = 1 if z < 0.0 else 0
            if should != w.floor_status[k]:
                wrong += 1
                if not (single and wrong > 1):
                    w.floor_status[k] = should
        for k in range(len(w.row_status)):
            should = _wrong_row(w, bounds, k)
            if should != w.row_status[k]:
                wrong += 1
                if not (single and wrong > 1):
                    w.row_status[k] = should
        for i in range(len(w.x)):
            should = _wrong_joint(w, bounds, i)
            if should != w.status[i]:
                wrong += 1
                if not (single and wrong > 1):
                    w.status[i] = should
        if wrong == 0:
            settled = True
            break
        if wrong < best:
            best, patience = wrong, PATIENCE
        else:
            patience -= 1
    for i in range(len(w.x)):
        w.x[i] = min(max(w.x[i], bounds.lower[i]), bounds.upper[i])
    return settled
