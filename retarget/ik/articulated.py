"""Compiled recursions over a robot's tree: kinematics and articulated-body solves.

The normal matrix of weighted inverse kinematics, H = sum J'WJ + diag(damping), is the
inertia matrix of a virtual mechanism whose links have the target weights as inertia
and whose rotors have the damping [A]. So H x = g is forward dynamics: one
articulated-body pass, O(n), without Jacobians. A joint on its bound is a joint of
prescribed motion in the same pass.

Spatial vectors are (angular, linear) in world axes at a common reference point, the
base's origin; so nothing has to be transformed from link to link.
"""

from __future__ import annotations

import numpy as np

from retarget.compiled import inner
from retarget.ik.mechanism import FREE
from retarget.ik.rotations import product

__all__ = ["articulate", "forward_kinematics", "joint_screws", "resolve"]


@inner
def forward_kinematics(bodies):  # type: ignore[no-untyped-def]
    """Place all bodies in the world, from the base's pose and the joints' q."""
    A = np.empty((3, 3))
    for i in range(1, len(bodies)):
        own, on = bodies[i], bodies[bodies[i].parent]
        product(on.R, own.rest_R, A)
        x, y, z = own.axis[0], own.axis[1], own.axis[2]
        slide = own.q if own.slides != 0 else 0.0
        turn = 0.0 if own.slides != 0 else own.q
        co, si = np.cos(turn), np.sin(turn)
        v = 1.0 - co
        for r in range(3):
            a0, a1, a2 = A[r, 0], A[r, 1], A[r, 2]
            along = a0 * x + a1 * y + a2 * z
            own.p[r] = (
                on.p[r]
                + on.R[r, 0] * own.rest_p[0]
                + on.R[r, 1] * own.rest_p[1]
                + on.R[r, 2] * own.rest_p[2]
                + along * slide
            )
            own.R[r, 0] = co * a0 + v * along * x + si * (a1 * z - a2 * y)
            own.R[r, 1] = co * a1 + v * along * y + si * (a2 * x - a0 * z)
            own.R[r, 2] = co * a2 + v * along * z + si * (a0 * y - a1 * x)


@inner
def joint_screws(bodies):  # type: ignore[no-untyped-def]
    """Fill the joints' motions S at the base's origin."""
    origin = bodies[0].p
    for i in range(1, len(bodies)):
        own = bodies[i]
        R, axis, S = own.R, own.axis, own.S
        u0 = R[0, 0] * axis[0] + R[0, 1] * axis[1] + R[0, 2] * axis[2]
        u1 = R[1, 0] * axis[0] + R[1, 1] * axis[1] + R[1, 2] * axis[2]
        u2 = R[2, 0] * axis[0] + R[2, 1] * axis[1] + R[2, 2] * axis[2]
        if own.slides != 0:
            S[0] = S[1] = S[2] = 0.0
            S[3], S[4], S[5] = u0, u1, u2
            continue
        c0, c1, c2 = own.p[0] - origin[0], own.p[1] - origin[1], own.p[2] - origin[2]
        S[0], S[1], S[2] = u0, u1, u2
        S[3], S[4], S[5] = c1 * u2 - c2 * u1, c2 * u0 - c0 * u2, c0 * u1 - c1 * u0


@inner
def articulate(bodies):  # type: ignore[no-untyped-def]
    """Gather articulated inertias from the tips to the base, in place."""
    for i in range(len(bodies) - 1, 0, -1):
        own, onto = bodies[i], bodies[bodies[i].parent]
        d = own.damping
        for r in range(6):
            s = 0.0
            for c in range(6):
                s += own.inertia[r, c] * own.S[c]
            own.U[r] = s
            d += own.S[r] * s
        own.D = d
        share = 1.0 / d if own.status == FREE else 0.0
        for r in range(6):
            k = own.U[r] * share
            for c in range(6):
                onto.inertia[r, c] += own.inertia[r, c] - k * own.U[c]


@inner
def _move_base(base, solver):  # type: ignore[no-untyped-def]
    """Solve L L' motion = force; a bolted base does not move."""
    L, x = solver.base_factor, base.motion
    if solver.fixed != 0:
        x[:] = 0.0
        return
    for r in range(6):
        s = base.force[r]
        for c in range(r):
            s -= L[r, c] * x[c]
        x[r] = s / L[r, r]
    for r in range(5, -1, -1):
        s = x[r]
        for c in range(r + 1, 6):
            s -= L[c, r] * x[c]
        x[r] = s / L[r, r]


@inner
def resolve(bodies, solver):  # type: ignore[no-untyped-def]
    """Solve for all displacements, given what `articulate` gathered.

    Reads `force` of the bodies (articulated on return), `tau` of the joints and `x` of
    the joints that are not free; fills `x` of the free ones and `motion`.
    """
    n = len(bodies)
    for i in range(n - 1, 0, -1):
        own, onto = bodies[i], bodies[bodies[i].parent]
        if own.status == FREE:
            u = own.tau
            for r in range(6):
                u += own.S[r] * own.force[r]
            own.x = u / own.D
        for r in range(6):
            onto.force[r] += own.force[r] - own.U[r] * own.x
    _move_base(bodies[0], solver)
    for i in range(1, n):
        own, on = bodies[i], bodies[bodies[i].parent]
        if own.status == FREE:
            s = 0.0
            for r in range(6):
                s += own.U[r] * on.motion[r]
            own.x -= s / own.D
        for r in range(6):
            own.motion[r] = on.motion[r] + own.S[r] * own.x
