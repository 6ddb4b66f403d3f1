"""Couplings between joints: a small dual problem around the recursion.

They are few, and give by a hair, so that there is a solution even if all joints of one
are on their limits.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Record, jit_internal
from telexist.retarget.ik.articulated import resolve
from telexist.retarget.ik.mechanism import FREE, UPPER, Mechanism

__all__ = ["GIVE", "answer_rows", "close_gaps", "joint_slope", "row_gap", "row_sum"]

GIVE = 1e-11  # [rad] by which a coupling gives per unit of force: never infeasible
ROUNDING = 1e-12  # share of its diagonal that keeps the dual matrix definite


@jit_internal
def joint_slope(own: Record) -> float:
    """Return the cost's slope along a joint: S'(I motion - force) + damping x - tau."""
    s = own.damping * own.x - own.tau
    for r in range(6):
        s += own.U[r] * own.motion[r] - own.S[r] * own.force[r]
    return s


@jit_internal
def row_sum(m: Mechanism, k: int) -> float:
    """Return the displacement of a row's sum."""
    s = 0.0
    for i in range(1, len(m.bodies)):
        s += m.A[k, i - 1] * m.bodies[i].x
    return s


@jit_internal
def row_gap(m: Mechanism, k: int) -> float:
    """Return by how much an active row's sum is beyond its limit."""
    row = m.rows[k]
    return row_sum(m, k) - (row.high if row.status == UPPER else row.low)


@jit_internal
def answer_rows(m: Mechanism) -> None:
    """Find how the mechanism answers a unit force along each active row.

    Fills the rows' dual matrix, A H^-1 A' with a hair on its diagonal, and factors it.
    """
    bodies, n = m.bodies, len(m.bodies)
    for own in bodies:
        own.kept_tau, own.kept_x = own.tau, own.x
        for r in range(6):
            own.kept[r] = own.force[r]
    for k in range(len(m.rows)):
        if m.rows[k].status == FREE:
            continue
        for i in range(n):
            bodies[i].x = 0.0
            bodies[i].tau = m.A[k, i - 1] if i > 0 else 0.0
            for r in range(6):
                bodies[i].force[r] = 0.0
        resolve(bodies, m.solver[0])
        for i in range(n):
            for r in range(6):
                m.row_motion[k, i, r] = bodies[i].motion[r]
            if i > 0:
                m.row_x[k, i - 1] = bodies[i].x
                m.row_slope[k, i - 1] = joint_slope(bodies[i])
    for own in bodies:
        own.tau, own.x = own.kept_tau, own.kept_x
        for r in range(6):
            own.force[r] = own.kept[r]
    _factor_dual(m)


@jit_internal
def _factor_dual(m: Mechanism) -> None:
    """Fill the dual matrix, replace it by its Cholesky factor; free rows stay out."""
    L = m.dual
    for k in range(len(m.rows)):
        for j in range(k + 1):
            s = 0.0
            if m.rows[k].status != FREE and m.rows[j].status != FREE:
                for i in range(m.A.shape[1]):
                    s += m.A[k, i] * m.row_x[j, i]
            if j == k:
                s = s + ROUNDING * s + GIVE if m.rows[k].status != FREE else 1.0
            for i in range(j):
                s -= L[k, i] * L[j, i]
            L[k, j] = np.sqrt(s) if j == k else s / L[j, j]


@jit_internal
def close_gaps(m: Mechanism) -> None:
    """Correct the solution so that the rows' gaps close; `answer_rows` comes before.

    Reads `gap` of the active rows; adds to their multipliers.
    """
    L, rows = m.dual, m.rows
    for k in range(len(rows)):
        s = rows[k].gap if rows[k].status != FREE else 0.0
        for i in range(k):
            s -= L[k, i] * rows[i].gap
        rows[k].gap = s / L[k, k]
    for k in range(len(rows) - 1, -1, -1):
        s = rows[k].gap
        for i in range(k + 1, len(rows)):
            s -= L[i, k] * rows[i].gap
        rows[k].gap = s / L[k, k]
    for k in range(len(rows)):
        if rows[k].status != FREE:
            _push_along(m, k, rows[k].gap)


@jit_internal
def _push_along(m: Mechanism, k: int, mu: float) -> None:
    """Push with a force -mu along a row."""
    m.rows[k].mu += mu
    for i in range(len(m.bodies)):
        own = m.bodies[i]
        for r in range(6):
            own.motion[r] -= mu * m.row_motion[k, i, r]
        if i > 0:
            own.x -= mu * m.row_x[k, i - 1]
            own.slope -= mu * m.row_slope[k, i - 1]
