"""The least squares of one linearised step for a given active set, to the last digits.

One articulated-body pass solves it. Stiff targets beside a weak damping cost that pass
up to nine of its sixteen digits in the directions that only the damping holds; so the
errors that are left are found target by target, which does not cancel, and the same
pass is asked to correct them: iterative refinement.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Record, jit_internal
from telexist.retarget.ik.articulated import articulate, resolve
from telexist.retarget.ik.mechanism import FREE, HELD, LOWER, UPPER, Mechanism
from telexist.retarget.ik.point_loads import add_force, push_point
from telexist.retarget.ik.rows import (
    add_row_forces,
    answer_rows,
    close_gaps,
    find_active,
    joint_slope,
    row_count,
    row_gap,
    row_sum,
)
from telexist.retarget.so3 import Array

__all__ = ["refine", "solve_equalities"]


@jit_internal
def _load(m: Mechanism) -> None:
    """Start from the targets' weights and the points that push at the floor."""
    solver = m.solver[0]
    for own in m.bodies:
        for r in range(6):
            own.force[r] = own.wrench[r]
            for c in range(6):
                own.inertia[r, c] = own.weight[r, c]
        if own.status == LOWER:
            own.x = own.low
        elif own.status == UPPER:
            own.x = own.high
        elif own.status == HELD:
            own.x = 0.0
    for k in range(solver.spots):
        spot = m.floor[k]
        if spot.pushes != 0:
            w = solver.e
            w[0], w[1], w[2] = 0.0, 0.0, solver.floor_weight
            own = m.bodies[spot.body]
            push_point(own.inertia, spot.arm, w)
            add_force(own.force, spot.arm, 0.0, 0.0, -w[2] * spot.world[2])


@jit_internal
def _factor_base(m: Mechanism) -> None:
    """Factor the base's articulated inertia, L L' (Cholesky).

    It is not inverted: stiff and nearly free directions lie side by side, and the
    inverse would lose the digits of the first to the second.
    """
    solver = m.solver[0]
    L, A = solver.base_factor, m.bodies[0].inertia
    for c in range(6):
        for r in range(c, 6):
            s = A[c, r] + (solver.damping if r == c else 0.0)
            for k in range(c):
                s -= L[r, k] * L[c, k]
            L[r, c] = np.sqrt(s) if r == c else s / L[c, c]


@jit_internal
def solve_equalities(m: Mechanism) -> None:
    """Solve with the present active sets; fills x, motion, slope and mu."""
    _load(m)
    articulate(m.bodies)
    _factor_base(m)
    find_active(m)
    rows = m.solver[0].pushing > 0
    if rows:
        answer_rows(m)
    resolve(m.bodies, m.solver[0])
    for i in range(1, len(m.bodies)):
        own = m.bodies[i]
        own.slope = joint_slope(own) if own.status != FREE else 0.0
    for k in range(row_count(m)):
        m.rows[k].mu = 0.0
        m.rows[k].gap = row_gap(m, k)
    if rows:
        close_gaps(m)


@jit_internal
def refine(m: Mechanism) -> None:
    """Correct the solution of `solve_equalities` by what it leaves of the errors."""
    rows, couplings = m.solver[0].pushing > 0, m.A.shape[0]
    for k in range(row_count(m)):
        m.rows[k].path = row_gap(m, k) - m.rows[k].give * m.rows[k].mu
    _load_leftovers(m)
    resolve(m.bodies, m.solver[0])
    for k in range(couplings, row_count(m)):
        m.rows[k].gap = m.rows[k].path + row_sum(m, k)
    for k in range(couplings):
        m.rows[k].gap = m.rows[k].path
        for i in range(1, len(m.bodies)):
            m.rows[k].gap += m.A[k, i - 1] * m.bodies[i].x
    if rows:
        close_gaps(m)
    for own in m.bodies:
        own.x += own.kept_x
        own.tau = own.kept_tau
        for r in range(6):
            own.motion[r] += own.kept[r]


@jit_internal
def _load_leftovers(m: Mechanism) -> None:
    """Put the solution aside, and what it leaves of every target in its place."""
    solver = m.solver[0]
    for i in range(len(m.bodies)):
        own = m.bodies[i]
        own.kept_x, own.kept_tau = own.x, own.tau
        own.tau -= own.damping * own.x
        for k in range(m.A.shape[0]):
            if i > 0:
                own.tau -= m.rows[k].mu * m.A[k, i - 1]
        own.x = 0.0
        for r in range(6):
            own.kept[r], own.force[r] = own.motion[r], 0.0
            if i == 0:
                own.force[r] = -solver.damping * own.motion[r]
    for k in range(m.A.shape[0], row_count(m)):
        if m.rows[k].status != FREE:
            add_row_forces(m, k, -m.rows[k].mu)
    for target in m.orientations:
        _load_orientation(target, m.bodies[target.body], solver.e)
    for target in m.points:
        own, w, r = m.bodies[target.body], target.weight, target.error
        c, d = target.arm, own.kept
        f0 = w[0] * (r[0] - (d[3] + d[1] * c[2] - d[2] * c[1]))
        f1 = w[1] * (r[1] - (d[4] + d[2] * c[0] - d[0] * c[2]))
        f2 = w[2] * (r[2] - (d[5] + d[0] * c[1] - d[1] * c[0]))
        add_force(own.force, c, f0, f1, f2)
    for k in range(solver.spots):
        spot = m.floor[k]
        if spot.pushes != 0:
            own, c = m.bodies[spot.body], spot.arm
            d = own.kept
            height = spot.world[2] + d[5] + d[0] * c[1] - d[1] * c[0]
            add_force(own.force, c, 0.0, 0.0, -solver.floor_weight * height)


@jit_internal
def _load_orientation(target: Record, own: Record, e: Array) -> None:
    """Add the wrench K'W (error - K omega) of what is left of a target."""
    K, W, d = target.K, target.weight, own.kept
    for r in range(3):
        e[r] = target.error[r] - (K[r, 0] * d[0] + K[r, 1] * d[1] + K[r, 2] * d[2])
    f0 = W[0, 0] * e[0] + W[0, 1] * e[1] + W[0, 2] * e[2]
    f1 = W[1, 0] * e[0] + W[1, 1] * e[1] + W[1, 2] * e[2]
    f2 = W[2, 0] * e[0] + W[2, 1] * e[1] + W[2, 2] * e[2]
    for r in range(3):
        own.force[r] += K[0, r] * f0 + K[1, r] * f1 + K[2, r] * f2
