"""Compiled recursions over a robot's tree: kinematics and articulated-body solves.

The normal matrix of weighted inverse kinematics, H = sum J'WJ + diag(damping), is the
inertia matrix of a virtual mechanism whose links have the target weights as inertia
and whose rotors have the damping [A]. So H x = g is forward dynamics: one
articulated-body pass, O(n), without Jacobians. A joint on its bound is a joint of
prescribed motion in the same pass.

Spatial vectors are (angular, linear) in world axes at a common reference point, the
base's origin; so nothing has to be transformed from link to link. Of inertias the upper
triangle is read and written.

A ball joint is three joints in one place, about the axes of the body that they carry
together: its velocity is in body axes, its rotation vector is in their q.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Record, Records, jit_internal
from telexist.retarget.ik.mechanism import FREE
from telexist.retarget.ik.rotations import exponential, product

__all__ = ["articulate", "forward_kinematics", "joint_screws", "resolve"]


@jit_internal
def forward_kinematics(bodies: Records) -> None:
    """Place all bodies in the world, from the base's pose and the joints' q."""
    for i in range(1, len(bodies)):
        own, on = bodies[i], bodies[bodies[i].parent]
        if own.ball == 0:
            _place_single(own, on)
        elif own.ball == 1:
            _place_ball(own, on, bodies[i + 1], bodies[i + 2])
        else:
            for r in range(3):
                own.p[r] = on.p[r]
                for c in range(3):
                    own.R[r, c] = on.R[r, c]


@jit_internal
def _place_single(own: Record, on: Record) -> None:
    """Place a body behind a revolute or prismatic joint."""
    rest, p = own.rest_R, own.rest_p
    x, y, z = own.axis[0], own.axis[1], own.axis[2]
    slide = own.q if own.slides != 0 else 0.0
    turn = 0.0 if own.slides != 0 else own.q
    co, si = np.cos(turn), np.sin(turn)
    v = 1.0 - co
    for r in range(3):
        r0, r1, r2 = on.R[r, 0], on.R[r, 1], on.R[r, 2]
        a0 = r0 * rest[0, 0] + r1 * rest[1, 0] + r2 * rest[2, 0]
        a1 = r0 * rest[0, 1] + r1 * rest[1, 1] + r2 * rest[2, 1]
        a2 = r0 * rest[0, 2] + r1 * rest[1, 2] + r2 * rest[2, 2]
        along = a0 * x + a1 * y + a2 * z
        own.p[r] = on.p[r] + r0 * p[0] + r1 * p[1] + r2 * p[2] + along * slide
        own.R[r, 0] = co * a0 + v * along * x + si * (a1 * z - a2 * y)
        own.R[r, 1] = co * a1 + v * along * y + si * (a2 * x - a0 * z)
        own.R[r, 2] = co * a2 + v * along * z + si * (a0 * y - a1 * x)


@jit_internal
def _place_ball(own: Record, on: Record, second: Record, third: Record) -> None:
    """Place the first body of a ball joint, which carries its whole rotation.

    The others' R, which are filled next, are room for the products.
    """
    exponential(own.q, second.q, third.q, second.R)
    product(own.rest_R, second.R, third.R)
    product(on.R, third.R, own.R)
    R, p = on.R, own.rest_p
    for r in range(3):
        own.p[r] = on.p[r] + R[r, 0] * p[0] + R[r, 1] * p[1] + R[r, 2] * p[2]


@jit_internal
def joint_screws(bodies: Records) -> None:
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


@jit_internal
def articulate(bodies: Records) -> None:
    """Gather articulated inertias from the tips to the base, in place.

    Written out, because a compiler that must fear that the bodies overlap cannot keep
    their entries.
    """
    for i in range(len(bodies) - 1, 0, -1):
        own, onto = bodies[i], bodies[bodies[i].parent]
        inertia, S, U, sum_ = own.inertia, own.S, own.U, onto.inertia
        i00, i01, i02 = inertia[0, 0], inertia[0, 1], inertia[0, 2]
        i03, i04, i05 = inertia[0, 3], inertia[0, 4], inertia[0, 5]
        i11, i12, i13 = inertia[1, 1], inertia[1, 2], inertia[1, 3]
        i14, i15 = inertia[1, 4], inertia[1, 5]
        i22, i23, i24 = inertia[2, 2], inertia[2, 3], inertia[2, 4]
        i25 = inertia[2, 5]
        i33, i34, i35 = inertia[3, 3], inertia[3, 4], inertia[3, 5]
        i44, i45 = inertia[4, 4], inertia[4, 5]
        i55 = inertia[5, 5]
        s0, s1, s2, s3, s4, s5 = S[0], S[1], S[2], S[3], S[4], S[5]
        u0 = (i00 * s0 + i01 * s1) + (i02 * s2 + i03 * s3)
        u0 += i04 * s4 + i05 * s5
        u1 = (i01 * s0 + i11 * s1) + (i12 * s2 + i13 * s3)
        u1 += i14 * s4 + i15 * s5
        u2 = (i02 * s0 + i12 * s1) + (i22 * s2 + i23 * s3)
        u2 += i24 * s4 + i25 * s5
        u3 = (i03 * s0 + i13 * s1) + (i23 * s2 + i33 * s3)
        u3 += i34 * s4 + i35 * s5
        u4 = (i04 * s0 + i14 * s1) + (i24 * s2 + i34 * s3)
        u4 += i44 * s4 + i45 * s5
        u5 = (i05 * s0 + i15 * s1) + (i25 * s2 + i35 * s3)
        u5 += i45 * s4 + i55 * s5
        U[0], U[1], U[2], U[3], U[4], U[5] = u0, u1, u2, u3, u4, u5
        d = (s0 * u0 + s1 * u1) + (s2 * u2 + s3 * u3) + (s4 * u4 + s5 * u5)
        own.D = d + own.damping
        own.inverse_D = 1.0 / own.D if own.status == FREE else 0.0
        k0, k1, k2 = u0 * own.inverse_D, u1 * own.inverse_D, u2 * own.inverse_D
        k3, k4, k5 = u3 * own.inverse_D, u4 * own.inverse_D, u5 * own.inverse_D
        sum_[0, 0] += i00 - k0 * u0
        sum_[0, 1] += i01 - k0 * u1
        sum_[0, 2] += i02 - k0 * u2
        sum_[0, 3] += i03 - k0 * u3
        sum_[0, 4] += i04 - k0 * u4
        sum_[0, 5] += i05 - k0 * u5
        sum_[1, 1] += i11 - k1 * u1
        sum_[1, 2] += i12 - k1 * u2
        sum_[1, 3] += i13 - k1 * u3
        sum_[1, 4] += i14 - k1 * u4
        sum_[1, 5] += i15 - k1 * u5
        sum_[2, 2] += i22 - k2 * u2
        sum_[2, 3] += i23 - k2 * u3
        sum_[2, 4] += i24 - k2 * u4
        sum_[2, 5] += i25 - k2 * u5
        sum_[3, 3] += i33 - k3 * u3
        sum_[3, 4] += i34 - k3 * u4
        sum_[3, 5] += i35 - k3 * u5
        sum_[4, 4] += i44 - k4 * u4
        sum_[4, 5] += i45 - k4 * u5
        sum_[5, 5] += i55 - k5 * u5


@jit_internal
def _move_base(base: Record, solver: Record) -> None:
    """Solve L L' motion = force; a bolted base does not move."""
    L, x = solver.base_factor, base.motion
    if solver.fixed != 0:
        for r in range(6):
            x[r] = 0.0
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


@jit_internal
def resolve(bodies: Records, solver: Record) -> None:
    """Solve for all displacements, given what `articulate` gathered.

    Reads `force` of the bodies (articulated on return), `tau` of the joints and `x` of
    the joints that are not free; fills `x` of the free ones and `motion`.
    """
    n = len(bodies)
    for i in range(n - 1, 0, -1):
        own, onto = bodies[i], bodies[bodies[i].parent]
        S, U, f, sum_, x = own.S, own.U, own.force, onto.force, own.x
        f0, f1, f2, f3, f4, f5 = f[0], f[1], f[2], f[3], f[4], f[5]
        if own.status == FREE:
            x = (S[0] * f0 + S[1] * f1) + (S[2] * f2 + S[3] * f3)
            x = (x + (S[4] * f4 + S[5] * f5) + own.tau) * own.inverse_D
            own.x = x
        f0, f1, f2 = f0 - U[0] * x, f1 - U[1] * x, f2 - U[2] * x
        f3, f4, f5 = f3 - U[3] * x, f4 - U[4] * x, f5 - U[5] * x
        sum_[0] += f0
        sum_[1] += f1
        sum_[2] += f2
        sum_[3] += f3
        sum_[4] += f4
        sum_[5] += f5
    _move_base(bodies[0], solver)
    for i in range(1, n):
        own, on = bodies[i], bodies[bodies[i].parent]
        S, U, v, to, x = own.S, own.U, on.motion, own.motion, own.x
        v0, v1, v2, v3, v4, v5 = v[0], v[1], v[2], v[3], v[4], v[5]
        if own.status == FREE:
            s = (U[0] * v0 + U[1] * v1) + (U[2] * v2 + U[3] * v3)
            x -= (s + (U[4] * v4 + U[5] * v5)) * own.inverse_D
            own.x = x
        v0, v1, v2 = v0 + S[0] * x, v1 + S[1] * x, v2 + S[2] * x
        v3, v4, v5 = v3 + S[3] * x, v4 + S[4] * x, v5 + S[5] * x
        to[0], to[1], to[2], to[3], to[4], to[5] = v0, v1, v2, v3, v4, v5
