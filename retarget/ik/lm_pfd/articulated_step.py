"""The LM step of an open chain as forward dynamics: [A] (22) and Appendix A.

(J' Sigma_L J + damping I) x = g is the momentum equation of a virtual mechanism whose
links have the target weights as inertia and whose joints have the damping as inertia.
One articulated-body pass solves it in O(N).

With D = K I K' + damping, an inertia behind its joint is I - I K' D^-1 K I. Along the
joint itself that is damping D^-1 K I, which does not cancel.
"""

from __future__ import annotations

import numpy as np

from retarget.compiled import inner
from retarget.ik.lm_pfd.records import FREE, PRISMATIC, REVOLUTE, SPHERICAL
from retarget.ik.lm_pfd.small_blocks import (
    add_shifted,
    factor,
    invert_3,
    solve_lower,
    solve_upper,
)

__all__ = ["find_articulated_step", "load_inertia"]


@inner
def load_inertia(m):  # type: ignore[no-untyped-def]
    """Give the links the weights of their targets as inertia: [A] (17)."""
    for i in range(len(m.links)):
        m.links[i].inertia[:] = 0.0
    for i in range(len(m.targets)):
        own = m.targets[i]
        on = m.links[own.link]
        if own.offset != 0:
            add_shifted(own.weight, own.arm, on.inertia)
        else:
            for r in range(6):
                for c in range(6):
                    on.inertia[r, c] += own.weight[r, c]


@inner
def find_articulated_step(links, damping):  # type: ignore[no-untyped-def]
    """Fill x of the joints from their g and the inertia of the links."""
    n, behind = len(links), np.empty((6, 6))
    for i in range(n):
        links[i].momentum[:] = 0.0
    for i in range(n - 1, -1, -1):
        own = links[i]
        if own.kind == SPHERICAL:
            _gather_spherical(own, damping, behind)
        elif own.kind == REVOLUTE or own.kind == PRISMATIC:
            _gather_axis(own, damping, behind)
        elif own.kind == FREE:
            _gather_free(own, damping, behind)
        else:
            behind[:] = own.inertia
            own.x[:] = 0.0
        if own.parent >= 0:
            onto, p, r = links[own.parent], own.momentum, own.r
            add_shifted(behind, r, onto.inertia)
            onto.momentum[0] += p[0] + r[1] * p[5] - r[2] * p[4]
            onto.momentum[1] += p[1] + r[2] * p[3] - r[0] * p[5]
            onto.momentum[2] += p[2] + r[0] * p[4] - r[1] * p[3]
            for k in range(3, 6):
                onto.momentum[k] += p[k]
    v = np.empty(6)
    for i in range(n):
        _release(links, i, v)


@inner
def _gather_spherical(own, damping, behind):  # type: ignore[no-untyped-def]
    """Pass a ball joint from tip to root; x gets D^-1 u, momentum (70)."""
    inertia, D, u = own.inertia, own.D, own.momentum
    for k in range(3):
        inertia[k, k] += damping
    invert_3(inertia, D)
    for k in range(3):
        inertia[k, k] -= damping
    u0, u1, u2 = own.g[0] - u[0], own.g[1] - u[1], own.g[2] - u[2]
    x = own.x
    for k in range(3):
        x[k] = D[k, 0] * u0 + D[k, 1] * u1 + D[k, 2] * u2
        x[3 + k] = 0.0
    for k in range(6):
        u[k] += inertia[k, 0] * x[0] + inertia[k, 1] * x[1] + inertia[k, 2] * x[2]
    for r in range(3):
        d0, d1, d2 = damping * D[r, 0], damping * D[r, 1], damping * D[r, 2]
        for c in range(6):
            s = d0 * inertia[0, c] + d1 * inertia[1, c] + d2 * inertia[2, c]
            behind[r, c] = s
            if c >= 3:
                behind[c, r] = s
    # inertia[3:, :3] D inertia[:3, 3:] = (H' D) H
    for r in range(3, 6):
        h0 = D[0, 0] * inertia[0, r] + D[0, 1] * inertia[1, r] + D[0, 2] * inertia[2, r]
        h1 = D[1, 0] * inertia[0, r] + D[1, 1] * inertia[1, r] + D[1, 2] * inertia[2, r]
        h2 = D[2, 0] * inertia[0, r] + D[2, 1] * inertia[1, r] + D[2, 2] * inertia[2, r]
        for c in range(3, 6):
            s = h0 * inertia[0, c] + h1 * inertia[1, c] + h2 * inertia[2, c]
            behind[r, c] = inertia[r, c] - s


@inner
def _gather_axis(own, damping, behind):  # type: ignore[no-untyped-def]
    """Pass a revolute or prismatic joint; D[0, 0] gets 1 / D and D[1] gets U."""
    at = 0 if own.kind == REVOLUTE else 3
    inertia, a, U = own.inertia, own.a, own.D[1]
    d, u = damping, 0.0
    for k in range(6):
        U[k] = inertia[k, at] * a[0]
        U[k] += inertia[k, at + 1] * a[1] + inertia[k, at + 2] * a[2]
    for k in range(3):
        d += a[k] * U[at + k]
        u += a[k] * (own.g[at + k] - own.momentum[at + k])
    own.D[0, 0] = 1.0 / d
    s = u / d
    for k in range(6):
        own.momentum[k] += U[k] * s
        own.x[k] = 0.0
        for c in range(6):
            behind[k, c] = inertia[k, c] - U[k] * U[c] / d
    for k in range(3):
        own.x[at + k] = a[k] * s


@inner
def _gather_free(own, damping, behind):  # type: ignore[no-untyped-def]
    """Pass a free joint: behind it, damping (I + damping)^-1 I is left."""
    D, inertia, x = own.D, own.inertia, own.x
    D[:] = inertia
    for k in range(6):
        D[k, k] += damping
        x[k] = own.g[k] - own.momentum[k]
    factor(D)
    solve_lower(D, x)
    solve_upper(D, x)
    for c in range(6):
        column = behind[c]
        for k in range(6):
            column[k] = damping * inertia[k, c]
            own.momentum[k] += inertia[k, c] * x[c]
        solve_lower(D, column)
        solve_upper(D, column)


@inner
def _release(links, i, v):  # type: ignore[no-untyped-def]
    """Move link i with its parent and by its own joint: [A] (75) and (76)."""
    own = links[i]
    x, motion = own.x, own.motion
    if own.parent < 0:
        motion[:] = x
        return
    on, r = links[own.parent].motion, own.r
    v[0], v[1], v[2] = on[0], on[1], on[2]
    v[3] = on[3] + on[1] * r[2] - on[2] * r[1]
    v[4] = on[4] + on[2] * r[0] - on[0] * r[2]
    v[5] = on[5] + on[0] * r[1] - on[1] * r[0]
    inertia, D = own.inertia, own.D
    if own.kind == SPHERICAL:
        y0, y1, y2 = 0.0, 0.0, 0.0
        for c in range(6):
            y0 += inertia[0, c] * v[c]
            y1 += inertia[1, c] * v[c]
            y2 += inertia[2, c] * v[c]
        for k in range(3):
            x[k] -= D[k, 0] * y0 + D[k, 1] * y1 + D[k, 2] * y2
    elif own.kind == REVOLUTE or own.kind == PRISMATIC:
        at, s = (0 if own.kind == REVOLUTE else 3), 0.0
        for c in range(6):
            s += D[1, c] * v[c]
        for k in range(3):
            x[at + k] -= own.a[k] * s * D[0, 0]
    elif own.kind == FREE:
        for k in range(6):
            motion[k] = 0.0
            for c in range(6):
                motion[k] += inertia[k, c] * v[c]
        solve_lower(D, motion)
        solve_upper(D, motion)
        for k in range(6):
            x[k] -= motion[k]
    for k in range(6):
        motion[k] = v[k] + x[k]
