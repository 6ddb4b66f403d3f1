"""The dynamical IK step in compiled code: from q and targets to the next q."""

from __future__ import annotations

import numpy as np

from retarget.compiled import entry, inner
from retarget.ik.articulated import forward_kinematics, joint_screws
from retarget.ik.bounded import push_point, solve_bounded
from retarget.ik.descent import descend
from retarget.ik.limits import RETURN_SPEED, SLOWING_GAIN
from retarget.ik.mechanism import FREE, HELD
from retarget.ik.rotations import exponential, logarithm, product, product_transposed

__all__ = ["limit_step", "settle", "step_recursively"]

ROUNDING = 1e-9  # [rad] or [m] by which sums of displacements may be off


@inner
def _room(room, speed, dt):  # type: ignore[no-untyped-def]
    """Return how far a quantity may move towards a limit: see `ik/limits.py`."""
    if room < 0.0:
        return max(room, -min(speed, RETURN_SPEED) * dt)
    if speed == np.inf:
        return room
    return min(np.tanh(SLOWING_GAIN * room) * speed * dt, room)


@entry
def limit_step(m, dt):  # type: ignore[no-untyped-def]
    """Allow each joint the displacement that its limits permit over dt."""
    for i in range(1, len(m.bodies)):
        own = m.bodies[i]
        own.low = -_room(own.q - own.lower, own.velocity, dt)
        own.high = _room(own.upper - own.q, own.velocity, dt)


@inner
def _limit_rows(m, dt):  # type: ignore[no-untyped-def]
    for k in range(len(m.rows)):
        row, value = m.rows[k], 0.0
        for i in range(1, len(m.bodies)):
            value += m.A[k, i - 1] * m.bodies[i].q
        if row.lower == row.upper:
            row.low = row.high = row.lower - value
        else:
            row.low = -_room(value - row.lower, row.speed, dt)
            row.high = _room(row.upper - value, row.speed, dt)


@inner
def _set_leftovers(m, dt):  # type: ignore[no-untyped-def]
    """Find the error that each turn may keep over the step: see `Targets.leftovers`."""
    A, B = np.empty((3, 3)), np.empty((3, 3))
    share = np.exp(-m.solver[0].gain * dt)
    for turn in m.turns:
        v = turn.velocity
        exponential(-v[0] * dt, -v[1] * dt, -v[2] * dt, A)
        product(A, turn.rotation, B)
        product_transposed(B, m.bodies[turn.body].R, A)
        logarithm(A, turn.leftover)
        for r in range(3):
            turn.leftover[r] *= share


@inner
def _load_turn(own, turn, A, e, K):  # type: ignore[no-untyped-def]
    """Add a turn's weight and pull: with de = -K omega, K'WK and K'W (e - leftover).

    K is the inverse right Jacobian of the rotation group at the error e.
    """
    product_transposed(turn.rotation, own.R, A)
    logarithm(A, e)
    t2 = e[0] * e[0] + e[1] * e[1] + e[2] * e[2]
    half = 0.5 * np.sqrt(t2)
    f = (1.0 - half / np.tan(half)) / t2 if t2 > 1e-8 else 1.0 / 12.0
    for r in range(3):
        for c in range(3):
            K[r, c] = f * e[r] * e[c]
        K[r, r] += 1.0 - f * t2
    K[0, 1] -= 0.5 * e[2]
    K[0, 2] += 0.5 * e[1]
    K[1, 0] += 0.5 * e[2]
    K[1, 2] -= 0.5 * e[0]
    K[2, 0] -= 0.5 * e[1]
    K[2, 1] += 0.5 * e[0]
    product(turn.weight, K, A)
    for r in range(3):
        s = 0.0
        for c in range(3):
            s += A[c, r] * (e[c] - turn.leftover[c])
            w = 0.0
            for j in range(3):
                w += K[j, r] * A[j, c]
            own.weight[r, c] += w
        own.pull[r] += s


@inner
def _place(own, point, out):  # type: ignore[no-untyped-def]
    """Fill the place in the world of a point of a body."""
    R, p = own.R, own.p
    for r in range(3):
        out[r] = p[r] + R[r, 0] * point[0] + R[r, 1] * point[1] + R[r, 2] * point[2]


@inner
def _load_targets(m):  # type: ignore[no-untyped-def]
    """Turn the targets into weights and pulls on the bodies."""
    A, K, e, c = np.empty((3, 3)), np.empty((3, 3)), np.empty(3), np.empty(3)
    solver, base = m.solver[0], m.bodies[0]
    for own in m.bodies:
        own.weight[:] = 0.0
        own.pull[:] = 0.0
        own.tau = own.stiffness * (own.goal - own.q)
        own.damping = solver.damping + own.stiffness
    for turn in m.turns:
        _load_turn(m.bodies[turn.body], turn, A, e, K)
    for target in m.points:
        own = m.bodies[target.body]
        _place(own, target.point, c)
        for r in range(3):
            e[r] = target.goal[r] - c[r]
            c[r] -= base.p[r]
        push_point(own.weight, own.pull, c, target.weight, e)
    for spot in m.floor:
        _place(m.bodies[spot.body], spot.point, spot.world)


@inner
def _apply(m):  # type: ignore[no-untyped-def]
    """Move by the solution, in place; return the largest displacement."""
    moved, base = 0.0, m.bodies[0]
    if m.solver[0].fixed == 0:
        A, B, d = np.empty((3, 3)), np.empty((3, 3)), base.motion
        exponential(d[0], d[1], d[2], A)
        product(A, base.R, B)
        for r in range(3):
            base.p[r] += d[3 + r]
            for c in range(3):
                base.R[r, c] = B[r, c]
        for r in range(6):
            moved = max(moved, abs(d[r]))
    for i in range(1, len(m.bodies)):
        own = m.bodies[i]
        moved = max(moved, abs(own.x))
        own.q += own.x
        own.low -= own.x
        own.high -= own.x
    for k in range(len(m.rows)):
        for i in range(1, len(m.bodies)):
            along = m.A[k, i - 1] * m.bodies[i].x
            m.rows[k].low -= along
            m.rows[k].high -= along
    return moved


@inner
def _follow_leaders(bodies):  # type: ignore[no-untyped-def]
    """Put following joints where their leaders say."""
    for i in range(1, len(bodies)):
        own = bodies[i]
        if own.leader >= 0:
            value = own.multiplier * bodies[own.leader].q + own.offset
            own.q = min(max(value, own.lower), own.upper)


@inner
def settle(bodies):  # type: ignore[no-untyped-def]
    """Put joints inside their limits to the last bit, followers where they belong."""
    for i in range(1, len(bodies)):
        own = bodies[i]
        own.q = min(max(own.q, own.lower), own.upper)
    _follow_leaders(bodies)


@inner
def _settle_step(bodies):  # type: ignore[no-untyped-def]
    """Settle the end of a step; a joint still on its way back inside stays on it."""
    for i in range(1, len(bodies)):
        own = bodies[i]
        least, most = own.q + own.low, own.q + own.high  # that the step allowed
        if least > own.lower - ROUNDING:
            own.q = max(own.q, own.lower)
        if most < own.upper + ROUNDING:
            own.q = min(own.q, own.upper)
    _follow_leaders(bodies)


@entry
def step_recursively(m, dt):  # type: ignore[no-untyped-def]
    """Move base and joints towards the targets, in place, in one step of dt.

    The displacement allowed to each joint must be in `low` and `high` (`limit_step`).

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
    solved, solver = True, m.solver[0]
    for iteration in range(solver.iterations):
        forward_kinematics(m.bodies)
        if iteration == 0:
            _set_leftovers(m, dt)
        joint_screws(m.bodies)
        _load_targets(m)
        solved &= solve_bounded(m) or descend(m)
        if _apply(m) < solver.tolerance:
            break
    _settle_step(m.bodies)
    return solved
