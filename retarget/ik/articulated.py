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

from typing import Any

import numba
import numpy as np

__all__ = [
    "add_orientation",
    "add_point",
    "articulate",
    "forward_kinematics",
    "joint_screws",
    "resolve",
]

Floats = Any  # numba arrays; mypy sees none of these functions' insides


@numba.njit(cache=True)
def forward_kinematics(tree, base_R, base_p, q, R, p):  # type: ignore[no-untyped-def]
    """Fill orientations R (n + 1, 3, 3) and places p (n + 1, 3) of all bodies."""
    R[0], p[0] = base_R, base_p
    for i in range(len(q)):
        a = tree.parent[i]
        rest = tree.rotation[i]
        for r in range(3):
            s = p[a, r]
            for c in range(3):
                s += R[a, r, c] * tree.position[i, c]
            p[i + 1, r] = s
        A = np.empty((3, 3))
        for r in range(3):
            for c in range(3):
                A[r, c] = (
                    R[a, r, 0] * rest[0, c]
                    + R[a, r, 1] * rest[1, c]
                    + R[a, r, 2] * rest[2, c]
                )
        x, y, z = tree.axis[i]
        if tree.slides[i]:
            for r in range(3):
                p[i + 1, r] += (A[r, 0] * x + A[r, 1] * y + A[r, 2] * z) * q[i]
                for c in range(3):
                    R[i + 1, r, c] = A[r, c]
            continue
        co, si = np.cos(q[i]), np.sin(q[i])
        v = 1.0 - co
        for r in range(3):
            a0, a1, a2 = A[r, 0], A[r, 1], A[r, 2]
            along = v * (a0 * x + a1 * y + a2 * z)
            R[i + 1, r, 0] = co * a0 + along * x + si * (a1 * z - a2 * y)
            R[i + 1, r, 1] = co * a1 + along * y + si * (a2 * x - a0 * z)
            R[i + 1, r, 2] = co * a2 + along * z + si * (a0 * y - a1 * x)


@numba.njit(cache=True)
def joint_screws(tree, R, p, S):  # type: ignore[no-untyped-def]
    """Fill the joints' motions S (n, 6) at the base's origin."""
    for i in range(len(S)):
        x, y, z = tree.axis[i]
        B = R[i + 1]
        u0 = B[0, 0] * x + B[0, 1] * y + B[0, 2] * z
        u1 = B[1, 0] * x + B[1, 1] * y + B[1, 2] * z
        u2 = B[2, 0] * x + B[2, 1] * y + B[2, 2] * z
        if tree.slides[i]:
            S[i, 0] = S[i, 1] = S[i, 2] = 0.0
            S[i, 3], S[i, 4], S[i, 5] = u0, u1, u2
            continue
        c0 = p[i + 1, 0] - p[0, 0]
        c1 = p[i + 1, 1] - p[0, 1]
        c2 = p[i + 1, 2] - p[0, 2]
        S[i, 0], S[i, 1], S[i, 2] = u0, u1, u2
        S[i, 3] = c1 * u2 - c2 * u1
        S[i, 4] = c2 * u0 - c0 * u2
        S[i, 5] = c0 * u1 - c1 * u0


@numba.njit(cache=True)
def add_orientation(inertia, force, W, r):  # type: ignore[no-untyped-def]
    """Add a target r (3,) with weight W (3, 3) for a body's turning."""
    for i in range(3):
        for j in range(3):
            inertia[i, j] += W[i, j]
            force[i] += W[i, j] * r[j]


@numba.njit(cache=True)
def add_point(inertia, force, c, w, r):  # type: ignore[no-untyped-def]
    """Add a target r (3,) with weights w (3,) for the point c from the reference.

    The point moves by v + omega x c: with B = [-S(c), 1] the inertia gains B'wB and
    the force B'wr.
    """
    B = np.zeros((3, 6))
    B[0, 1], B[0, 2] = c[2], -c[1]
    B[1, 0], B[1, 2] = -c[2], c[0]
    B[2, 0], B[2, 1] = c[1], -c[0]
    B[0, 3] = B[1, 4] = B[2, 5] = 1.0
    for k in range(3):
        if w[k] == 0.0:
            continue
        for i in range(6):
            left = w[k] * B[k, i]
            if left == 0.0:
                continue
            force[i] += left * r[k]
            for j in range(6):
                inertia[i, j] += left * B[k, j]


@numba.njit(cache=True)
def articulate(tree, S, damping, held, inertia, U, D):  # type: ignore[no-untyped-def]
    """Gather articulated inertias from the tips to the base, in place.

    Args:
        tree: The robot.
        S: Joint motions (n, 6).
        damping: Of each joint (n,).
        held: Nonzero for joints of prescribed motion (n,).
        inertia: Weights of each body (n + 1, 6, 6); articulated on return.
        U: Filled with inertia @ S of each joint (n, 6).
        D: Filled with each joint's own inertia (n,).
    """
    for i in range(len(damping) - 1, -1, -1):
        own, onto = inertia[i + 1], inertia[tree.parent[i]]
        for r in range(6):
            s = 0.0
            for c in range(6):
                s += own[r, c] * S[i, c]
            U[i, r] = s
        d = damping[i]
        for r in range(6):
            d += S[i, r] * U[i, r]
        D[i] = d
        if held[i] != 0:
            for r in range(6):
                for c in range(6):
                    onto[r, c] += own[r, c]
            continue
        for r in range(6):
            k = U[i, r] / d
            for c in range(6):
                onto[r, c] += own[r, c] - k * U[i, c]


@numba.njit(cache=True)
def resolve(  # type: ignore[no-untyped-def]
    tree, S, damping, held, inertia, U, D, base_inverse, force, tau, x, motion
):
    """Solve for all displacements, given what `articulate` gathered.

    Args:
        tree: The robot.
        S: Joint motions (n, 6).
        damping: Of each joint (n,).
        held: Nonzero for joints of prescribed motion (n,).
        inertia: Articulated (n + 1, 6, 6).
        U: From `articulate`.
        D: From `articulate`.
        base_inverse: Inverse of the base's inertia (6, 6); zeros for a fixed base.
        force: On each body (n + 1, 6); articulated on return.
        tau: On each joint (n,).
        x: Displacement (n,): read where held, filled elsewhere.
        motion: Filled with the displacement of each body (n + 1, 6).
    """
    n = len(tau)
    for i in range(n - 1, -1, -1):
        own, onto = force[i + 1], force[tree.parent[i]]
        if held[i] != 0:
            for r in range(6):
                onto[r] += own[r] - U[i, r] * x[i]
            continue
        u = tau[i]
        for r in range(6):
            u += S[i, r] * own[r]
        k = u / D[i]
        x[i] = k
        for r in range(6):
            onto[r] += own[r] - U[i, r] * k
    for r in range(6):
        s = 0.0
        for c in range(6):
            s += base_inverse[r, c] * force[0, c]
        motion[0, r] = s
    for i in range(n):
        carried = motion[tree.parent[i]]
        if held[i] == 0:
            s = 0.0
            for r in range(6):
                s += U[i, r] * carried[r]
            x[i] -= s / D[i]
        for r in range(6):
            motion[i + 1, r] = carried[r] + S[i, r] * x[i]
