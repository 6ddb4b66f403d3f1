"""The LM step of an open chain as forward dynamics: [A] (22) and Appendix A.

(J' Sigma_L J + damping I) x = g is the momentum equation of a virtual mechanism whose
links have the target weights as inertia and whose joints have the damping as inertia.
One articulated-body pass solves it in O(N).

With D = K I K' + damping, an inertia behind its joint is I - I K' D^-1 K I. Along the
joint itself that is damping D^-1 K I, which does not cancel. Of inertias the upper
triangle is handed on.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Record, Records, jit_internal
from telexist.retarget.lm_pfd.ball_joint import gather_spherical
from telexist.retarget.lm_pfd.records import FREE, PRISMATIC, REVOLUTE, SPHERICAL
from telexist.retarget.lm_pfd.small_blocks import (
    add_shifted_upper,
    copy_block,
    copy_vector,
    factor,
    mirror,
    solve_lower,
    solve_upper,
)
from telexist.retarget.so3 import Array

__all__ = ["find_articulated_step"]


@jit_internal
def find_articulated_step(links: Records, damping: float) -> None:
    """Fill x of the joints from their g and the inertia of the links."""
    n, behind = len(links), np.empty((6, 6))
    for i in range(n):
        links[i].momentum[:] = 0.0
    for i in range(n - 1, -1, -1):
        own = links[i]
        if own.kind == SPHERICAL:
            gather_spherical(own, damping, behind)
        elif own.kind == REVOLUTE or own.kind == PRISMATIC:
            _gather_axis(own, damping, behind)
        elif own.kind == FREE:
            _gather_free(own, damping, behind)
        else:
            copy_block(own.inertia, behind)
            own.x[:] = 0.0
        if own.parent >= 0:
            onto, p, r = links[own.parent], own.momentum, own.r
            add_shifted_upper(behind, r, onto.inertia)
            onto.momentum[0] += p[0] + r[1] * p[5] - r[2] * p[4]
            onto.momentum[1] += p[1] + r[2] * p[3] - r[0] * p[5]
            onto.momentum[2] += p[2] + r[0] * p[4] - r[1] * p[3]
            for k in range(3, 6):
                onto.momentum[k] += p[k]
    v = np.empty(6)
    for i in range(n):
        _release(links, i, v)


@jit_internal
def _gather_axis(own: Record, damping: float, behind: Array) -> None:
    """Pass a revolute or prismatic joint; D[0, 0] gets 1 / D and D[1] gets U."""
    at = 0 if own.kind == REVOLUTE else 3
    inertia, a, U = own.inertia, own.a, own.D[1]
    d, u = damping, 0.0
    mirror(inertia)
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


@jit_internal
def _gather_free(own: Record, damping: float, behind: Array) -> None:
    """Pass a free joint: behind it, damping (I + damping)^-1 I is left."""
    D, inertia, x = own.D, own.inertia, own.x
    mirror(inertia)
    copy_block(inertia, D)
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


@jit_internal
def _release(links: Records, i: int, v: Array) -> None:
    """Move link i with its parent and by its own joint: [A] (75) and (76)."""
    own = links[i]
    x, motion = own.x, own.motion
    if own.parent < 0:
        copy_vector(x, motion)
        return
    on, r = links[own.parent].motion, own.r
    v[0], v[1], v[2] = on[0], on[1], on[2]
    v[3] = on[3] + on[1] * r[2] - on[2] * r[1]
    v[4] = on[4] + on[2] * r[0] - on[0] * r[2]
    v[5] = on[5] + on[0] * r[1] - on[1] * r[0]
    inertia, D = own.inertia, own.D
    if own.kind == SPHERICAL:
        for k in range(3):
            s = D[k, 0] * v[0] + D[k, 1] * v[1] + D[k, 2] * v[2]
            x[k] -= s + D[k, 3] * v[3] + D[k, 4] * v[4] + D[k, 5] * v[5]
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
