"""The constrained least squares of one linearised step, exactly and in O(n).

    min  sum_i |r_i - J_i x|^2_W  +  damping  +  posture  +  w sum min(0, z + J_z x)^2
    s.t. low <= x <= high,  row_low <= A x <= row_high

Active sets are found by block pivoting: every joint beyond a bound is put on it, every
joint pushed back inside is freed, and the articulated-body pass is repeated; single
pivots take over should that not get on, and `retarget/ik/descent.py` where they wander.
Points below the floor are one-sided targets and enter as weights of their body.
"""

from __future__ import annotations

from telexist.retarget.compiled import Record, Records, jit_internal
from telexist.retarget.ik.equalities import refine, solve_equalities
from telexist.retarget.ik.mechanism import FREE, HELD, LOWER, UPPER, Mechanism
from telexist.retarget.ik.rows import row_count, row_sum

__all__ = [
    "TOLERANCE",
    "better_joint",
    "better_row",
    "clip",
    "end_height",
    "solve_bounded",
]

MAX_PASSES = 60
PATIENCE = 8  # passes without progress before single pivots take over
TOLERANCE = 1e-11  # [rad] or [m] by which a bound may be missed inside the solve


@jit_internal
def better_joint(own: Record) -> int:
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


@jit_internal
def better_row(m: Mechanism, k: int) -> int:
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


@jit_internal
def end_height(m: Mechanism, spot: Record) -> float:
    """Return how high a floor point ends: z of v + omega x c added to where it is."""
    motion, c = m.bodies[spot.body].motion, spot.arm
    return spot.world[2] + motion[5] + motion[0] * c[1] - motion[1] * c[0]


@jit_internal
def _pivot(m: Mechanism, single: bool) -> int:
    """Correct the active sets, all or only the first that is wrong; count the wrong."""
    wrong = 0
    for k in range(m.solver[0].spots):
        spot = m.floor[k]
        sinks = 1 if end_height(m, spot) < 0.0 else 0
        if sinks != spot.pushes:
            wrong += 1
            if wrong == 1 or not single:
                spot.pushes = sinks
    for k in range(row_count(m)):
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


@jit_internal
def solve_bounded(m: Mechanism) -> bool:
    """Solve the constrained step; fills `x` and `motion` of the bodies.

    Returns:
        Whether the active set was settled; if not, x is clipped and still inside.
    """
    best, patience, settled = 1 << 30, PATIENCE, False
    for k in range(m.A.shape[0]):
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
    if settled:
        refine(m)
    clip(m.bodies)
    return settled


@jit_internal
def clip(bodies: Records) -> None:
    """Put displacements inside their bounds to the last bit."""
    for i in range(1, len(bodies)):
        own = bodies[i]
        own.x = min(max(own.x, own.low), own.high)
