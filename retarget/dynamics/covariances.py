"""Compiled: how certain everything is, from the base outwards.

With z = (a, f) of the link towards the base, that of the next one is z' = A z + noise;
its covariance is A cov A' + noise. Joint accelerations, torques and external wrenches
are linear in z.
"""

from __future__ import annotations

from telexist.retarget.compiled import Ints, Record, Records, jit_internal
from telexist.retarget.dynamics.blocks import multiply
from telexist.retarget.so3 import Array

__all__ = ["covariances_down"]


@jit_internal
def covariances_down(links: Records, order: Ints, work: Array, wide: Array) -> None:
    """Fill cov, cov_dds, cov_tau and cov_fx of all links.

    Args:
        links: Records of `LINK` after `means_down`.
        order: Links from the base outwards (23,).
        work: Room for matrices (w, 6, 6).
        wide: Room for matrices (3, 12, 12).
    """
    for i in order:
        own = links[i]
        if own.above >= 0:
            above = links[own.above]
            _transition(own, above, work, wide[0])
            _carry_covariance(own, above, work, wide)
        _wrench_covariance(own, work, wide[1])


@jit_internal
def _transition(own: Record, above: Record, work: Array, A: Array) -> None:
    """Fill A (12, 12); the joint's own part of it goes to work[4:6]."""
    KF, KsK, Bs = work[0], work[1], work[2]
    multiply(own.K, above.F, KF)
    S, X = own.S, own.X
    for k in range(3):
        for c in range(6):
            low = high = 0.0
            for r in range(6):
                low += own.Ks[k, r] * KF[r, c]
                high += own.Ks[k, r] * own.K[r, c]
            KsK[k, c] = high
            Bs[k, c] = -low
    for k in range(3):
        for c in range(6):
            total = 0.0
            for r in range(6):
                total += own.LS[r, k] * X[r, c]
            Bs[k + 3, c] = total
    for k in range(3):
        for c in range(6):
            for j in range(3):
                Bs[k, c] -= own.C[k, j] * Bs[j + 3, c]
    for r in range(6):
        for c in range(6):
            A[r, c] = X[r, c]
            A[r, c + 6] = 0.0
            for k in range(3):
                A[r, c] += S[r, k] * Bs[k, c]
                A[r, c + 6] += S[r, k] * KsK[k, c]
            A[r + 6, c] = own.H[r, c] - KF[r, c]
            A[r + 6, c + 6] = own.K[r, c]


@jit_internal
def _carry_covariance(own: Record, above: Record, work: Array, wide: Array) -> None:
    """Fill cov, cov_dds and cov_tau."""
    A, G, AC = wide[0], wide[1], wide[2]
    for k in range(3):
        for c in range(6):
            G[k, c], G[k, c + 6] = work[2, k, c], work[1, k, c]
    noise, PX, KsN, FS = work[3], work[0], work[4], work[5]
    multiply(own.PC, own.X, PX)
    for r in range(6):  # noise of f: PC - K (PC X)'
        for c in range(6):
            total = own.PC[r, c]
            for k in range(6):
                total -= own.K[r, k] * PX[c, k]
            noise[r, c] = total
    for k in range(3):
        for c in range(6):
            total = 0.0
            for r in range(6):
                total += own.Ks[k, r] * noise[r, c]
            KsN[k, c] = total
    for r in range(6):  # F S C
        for k in range(3):
            total = 0.0
            for j in range(6):
                total += own.F[r, j] * own.S[j, k]
            FS[r, k + 3] = total
    for r in range(6):
        for k in range(3):
            FS[r, k] = (
                FS[r, 3] * own.C[0, k] + FS[r, 4] * own.C[1, k] + FS[r, 5] * own.C[2, k]
            )
    Q = work[1]
    for k in range(3):  # noise of s'' given f's and z, with f's
        for j in range(3):
            total = own.C[k, j]
            for r in range(6):
                total += KsN[k, r] * own.Ks[j, r] - own.Ks[k, r] * FS[r, j]
            Q[k, j] = total
    _sandwich(A, above.cov, AC, own.cov)
    _add_noise(own, noise, KsN, Q)
    _joint_covariances(own, above.cov, G, AC, Q)


@jit_internal
def _sandwich(A: Array, B: Array, AB: Array, out: Array) -> None:
    """Fill AB = A B and out = A B A' for a symmetric B, (12, 12)."""
    for r in range(12):
        for c in range(12):
            AB[r, c] = 0.0
        for k in range(12):
            x = A[r, k]
            for c in range(12):
                AB[r, c] += x * B[k, c]
    for r in range(12):
        for c in range(r + 1):
            total = 0.0
            for k in range(12):
                total += AB[r, k] * A[c, k]
            out[r, c] = total
            out[c, r] = total


@jit_internal
def _add_noise(own: Record, noise: Array, KsN: Array, Q: Array) -> None:
    cov, S = own.cov, own.S
    for r in range(6):
        for c in range(6):
            SKsN = S[r, 0] * KsN[0, c] + S[r, 1] * KsN[1, c] + S[r, 2] * KsN[2, c]
            cov[r, c + 6] += SKsN
            cov[c + 6, r] += SKsN
            cov[r + 6, c + 6] += noise[r, c]
            for k in range(3):
                SQ = S[r, 0] * Q[0, k] + S[r, 1] * Q[1, k] + S[r, 2] * Q[2, k]
                cov[r, c] += SQ * S[c, k]


@jit_internal
def _joint_covariances(own: Record, cov: Array, G: Array, GC: Array, Q: Array) -> None:
    """Fill cov_dds = G cov G' + Q and cov_tau = S' cov(f) S."""
    for k in range(3):
        for c in range(12):
            GC[k, c] = 0.0
        for j in range(12):
            x = G[k, j]
            for c in range(12):
                GC[k, c] += x * cov[j, c]
    for k in range(3):
        for j in range(3):
            total = Q[k, j]
            for c in range(12):
                total += GC[k, c] * G[j, c]
            own.cov_dds[k, j] = total
    for k in range(3):
        for c in range(6):
            GC[k, c] = 0.0
            for r in range(6):
                GC[k, c] += own.S[r, k] * own.cov[r + 6, c + 6]
    for k in range(3):
        for j in range(3):
            total = 0.0
            for c in range(6):
                total += GC[k, c] * own.S[c, j]
            own.cov_tau[k, j] = total


@jit_internal
def _wrench_covariance(own: Record, work: Array, wide: Array) -> None:
    """Fill cov_fx = V - U V + U (F, -1) cov (F, -1)' U' with U = V P^-1."""
    U, UF, UB = work[0], work[1], work[2]
    multiply(own.V, own.P_inv, U)
    multiply(U, own.F, UF)
    cov = own.cov
    for r in range(6):  # (UF, -U) cov, in the first six rows of `wide`
        for c in range(12):
            wide[r, c] = 0.0
        for k in range(6):
            x, y = UF[r, k], U[r, k]
            for c in range(12):
                wide[r, c] += x * cov[k, c] - y * cov[k + 6, c]
    multiply(U, own.V, UB)
    for r in range(6):
        for c in range(r + 1):
            total = own.V[r, c] - UB[r, c]
            for k in range(6):
                total += wide[r, k] * UF[c, k] - wide[r, k + 6] * U[c, k]
            own.cov_fx[r, c] = total
            own.cov_fx[c, r] = total
