"""The constrained least squares of one linearised step, exactly and in O(n).

    min  sum_i |r_i - J_i x|^2_W  +  damping  +  posture  +  w sum min(0, z + J_z x)^2
    s.t. low <= x <= high,  row_low <= A x <= row_high

Active sets are found by block pivoting: every joint beyond a bound is put on it, every
joint pushed back inside is freed, and the articulated-body pass is repeated; single
pivots take over should that not get on, and `retarget/ik/descent.py` where they wander.
Points below the floor are one-sided targets and enter as weights of their body.
Couplings between joints are few; they are a small dual problem around the recursion,
and give by a hair, so that there is a solution even if all their joints are on their
limits.
"""

from __future__ import annotations

import numpy as np

from retarget.compiled import inner
from retarget.ik.articulated import articulate, resolve
from retarget.ik.mechanism import FREE, HELD, LOWER, UPPER

__all__ = [
    "better_joint",
    "better_row",
    "end_height",
    "push_point",
    "row_sum",
    "solve_bounded",
    "solve_equalities",
]

MAX_PASSES = 60
PATIENCE = 8  # passes without progress before single pivots take over
GIVE = 1e-9  # [rad] by which a coupling gives per unit of force: never infeasible
TOLERANCE = 1e-11  # [rad] or [m] by which a bound may be missed inside the solve


@inner
def push_point(inertia, force, c, w, r):  # type: ignore[no-untyped-def]
    """Add a target r (3,) with weights w (3,) for the point c from the reference.

    The point moves by v + omega x c: with B = [-S(c), 1] the inertia gains B'wB and
    the force B'wr.
    """
    for k in range(3):
        if w[k] == 0.0:
            continue
        i, j = (k + 1) % 3, (k + 2) % 3
        # row k of B: omega_i c_j - omega_j c_i + v_k
        at = (i, j, 3 + k)
        b = (c[j], -c[i], 1.0)
        for a in range(3):
            force[at[a]] += w[k] * b[a] * r[k]
            for d in range(3):
                inertia[at[a], at[d]] += w[k] * b[a] * b[d]


@inner
def _factor_base(m):  # type: ignore[no-untyped-def]
    """Factor the base's articulated inertia, L L' (Cholesky).

    It is not inverted: stiff and nearly free directions lie side by side, and the
    inverse would lose the digits of the first to the second.
    """
    solver = m.solver[0]
    L, A = solver.base_factor, m.bodies[0].inertia
    for c in range(6):
        for r in range(c, 6):
            s = A[r, c] + (solver.damping if r == c else 0.0)
            for k in range(c):
                s -= L[r, k] * L[c, k]
            L[r, c] = np.sqrt(s) if r == c else s / L[c, c]


@inner
def _slope(own):  # type: ignore[no-untyped-def]
    """Return the cost's slope along a joint: S'(I a - f) + damping x - tau."""
    s = own.damping * own.x - own.tau
    for r in range(6):
        t = -own.force[r]
        for c in range(6):
            t += own.inertia[r, c] * own.motion[c]
        s += own.S[r] * t
    return s


@inner
def _load(m):  # type: ignore[no-untyped-def]
    """Start from the targets' weights and the points that push at the floor."""
    for own in m.bodies:
        for r in range(6):
            own.force[r] = own.pull[r]
            for c in range(6):
                own.inertia[r, c] = own.weight[r, c]
        if own.status == LOWER:
            own.x = own.low
        elif own.status == UPPER:
            own.x = own.high
        elif own.status == HELD:
            own.x = 0.0
    weight, lift, arm = np.zeros(3), np.zeros(3), np.empty(3)
    weight[2] = m.solver[0].floor_weight
    for spot in m.floor:
        if spot.pushes != 0:
            lift[2] = -spot.world[2]
            for r in range(3):
                arm[r] = spot.world[r] - m.bodies[0].p[r]
            own = m.bodies[spot.body]
            push_point(own.inertia, own.force, arm, weight, lift)


@inner
def _answer_rows(m):  # type: ignore[no-untyped-def]
    """Find how the mechanism answers a unit force along each active row."""
    bodies, n = m.bodies, len(m.bodies)
    tau, x, force = np.empty(n), np.empty(n), np.empty((n, 6))
    for i in range(n):
        tau[i], x[i] = bodies[i].tau, bodies[i].x
        for r in range(6):
            force[i, r] = bodies[i].force[r]
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
                m.row_slope[k, i - 1] = _slope(bodies[i])
    for i in range(n):
        bodies[i].tau, bodies[i].x = tau[i], x[i]
        for r in range(6):
            bodies[i].force[r] = force[i, r]


@inner
def row_sum(m, k):  # type: ignore[no-untyped-def]
    """Return the displacement of a row's sum."""
    s = 0.0
    for i in range(1, len(m.bodies)):
        s += m.A[k, i - 1] * m.bodies[i].x
    return s


@inner
def _hold_rows(m, count):  # type: ignore[no-untyped-def]
    """Correct the solution so that the active rows hold: a small dual problem."""
    index = np.empty(count, dtype=np.int64)
    a = 0
    for k in range(len(m.rows)):
        if m.rows[k].status != FREE:
            index[a] = k
            a += 1
    M, b = np.zeros((count, count)), np.empty(count)
    for a in range(count):
        row = m.rows[index[a]]
        b[a] = row_sum(m, index[a]) - (row.high if row.status == UPPER else row.low)
        for c in range(count):
            for i in range(m.A.shape[1]):
                M[a, c] += m.A[index[a], i] * m.row_x[index[c], i]
        M[a, a] += GIVE
    mu = np.linalg.solve(M, b)
    for a in range(count):
        k = index[a]
        m.rows[k].mu = mu[a]
        for i in range(len(m.bodies)):
            own = m.bodies[i]
            for r in range(6):
                own.motion[r] -= mu[a] * m.row_motion[k, i, r]
            if i > 0:
                own.x -= mu[a] * m.row_x[k, i - 1]
                own.slope -= mu[a] * m.row_slope[k, i - 1]


@inner
def solve_equalities(m):  # type: ignore[no-untyped-def]
    """Solve with the present active sets; fills x, motion, slope and mu."""
    _load(m)
    articulate(m.bodies)
    _factor_base(m)
    count = 0
    for row in m.rows:
        row.mu = 0.0
        count += 1 if row.status != FREE else 0
    if count > 0:
        _answer_rows(m)
    resolve(m.bodies, m.solver[0])
    for i in range(1, len(m.bodies)):
        own = m.bodies[i]
        own.slope = _slope(own) if own.status != FREE else 0.0
    if count > 0:
        _hold_rows(m, count)


@inner
def better_joint(own):  # type: ignore[no-untyped-def]
    """Return the status that a joint should have: its own if that is right."""
    if own.status == HELD:
        return HELD
    if own.status == FREE:
        if own.x < own.low - TOLERANCE:
            return LOWER
        return UPPER if own.x > own.high + TOLERANCE else FREE
    if own.low >= own.high:
        return own.status
    inward = -own.slope * own.status
    return own.status if inward >= -TOLERANCE * own.D else FREE


@inner
def better_row(m, k):  # type: ignore[no-untyped-def]
    """Return the status that a row should have: its own if that is right."""
    row = m.rows[k]
    if row.low == row.high:
        return UPPER
    if row.status == FREE:
        along = row_sum(m, k)
        if along < row.low - TOLERANCE:
            return LOWER
        return UPPER if along > row.high + TOLERANCE else FREE
    return row.status if row.mu * row.status >= 0.0 else FREE


@inner
def end_height(m, spot):  # type: ignore[no-untyped-def]
    """Return how high a floor point ends: z of v + omega x c added to where it is."""
    base, motion = m.bodies[0], m.bodies[spot.body].motion
    c0, c1 = spot.world[0] - base.p[0], spot.world[1] - base.p[1]
    return spot.world[2] + motion[5] + motion[0] * c1 - motion[1] * c0


@inner
def _pivot(m, single):  # type: ignore[no-untyped-def]
    """Correct the active sets, all or only the first that is wrong; count the wrong."""
    wrong = 0
    for spot in m.floor:
        sinks = 1 if end_height(m, spot) < 0.0 else 0
        if sinks != spot.pushes:
            wrong += 1
            if wrong == 1 or not single:
                spot.pushes = sinks
    for k in range(len(m.rows)):
        status = better_row(m, k)
        if status != m.rows[k].status:
            wrong += 1
            if wrong == 1 or not single:
                m.rows[k].status = status
    for i in range(1, len(m.bodies)):
        status = better_joint(m.bodies[i])
        if status != m.bodies[i].status:
            wrong += 1
            if wrong == 1 or not single:
                m.bodies[i].status = status
    return wrong


@inner
def solve_bounded(m):  # type: ignore[no-untyped-def]
    """Solve the constrained step; fills `x` and `motion` of the bodies.

    Returns:
        Whether the active set was settled; if not, x is clipped and still inside.
    """
    best, patience, settled = 1 << 30, PATIENCE, False
    for k in range(len(m.rows)):
        if m.rows[k].low == m.rows[k].high:
            m.rows[k].status = UPPER
    for _ in range(MAX_PASSES):
        solve_equalities(m)
        wrong = _pivot(m, patience <= 0)
        if wrong == 0:
            settled = True
            break
        if wrong < best:
            best, patience = wrong, PATIENCE
        else:
            patience -= 1
    for i in range(1, len(m.bodies)):
        own = m.bodies[i]
        own.x = min(max(own.x, own.low), own.high)
    return settled
