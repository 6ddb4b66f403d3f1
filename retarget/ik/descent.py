"""The constrained least squares of one step by steady descent, should pivots fail.

Pivots that change many joints at once settle almost every problem in a few passes, but
may wander for ever through the active sets of a hard one. This takes longer and does
not: from a point inside all bounds it goes straight towards the best point of the
present active set, stops at the first bound or floor in the way and takes that in, and
lets go of the worst only where nothing is in the way. The cost falls with every step,
so no active set comes back.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import jit_internal
from telexist.retarget.ik.bounded import (
    TOLERANCE,
    better_joint,
    better_row,
    clip,
    end_height,
)
from telexist.retarget.ik.equalities import refine, solve_equalities
from telexist.retarget.ik.mechanism import FREE, HELD, LOWER, UPPER, Mechanism
from telexist.retarget.ik.rows import row_count, row_sum

__all__ = ["descend"]

MAX_PASSES = 2000


@jit_internal
def _start_inside(m: Mechanism) -> None:
    """Find a point inside the joints' bounds, and its active set."""
    m.bodies[0].motion[:] = 0.0
    for i in range(1, len(m.bodies)):
        own = m.bodies[i]
        if own.status != HELD:
            own.x = min(max(0.0, own.low), own.high)
            own.status = FREE
            if own.low > 0.0 or own.low >= own.high:
                own.status = LOWER
            elif own.high < 0.0:
                own.status = UPPER
        else:
            own.x = 0.0
        own.path = own.x
        for r in range(6):
            own.motion[r] = m.bodies[own.parent].motion[r] + own.S[r] * own.x
    for k in range(m.solver[0].spots):
        m.floor[k].path = end_height(m, m.floor[k])
        m.floor[k].pushes = 1 if m.floor[k].path < 0.0 else 0
    for k in range(row_count(m)):
        m.rows[k].path = row_sum(m, k)
        m.rows[k].status = FREE
        m.rows[k].status = better_row(m, k)


@jit_internal
def _share(now: float, target: float, low: float, high: float, slack: float) -> float:
    """Return how much of the way from now to the target is inside low and high.

    The target may be outside by no more than `slack`.
    """
    if target < low - slack:
        return min(max((now - low) / (now - target), 0.0), 1.0)
    if target > high + slack:
        return min(max((high - now) / (target - now), 0.0), 1.0)
    return 1.0


@jit_internal
def _first_obstacle(m: Mechanism) -> tuple[int, float]:
    """Return what is first in the way to the target, or 0, and how far away it is.

    Joints count from 1 by their bodies, then come the floor points, then the rows.
    """
    n, f = len(m.bodies), m.solver[0].spots
    first, nearest = 0, 1.0
    for i in range(1, n):
        own = m.bodies[i]
        if own.status == FREE:
            share = _share(own.path, own.x, own.low, own.high, TOLERANCE)
            if share < nearest:
                first, nearest = i, share
    for k in range(f):
        low, high = (-np.inf, 0.0) if m.floor[k].pushes != 0 else (0.0, np.inf)
        # a point that pulls by a hair would hold down a robot that nothing else holds
        share = _share(m.floor[k].path, end_height(m, m.floor[k]), low, high, 0.0)
        if share < nearest:
            first, nearest = n + k, share
    for k in range(row_count(m)):
        if m.rows[k].status == FREE:
            row = m.rows[k]
            share = _share(row.path, row_sum(m, k), row.low, row.high, TOLERANCE)
            if share < nearest:
                first, nearest = n + f + k, share
    return first, nearest


@jit_internal
def _take_in(m: Mechanism, obstacle: int) -> None:
    """Make what is in the way part of the active set."""
    n, f = len(m.bodies), m.solver[0].spots
    if obstacle < n:
        own = m.bodies[obstacle]
        own.status = LOWER if own.x < own.low else UPPER
    elif obstacle < n + f:
        m.floor[obstacle - n].pushes = 1 - m.floor[obstacle - n].pushes
    else:
        row = m.rows[obstacle - n - f]
        row.status = LOWER if row_sum(m, obstacle - n - f) < row.low else UPPER


@jit_internal
def _let_go(m: Mechanism) -> bool:
    """Free the row or the joint that most wants back inside; return whether any."""
    for k in range(row_count(m)):
        if better_row(m, k) != m.rows[k].status:
            m.rows[k].status = FREE
            return True
    worst, most = 0, 0.0
    for i in range(1, len(m.bodies)):
        own = m.bodies[i]
        if own.status != FREE and better_joint(own) == FREE:
            gain = own.slope * own.slope / own.D
            if gain > most:
                worst, most = i, gain
    if worst > 0:
        m.bodies[worst].status = FREE
    return worst > 0


@jit_internal
def _rows_hold(m: Mechanism) -> bool:
    """Return whether couplings and following joints are inside their bounds."""
    for k in range(m.A.shape[0]):
        row, value = m.rows[k], row_sum(m, k)
        if value < row.low - TOLERANCE or value > row.high + TOLERANCE:
            return False
    return True


@jit_internal
def descend(m: Mechanism) -> bool:
    """Solve the constrained step; fills `x` and `motion` of the bodies.

    Floor points that neither push nor pull, to the last bit, may change sides for ever;
    the step is then as good as it gets, and inside all bounds.

    Returns:
        Whether all bounds hold; if not, the limits contradict each other.
    """
    _start_inside(m)
    solved = False
    for _ in range(MAX_PASSES):
        solve_equalities(m)
        obstacle, share = _first_obstacle(m)
        for own in m.bodies:
            own.path += share * (own.x - own.path)
        for k in range(m.solver[0].spots):
            spot = m.floor[k]
            spot.path += share * (end_height(m, spot) - spot.path)
        for k in range(row_count(m)):
            m.rows[k].path += share * (row_sum(m, k) - m.rows[k].path)
        if obstacle > 0:
            _take_in(m, obstacle)
        elif not _let_go(m):
            solved = True
            break
    refine(m)
    clip(m.bodies)
    return solved or _rows_hold(m)
