"""The dynamical IK step in compiled code: from q and targets to the next q."""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Record, Records, jit_internal, jit_release_gil
from telexist.retarget.distance import aim_row, find_low, find_near, keep_statuses
from telexist.retarget.ik.articulated import forward_kinematics, joint_screws
from telexist.retarget.ik.bounded import solve_bounded
from telexist.retarget.ik.descent import descend
from telexist.retarget.ik.limits import RETURN_SPEED, SLOWING_GAIN
from telexist.retarget.ik.mechanism import FREE, HELD, Mechanism
from telexist.retarget.ik.rotations import exponential, logarithm, product
from telexist.retarget.ik.target_loads import load_targets, set_leftovers

__all__ = [
    "limit_step",
    "settle",
    "step_recursively",
    "take_limits",
    "take_step",
]

ROUNDING = 1e-9  # [rad] or [m] by which sums of displacements may be off
FLAT = 20.0  # tanh is 1 to the last bit from here


@jit_internal
def _allowed(margin: float, speed: float, dt: float) -> float:
    """Return how far a quantity may move towards a limit: see `ik/limits.py`."""
    if margin < 0.0:
        return max(margin, -min(speed, RETURN_SPEED) * dt)
    if speed == np.inf:
        return margin
    slowed = SLOWING_GAIN * margin
    return min((np.tanh(slowed) if slowed < FLAT else 1.0) * speed * dt, margin)


@jit_internal
def take_limits(m: Mechanism, dt: float) -> None:
    """Allow each joint the displacement that its limits permit over dt."""
    for i in range(1, len(m.bodies)):
        own = m.bodies[i]
        own.low = -_allowed(own.q - own.lower, own.velocity, dt)
        own.high = _allowed(own.upper - own.q, own.velocity, dt)


@jit_internal
def _limit_rows(m: Mechanism, dt: float) -> None:
    for k in range(m.A.shape[0]):
        row, value = m.rows[k], 0.0
        for i in range(1, len(m.bodies)):
            value += m.A[k, i - 1] * m.bodies[i].q
        if row.lower == row.upper:
            row.low = row.high = row.lower - value
        else:
            row.low = -_allowed(value - row.lower, row.speed, dt)
            row.high = _allowed(row.upper - value, row.speed, dt)


@jit_internal
def _turn_base(base: Record, solver: Record) -> float:
    """Move the base by its displacement; return the largest entry of that."""
    moved, d = 0.0, base.motion
    exponential(d[0], d[1], d[2], solver.A)
    product(solver.A, base.R, solver.B)
    for r in range(3):
        base.p[r] += d[3 + r]
        moved = max(moved, abs(d[r]), abs(d[3 + r]))
        for c in range(3):
            base.R[r, c] = solver.B[r, c]
    return moved


@jit_internal
def _turn_ball(bodies: Records, i: int, solver: Record) -> None:
    """Turn a ball joint by its displacement, which is in the axes of its body."""
    a, b, c = bodies[i], bodies[i + 1], bodies[i + 2]
    exponential(a.q, b.q, c.q, solver.A)
    exponential(a.x, b.x, c.x, solver.B)
    product(solver.A, solver.B, a.R)  # bodies are placed anew before R is read
    logarithm(a.R, solver.e)
    a.q, b.q, c.q = solver.e[0], solver.e[1], solver.e[2]


@jit_internal
def _apply(m: Mechanism) -> float:
    """Move by the solution, in place; return the largest displacement."""
    moved, solver = 0.0, m.solver[0]
    if solver.fixed == 0:
        moved = _turn_base(m.bodies[0], solver)
    for i in range(1, len(m.bodies)):
        own = m.bodies[i]
        moved = max(moved, abs(own.x))
        if own.ball == 0:
            own.q += own.x
        elif own.ball == 1:
            _turn_ball(m.bodies, i, solver)
        own.low -= own.x
        own.high -= own.x
    for k in range(m.A.shape[0]):
        for i in range(1, len(m.bodies)):
            along = m.A[k, i - 1] * m.bodies[i].x
            m.rows[k].low -= along
            m.rows[k].high -= along
    return moved


@jit_internal
def _follow_leaders(bodies: Records) -> None:
    """Put following joints where their leaders say."""
    for i in range(1, len(bodies)):
        own = bodies[i]
        if own.leader >= 0:
            value = own.multiplier * bodies[own.leader].q + own.offset
            own.q = min(max(value, own.lower), own.upper)


@jit_internal
def settle(bodies: Records) -> None:
    """Put joints inside their limits to the last bit, followers where they belong."""
    for i in range(1, len(bodies)):
        own = bodies[i]
        own.q = min(max(own.q, own.lower), own.upper)
    _follow_leaders(bodies)


@jit_internal
def _settle_step(bodies: Records) -> None:
    """Settle the end of a step; a joint still on its way back inside stays on it."""
    for i in range(1, len(bodies)):
        own = bodies[i]
        least, most = own.q + own.low, own.q + own.high  # that the step allowed
        if least > own.lower - ROUNDING:
            own.q = max(own.q, own.lower)
        if most < own.upper + ROUNDING:
            own.q = min(own.q, own.upper)
    _follow_leaders(bodies)


@jit_internal
def _find_near(m: Mechanism, dt: float) -> None:
    """Find what is near each other and the floor at the start of a step."""
    solver = m.solver[0]
    solver.near, solver.spots = 0, solver.fixed_spots
    if solver.guarded != 0 and len(m.near.solids) > 0:
        solver.near = find_near(m.bodies, m.near, m.rows, m.A.shape[0], dt)
        solver.spots += find_low(m.bodies, m.near, m.floor, solver.fixed_spots, dt)


@jit_internal
def take_step(m: Mechanism, dt: float) -> bool:
    """Move base and joints towards the targets, in place, in one step of dt.

    The displacement allowed to each joint must be in `low` and `high` (`take_limits`).

    Returns:
        Whether every constrained problem on the way was solved.
    """
    _limit_rows(m, dt)
    for i in range(1, len(m.bodies)):
        own = m.bodies[i]
        if own.held != 0:
            own.status = HELD
        elif own.status == HELD:
            own.status = FREE
    solved, solver, couplings = True, m.solver[0], m.A.shape[0]
    for iteration in range(solver.iterations):
        forward_kinematics(m.bodies)
        if iteration == 0:
            set_leftovers(m, dt)
            _find_near(m, dt)
        for k in range(couplings, couplings + solver.near):
            aim_row(m.bodies, m.rows[k])
        joint_screws(m.bodies)
        load_targets(m)
        solved &= solve_bounded(m) or descend(m)
        if _apply(m) < solver.tolerance:
            break
    keep_statuses(m.near, m.rows, couplings, solver.near)
    _settle_step(m.bodies)
    return solved


@jit_release_gil
def limit_step(m: Mechanism, dt: float) -> None:
    """Do what `take_limits` does, for Python."""
    take_limits(m, dt)


@jit_release_gil
def step_recursively(m: Mechanism, dt: float) -> bool:
    """Do what `take_step` does, for Python."""
    return take_step(m, dt)
