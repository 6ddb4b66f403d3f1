"""Compiled: how the links move, and what that adds to accelerations and momentum.

For a link at r on the one that carries it, with R = parent_R_link:

    w = R' w_p + S s'
    a = X a_p + c + S s'',  c = (R' (w_p x (w_p x r)), (R' w_p) x S s' + S' s')
    f = M a + b - fx + ...,  b = (m w x (w x com), w x I w)
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Record, Records, jit_internal
from telexist.retarget.dynamics.blocks import transform
from telexist.retarget.so3 import Array

__all__ = ["hang_on_base", "move_links"]


@jit_internal
def move_links(links: Records, q: Array, dq: Array, world_w_base: Array) -> None:
    """Fill R, w, b and the relation of each link to the one that carries it.

    Args:
        links: Records of `LINK`, parents first.
        q: Joint positions (n,).
        dq: Joint velocities (n,).
        world_w_base: Angular velocity of link 0 in its own axes (3,).
    """
    for i in range(len(links)):
        own = links[i]
        if own.parent < 0:
            for r in range(3):
                own.w[r] = world_w_base[r]
        else:
            _joint(own, q, dq)
            _carry(own, links[own.parent].w, dq)
        _momentum(own)


@jit_internal
def _joint(own: Record, q: Array, dq: Array) -> None:
    """Fill R and the axes; the rate of the axes times s' goes to the end of own_c."""
    R, S = own.R, own.own_S
    for r in range(3):
        for c in range(3):
            R[r, c] = 1.0 if r == c else 0.0
            S[r, c] = S[r + 3, c] = 0.0
        own.own_c[r] = own.own_c[r + 3] = 0.0
    for k in range(3):
        axis = own.axes[k]
        if axis >= 0:
            angle = q[own.first + k]
            sine, cosine = np.sin(angle), np.cos(angle)
            b, d = (axis + 1) % 3, (axis + 2) % 3
            for r in range(3):  # R times the turn; the turn's transpose times the axes
                x, y = R[r, b], R[r, d]
                R[r, b], R[r, d] = cosine * x + sine * y, cosine * y - sine * x
            for j in range(k):
                x, y = S[3 + b, j], S[3 + d, j]
                S[3 + b, j], S[3 + d, j] = cosine * x + sine * y, cosine * y - sine * x
            S[3 + axis, k] = 1.0
    _add_axis_rates(own, dq)


@jit_internal
def _add_axis_rates(own: Record, dq: Array) -> None:
    """Add S' s': an axis turns against those that come after it."""
    S, c = own.own_S, own.own_c
    x = y = z = 0.0
    for back in range(3):
        k = 2 - back
        if own.axes[k] >= 0:
            rate = dq[own.first + k]
            ax, ay, az = rate * S[3, k], rate * S[4, k], rate * S[5, k]
            c[3] += ay * z - az * y
            c[4] += az * x - ax * z
            c[5] += ax * y - ay * x
            x, y, z = x + ax, y + ay, z + az


@jit_internal
def _carry(own: Record, w_p: Array, dq: Array) -> None:
    """Fill w, own_X and own_c from the angular velocity of the link that carries it."""
    R, S, X, c, r = own.R, own.own_S, own.own_X, own.own_c, own.offset
    s0 = s1 = s2 = 0.0
    for k in range(3):
        if own.axes[k] >= 0:
            rate = dq[own.first + k]
            s0, s1, s2 = s0 + rate * S[3, k], s1 + rate * S[4, k], s2 + rate * S[5, k]
    t0 = R[0, 0] * w_p[0] + R[1, 0] * w_p[1] + R[2, 0] * w_p[2]
    t1 = R[0, 1] * w_p[0] + R[1, 1] * w_p[1] + R[2, 1] * w_p[2]
    t2 = R[0, 2] * w_p[0] + R[1, 2] * w_p[1] + R[2, 2] * w_p[2]
    own.w[0], own.w[1], own.w[2] = t0 + s0, t1 + s1, t2 + s2
    c[3] += t1 * s2 - t2 * s1
    c[4] += t2 * s0 - t0 * s2
    c[5] += t0 * s1 - t1 * s0
    along = w_p[0] * r[0] + w_p[1] * r[1] + w_p[2] * r[2]
    square = w_p[0] ** 2 + w_p[1] ** 2 + w_p[2] ** 2
    for i in range(3):
        c[i] = 0.0
        for j in range(3):
            c[i] += R[j, i] * (w_p[j] * along - square * r[j])
            X[i, j] = X[i + 3, j + 3] = R[j, i]
            X[i + 3, j] = 0.0
        X[i, 3] = R[2, i] * r[1] - R[1, i] * r[2]
        X[i, 4] = R[0, i] * r[2] - R[2, i] * r[0]
        X[i, 5] = R[1, i] * r[0] - R[0, i] * r[1]


@jit_internal
def _momentum(own: Record) -> None:
    """Fill b."""
    w, com, inertia, b = own.w, own.com, own.inertia, own.b
    along = w[0] * com[0] + w[1] * com[1] + w[2] * com[2]
    square = w[0] ** 2 + w[1] ** 2 + w[2] ** 2
    for i in range(3):
        b[i] = own.mass * (w[i] * along - square * com[i])
    l0 = inertia[3, 3] * w[0] + inertia[3, 4] * w[1] + inertia[3, 5] * w[2]
    l1 = inertia[4, 3] * w[0] + inertia[4, 4] * w[1] + inertia[4, 5] * w[2]
    l2 = inertia[5, 3] * w[0] + inertia[5, 4] * w[1] + inertia[5, 5] * w[2]
    b[3] = w[1] * l2 - w[2] * l1
    b[4] = w[2] * l0 - w[0] * l2
    b[5] = w[0] * l1 - w[1] * l0


@jit_internal
def hang_on_base(links: Records, ddq: Array, variances: Array) -> None:
    """Fill X, c, S, s0 and D of every link towards the base of the estimate.

    Where the joint is passed from its far side, a_p = X^-1 (a - c - S s'') is the same
    equation the other way round: the torque S' f keeps its value.
    """
    for i in range(len(links)):
        own = links[i]
        if own.above < 0:
            continue
        edge = links[own.edge]
        for k in range(3):
            there = edge.axes[k] >= 0
            own.s0[k] = ddq[edge.first + k] if there else 0.0
            own.D[k] = variances[edge.first + k] if there else 0.0
        if own.edge == i:
            own.X[:, :] = own.own_X
            own.c[:] = own.own_c
            own.S[:, :] = own.own_S
        else:
            _reverse(edge, own)


@jit_internal
def _reverse(edge: Record, own: Record) -> None:
    """Fill X = edge X^-1, c = -X c, S = -X S."""
    X, of = own.X, edge.own_X
    for r in range(3):
        for c in range(3):
            X[r, c] = X[r + 3, c + 3] = of[c, r]
            X[r, c + 3] = of[c, r + 3]
            X[r + 3, c] = 0.0
    # The upper right block of the inverse is the transpose of the block itself.
    transform(X, edge.own_c, own.c)
    for r in range(6):
        own.c[r] = -own.c[r]
        for k in range(3):
            total = 0.0
            for j in range(6):
                total += X[r, j] * edge.own_S[j, k]
            own.S[r, k] = -total
