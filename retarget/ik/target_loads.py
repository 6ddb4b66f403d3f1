"""Targets as loads: their weights and wrenches on the bodies, in compiled code."""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Record, Records, jit_internal
from telexist.retarget.ik.mechanism import Mechanism
from telexist.retarget.ik.point_loads import add_force, push_point
from telexist.retarget.ik.rotations import (
    exponential,
    inverse_right_jacobian,
    logarithm,
    product,
    product_transposed,
    transposed_product,
)
from telexist.retarget.so3 import Array

__all__ = ["load_targets", "set_leftovers"]


@jit_internal
def set_leftovers(m: Mechanism, dt: float) -> None:
    """Find the error that each orientation may keep: see `Targets.leftovers`."""
    A, B = m.solver[0].A, m.solver[0].B
    share = np.exp(-m.solver[0].gain * dt)
    for target in m.orientations:
        v, left = target.velocity, target.leftover
        if share == 0.0:
            left[0] = left[1] = left[2] = 0.0
            continue
        exponential(-v[0] * dt, -v[1] * dt, -v[2] * dt, A)
        product(A, target.rotation, B)
        product_transposed(B, m.bodies[target.body].R, A)
        logarithm(A, left)
        for r in range(3):
            left[r] *= share


@jit_internal
def _load_orientation(own: Record, target: Record, A: Array) -> None:
    """Add the weight K'WK and wrench K'W (e - leftover) of a target: de = -K omega."""
    K, e = target.K, target.error
    product_transposed(target.rotation, own.R, A)
    logarithm(A, e)
    inverse_right_jacobian(e, K)
    for r in range(3):
        e[r] -= target.leftover[r]
    product(target.weight, K, A)
    for r in range(3):
        own.wrench[r] += A[0, r] * e[0] + A[1, r] * e[1] + A[2, r] * e[2]
        for c in range(r, 3):
            own.weight[r, c] += (
                K[0, r] * A[0, c] + K[1, r] * A[1, c] + K[2, r] * A[2, c]
            )


@jit_internal
def _place(own: Record, point: Array, out: Array) -> None:
    """Fill the place in the world of a point of a body."""
    R, p = own.R, own.p
    for r in range(3):
        out[r] = p[r] + R[r, 0] * point[0] + R[r, 1] * point[1] + R[r, 2] * point[2]


@jit_internal
def _load_point(own: Record, target: Record, base: Record) -> None:
    """Add the weight and wrench of a point."""
    e, c, w = target.error, target.arm, target.weight
    _place(own, target.point, c)
    for r in range(3):
        e[r] = target.goal[r] - c[r]
        c[r] -= base.p[r]
    push_point(own.weight, c, w)
    add_force(own.wrench, c, w[0] * e[0], w[1] * e[1], w[2] * e[2])


@jit_internal
def _draw_ball(bodies: Records, i: int, solver: Record) -> None:
    """Draw a ball joint to its posture, about the axes of its body."""
    a, b, c = bodies[i], bodies[i + 1], bodies[i + 2]
    if a.stiffness == 0.0:
        return
    now, goal = solver.A, solver.B
    exponential(a.q, b.q, c.q, now)
    exponential(a.goal, b.goal, c.goal, goal)
    transposed_product(now, goal, a.R)  # bodies are placed anew before R is read
    logarithm(a.R, solver.e)
    for k in range(3):
        bodies[i + k].tau = a.stiffness * solver.e[k]


@jit_internal
def _clear(own: Record) -> None:
    """Take all targets off a body."""
    for r in range(6):
        own.wrench[r] = 0.0
        for c in range(6):
            own.weight[r, c] = 0.0


@jit_internal
def load_targets(m: Mechanism) -> None:
    """Turn the targets into weights and wrenches on the bodies."""
    solver, base = m.solver[0], m.bodies[0]
    for target in m.orientations:
        _clear(m.bodies[target.body])
    for target in m.points:
        _clear(m.bodies[target.body])
    for own in m.bodies:
        own.tau = own.stiffness * (own.goal - own.q)
        own.damping = solver.damping + own.limb_damping + own.stiffness
    for target in m.orientations:
        _load_orientation(m.bodies[target.body], target, solver.A)
    for target in m.points:
        _load_point(m.bodies[target.body], target, base)
    for k in range(solver.spots):
        spot = m.floor[k]
        _place(m.bodies[spot.body], spot.point, spot.world)
        for r in range(3):
            spot.arm[r] = spot.world[r] - base.p[r]
        spot.world[2] -= spot.radius
    for i in range(1, len(m.bodies)):
        if m.bodies[i].ball == 1:
            _draw_ball(m.bodies, i, solver)
