"""Couplings between joints and distances between bodies: a small dual problem.

They are few, and give: couplings by a hair, distances by a little more. So there is a
solution even if all joints of one are on their limits, or if bodies are pressed against
each other from two sides; joint limits go first, then couplings, then distances.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Record, jit_internal
from telexist.retarget.ik.articulated import resolve
from telexist.retarget.ik.mechanism import FREE, UPPER, Mechanism
from telexist.retarget.ik.point_loads import add_force
from telexist.retarget.so3 import Array

__all__ = [
    "add_row_forces",
    "answer_rows",
    "close_gaps",
    "find_active",
    "joint_slope",
    "row_count",
    "row_gap",
    "row_sum",
]

ROUNDING = 1e-12  # share of its diagonal that keeps the dual matrix definite


@jit_internal
def joint_slope(own: Record) -> float:
    """Return the cost's slope along a joint: S'(I motion - force) + damping x - tau."""
    s = own.damping * own.x - own.tau
    for r in range(6):
        s += own.U[r] * own.motion[r] - own.S[r] * own.force[r]
    return s


@jit_internal
def row_count(m: Mechanism) -> int:
    """Return how many rows there are now: all couplings, and what is near."""
    return m.A.shape[0] + m.solver[0].near


@jit_internal
def find_active(m: Mechanism) -> None:
    """List the rows that are active."""
    count = 0
    for k in range(row_count(m)):
        if m.rows[k].status != FREE:
            m.active[count] = k
            count += 1
    m.solver[0].pushing = count


@jit_internal
def _along(row: Record, one: Array, other: Array) -> float:
    """Return how far two points go apart when their bodies move."""
    s = 0.0
    for r in range(3):
        i, j = (r + 1) % 3, (r + 2) % 3
        a, b = row.arm, row.other_arm
        there = other[3 + r] + other[i] * b[j] - other[j] * b[i]
        here = one[3 + r] + one[i] * a[j] - one[j] * a[i]
        s += row.way[r] * (there - here)
    return s


@jit_internal
def row_sum(m: Mechanism, k: int) -> float:
    """Return the displacement of a row's sum, or of a distance."""
    s = 0.0
    if k >= m.A.shape[0]:
        row = m.rows[k]
        return _along(row, m.bodies[row.one].motion, m.bodies[row.other].motion)
    for i in range(1, len(m.bodies)):
        s += m.A[k, i - 1] * m.bodies[i].x
    return s


@jit_internal
def row_gap(m: Mechanism, k: int) -> float:
    """Return by how much an active row's sum is beyond its limit."""
    row = m.rows[k]
    return row_sum(m, k) - (row.high if row.status == UPPER else row.low)


@jit_internal
def add_row_forces(m: Mechanism, k: int, mu: float) -> None:
    """Push with a force mu along a distance: its points apart."""
    row = m.rows[k]
    x, y, z = mu * row.way[0], mu * row.way[1], mu * row.way[2]
    add_force(m.bodies[row.other].force, row.other_arm, x, y, z)
    add_force(m.bodies[row.one].force, row.arm, -x, -y, -z)


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
    for place in range(m.solver[0].pushing):
        k = m.active[place]
        coupled = k < m.A.shape[0]
        for i in range(n):
            bodies[i].x = 0.0
            bodies[i].tau = m.A[k, i - 1] if coupled and i > 0 else 0.0
            for r in range(6):
                bodies[i].force[r] = 0.0
        if not coupled:
            add_row_forces(m, k, 1.0)
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
def _answer_along(m: Mechanism, k: int, j: int) -> float:
    """Return how far row k gets when row j is pushed with a unit force."""
    if k >= m.A.shape[0]:
        row = m.rows[k]
        return _along(row, m.row_motion[j, row.one], m.row_motion[j, row.other])
    s = 0.0
    for i in range(m.A.shape[1]):
        s += m.A[k, i] * m.row_x[j, i]
    return s


@jit_internal
def _factor_dual(m: Mechanism) -> None:
    """Fill the active rows' dual matrix, replace it by its Cholesky factor."""
    L = m.dual
    for k in range(m.solver[0].pushing):
        for j in range(k + 1):
            s = _answer_along(m, m.active[k], m.active[j])
            if j == k:
                s = s + ROUNDING * s + m.rows[m.active[k]].give
            for i in range(j):
                s -= L[k, i] * L[j, i]
            L[k, j] = np.sqrt(s) if j == k else s / L[j, j]


@jit_internal
def close_gaps(m: Mechanism) -> None:
    """Correct the solution so that the rows' gaps close; `answer_rows` comes before.

    Reads `gap` of the active rows; adds to their multipliers.
    """
    L, rows, at, count = m.dual, m.rows, m.active, m.solver[0].pushing
    for k in range(count):
        s = rows[at[k]].gap
        for i in range(k):
            s -= L[k, i] * rows[at[i]].gap
        rows[at[k]].gap = s / L[k, k]
    for k in range(count - 1, -1, -1):
        s = rows[at[k]].gap
        for i in range(k + 1, count):
            s -= L[i, k] * rows[at[i]].gap
        rows[at[k]].gap = s / L[k, k]
    for k in range(count):
        _push_along(m, at[k], rows[at[k]].gap)


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
