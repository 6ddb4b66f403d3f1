"""Compiled: the exact posterior of the whole body by Gaussian messages on the tree.

Up, leaves first: what a subtree says to its neighbour towards the base is the wrench it
needs for a given acceleration, f | a ~ N(F a + f0, P), and what it measured of a, as
information (Lam, eta). Down, the base first: means, then the joint covariance of (a, f)
of each link. Nothing is larger than 6 x 6 (12 x 12 for the covariance).
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Ints, Record, Records, jit_internal
from telexist.retarget.dynamics.blocks import (
    add_turned,
    invert,
    multiply,
    multiply_transposed,
    transform,
    transform_back,
)
from telexist.retarget.so3 import Array

__all__ = ["means_down", "messages_up"]


@jit_internal
def messages_up(links: Records, order: Ints, work: Array) -> int:
    """Fill the messages of all links; returns the first link that has none, or -1.

    Args:
        links: Records of `LINK`.
        order: Links from the base outwards (23,).
        work: Room for matrices (w, 6, 6).
    """
    for i in range(len(links)):
        own = links[i]
        own.F[:, :] = own.inertia
        own.P[:, :] = own.V
        own.Lam[:, :] = own.known_Lam
        own.eta[:] = own.known_eta
        for r in range(6):
            own.f0[r] = own.b[r] - own.y[r]
    for back in range(len(order) - 1, -1, -1):
        own = links[order[back]]
        if not invert(own.P, work[0], own.P_inv):
            return order[back]
        if own.above < 0:
            continue
        if not _weigh_joint(own, work):
            return order[back]
        if not _send(own, links[own.above], work):
            return order[back]
    return -1


@jit_internal
def _weigh_joint(own: Record, work: Array) -> bool:
    """Fill LS, C, m, t and TX: what the joint lets through, T = 1 - S C S' Lam.

    C = (D^-1 + S' Lam S)^-1, written so that D may be zero.
    """
    S, LS, C = own.S, own.LS, own.C
    A, B = work[0, :3, :3], work[1, :3, :3]
    for k in range(3):
        for r in range(6):
            total = 0.0
            for j in range(6):
                total += own.Lam[r, j] * S[j, k]
            LS[r, k] = total
    for k in range(3):
        for j in range(3):
            total = 0.0
            for r in range(6):
                total += S[r, k] * LS[r, j]
            total *= np.sqrt(own.D[k] * own.D[j])
            A[k, j] = total + 1.0 if k == j else total
    if not invert(A, B, C):
        return False
    for k in range(3):
        for j in range(3):
            C[k, j] *= np.sqrt(own.D[k] * own.D[j])
    # m = c + S s0; t = T m + S C S' eta; all by the joint's own coordinates
    u, v = work[2, 0], work[2, 1]
    for r in range(6):
        own.m[r] = own.c[r] + S[r, 0] * own.s0[0] + S[r, 1] * own.s0[1]
        own.m[r] += S[r, 2] * own.s0[2]
    for k in range(3):
        u[k] = 0.0
        for r in range(6):
            u[k] += S[r, k] * own.eta[r] - LS[r, k] * own.m[r]
    for k in range(3):
        v[k] = C[k, 0] * u[0] + C[k, 1] * u[1] + C[k, 2] * u[2]
    for r in range(6):
        own.t[r] = own.m[r] + S[r, 0] * v[0] + S[r, 1] * v[1] + S[r, 2] * v[2]
    _let_through(own, work)
    return True


@jit_internal
def _let_through(own: Record, work: Array) -> None:
    """Fill TX = X - S C (LS' X)."""
    S, C, X = own.S, own.C, own.X
    G, CG = work[0, :3], work[1, :3]
    for k in range(3):
        for c in range(6):
            total = 0.0
            for r in range(6):
                total += own.LS[r, k] * X[r, c]
            G[k, c] = total
    for k in range(3):
        for c in range(6):
            CG[k, c] = C[k, 0] * G[0, c] + C[k, 1] * G[1, c] + C[k, 2] * G[2, c]
    for r in range(6):
        for c in range(6):
            TX = X[r, c] - S[r, 0] * CG[0, c] - S[r, 1] * CG[1, c]
            own.TX[r, c] = TX - S[r, 2] * CG[2, c]


@jit_internal
def _send(own: Record, onto: Record, work: Array) -> bool:
    """Fill H, h and PC, and add the messages to the link towards the base."""
    C, LS = own.C, own.LS
    W, FS, u = work[0], work[1], work[2, 0]
    for r in range(6):  # W = Lam T
        for c in range(6):
            total = own.Lam[r, c]
            for k in range(3):
                lc = C[k, 0] * LS[c, 0] + C[k, 1] * LS[c, 1] + C[k, 2] * LS[c, 2]
                total -= LS[r, k] * lc
            W[r, c] = total
    add_turned(own.X, W, work[3], onto.Lam)
    # eta - Lam t is what T' eta - W m comes to
    transform(own.Lam, own.t, u)
    for r in range(6):
        u[r] = own.eta[r] - u[r]
    transform_back(own.X, u, onto.eta)

    multiply(own.F, own.TX, own.H)
    transform(own.F, own.t, own.h)
    for r in range(6):
        own.h[r] += own.f0[r]
        for k in range(3):
            total = 0.0
            for j in range(6):
                total += own.F[r, j] * own.S[j, k]
            FS[r, k] = total
    for r in range(6):
        for k in range(3):
            FS[r, k + 3] = FS[r, 0] * C[0, k] + FS[r, 1] * C[1, k] + FS[r, 2] * C[2, k]
    for r in range(6):
        for c in range(6):
            total = own.P[r, c]
            for k in range(3):
                total += FS[r, k + 3] * FS[c, k]
            own.PC[r, c] = total
    multiply_transposed(own.X, own.H, onto.F)
    transform_back(own.X, own.h, onto.f0)
    add_turned(own.X, own.PC, work[3], onto.P)
    if not invert(own.PC, work[3], own.PC_inv):
        return False
    for k in range(3):  # Ks = C (F S)' PC^-1
        for c in range(6):
            total = 0.0
            for r in range(6):
                total += FS[r, k + 3] * own.PC_inv[r, c]
            own.Ks[k, c] = total
    return True


@jit_internal
def means_down(links: Records, order: Ints, work: Array) -> bool:
    """Fill a, f, fx, dds and tau of all links, and the gains K; returns success."""
    base = links[order[0]]
    if not _solve_base(base, work):
        return False
    e = work[2, 0]
    for i in order:
        own = links[i]
        if own.above >= 0:
            _follow(own, links[own.above], work)
        transform(own.F, own.a, e)
        for r in range(6):
            e[r] = own.f[r] - e[r] - own.f0[r]
        transform(own.P_inv, e, own.pull)
        transform(own.V, own.pull, own.fx)
        for r in range(6):
            own.fx[r] = own.y[r] - own.fx[r]
    return True


@jit_internal
def _solve_base(own: Record, work: Array) -> bool:
    """Fill a, f = 0 and their covariance: nothing carries the base."""
    A, inverse, u = work[0], work[1], work[2, 2]
    A[:, :] = own.Lam
    add_turned(own.F, own.P_inv, work[3], A)
    if not invert(A, work[3], inverse):
        return False
    transform(own.P_inv, own.f0, work[2, 3])
    for r in range(6):
        work[2, 3, r] = -work[2, 3, r]
        u[r] = own.eta[r]
    transform_back(own.F, work[2, 3], u)
    transform(inverse, u, own.a)
    for r in range(12):
        for c in range(12):
            own.cov[r, c] = inverse[r, c] if r < 6 and c < 6 else 0.0
    for r in range(6):
        own.f[r] = 0.0
    return True


@jit_internal
def _follow(own: Record, above: Record, work: Array) -> None:
    """Fill K, a, f, dds and tau of a link from the one towards the base."""
    PX, x, g, u = work[0], work[1, 0], work[1, 1], work[1, 2]
    multiply(own.PC, own.X, PX)
    multiply(PX, above.P_inv, own.K)
    transform(PX, above.pull, g)
    transform(own.H, above.a, own.f)
    transform(own.X, above.a, x)
    for r in range(6):
        own.f[r] += own.h[r] + g[r]
        x[r] += own.m[r]
    for k in range(3):
        u[k] = 0.0
        for r in range(6):
            u[k] += own.S[r, k] * own.eta[r] - own.LS[r, k] * x[r]
    for k in range(3):
        step = 0.0
        for r in range(6):
            step += own.Ks[k, r] * g[r]
        for j in range(3):
            step += own.C[k, j] * u[j]
        own.dds[k] = own.s0[k] + step
        u[k + 3] = step
    for r in range(6):
        own.a[r] = x[r]
        for k in range(3):
            own.a[r] += own.S[r, k] * u[k + 3]
    for k in range(3):
        own.tau[k] = 0.0
        for r in range(6):
            own.tau[k] += own.S[r, k] * own.f[r]
