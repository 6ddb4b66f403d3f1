"""A ball joint in the articulated-body pass: its six-by-six algebra, written out.

A compiler that must fear that arrays overlap loads every entry anew; here each is read
once and written once.
"""

from __future__ import annotations

from telexist.retarget.compiled import Record
from telexist.retarget.lm_pfd.inlined import inlined
from telexist.retarget.lm_pfd.small_blocks import invert_3
from telexist.retarget.so3 import Array

__all__ = ["gather_spherical"]


@inlined
def gather_spherical(own: Record, damping: float, behind: Array) -> None:
    """Pass a ball joint from tip to root; x gets D^-1 u, momentum (70).

    With the inertia [A H; H' M] and D = A + damping, P = D^-1 [A H] goes into the first
    rows of `own.D`, and [damping P; . M - H' D^-1 H] into the upper part of `behind`.
    """
    inertia, P, p, x, g = own.inertia, own.D, own.momentum, own.x, own.g
    d00, d01, d02, d11, d12, d22 = invert_3(inertia, damping)
    a00, a01, a02 = inertia[0, 0], inertia[0, 1], inertia[0, 2]
    a11, a12, a22 = inertia[1, 1], inertia[1, 2], inertia[2, 2]
    h00, h01, h02 = inertia[0, 3], inertia[0, 4], inertia[0, 5]
    h10, h11, h12 = inertia[1, 3], inertia[1, 4], inertia[1, 5]
    h20, h21, h22 = inertia[2, 3], inertia[2, 4], inertia[2, 5]
    u0, u1, u2 = g[0] - p[0], g[1] - p[1], g[2] - p[2]
    x0 = d00 * u0 + d01 * u1 + d02 * u2
    x1 = d01 * u0 + d11 * u1 + d12 * u2
    x2 = d02 * u0 + d12 * u1 + d22 * u2
    x[0], x[1], x[2] = x0, x1, x2
    x[3] = x[4] = x[5] = 0.0
    p[0] += a00 * x0 + a01 * x1 + a02 * x2
    p[1] += a01 * x0 + a11 * x1 + a12 * x2
    p[2] += a02 * x0 + a12 * x1 + a22 * x2
    p[3] += h00 * x0 + h10 * x1 + h20 * x2
    p[4] += h01 * x0 + h11 * x1 + h21 * x2
    p[5] += h02 * x0 + h12 * x1 + h22 * x2
    # D^-1 A is symmetric
    p00 = d00 * a00 + d01 * a01 + d02 * a02
    p01 = d00 * a01 + d01 * a11 + d02 * a12
    p02 = d00 * a02 + d01 * a12 + d02 * a22
    p11 = d01 * a01 + d11 * a11 + d12 * a12
    p12 = d01 * a02 + d11 * a12 + d12 * a22
    p22 = d02 * a02 + d12 * a12 + d22 * a22
    q00 = d00 * h00 + d01 * h10 + d02 * h20
    q01 = d00 * h01 + d01 * h11 + d02 * h21
    q02 = d00 * h02 + d01 * h12 + d02 * h22
    q10 = d01 * h00 + d11 * h10 + d12 * h20
    q11 = d01 * h01 + d11 * h11 + d12 * h21
    q12 = d01 * h02 + d11 * h12 + d12 * h22
    q20 = d02 * h00 + d12 * h10 + d22 * h20
    q21 = d02 * h01 + d12 * h11 + d22 * h21
    q22 = d02 * h02 + d12 * h12 + d22 * h22
    P[0, 0], P[0, 1], P[0, 2] = p00, p01, p02
    P[0, 3], P[0, 4], P[0, 5] = q00, q01, q02
    P[1, 0], P[1, 1], P[1, 2] = p01, p11, p12
    P[1, 3], P[1, 4], P[1, 5] = q10, q11, q12
    P[2, 0], P[2, 1], P[2, 2] = p02, p12, p22
    P[2, 3], P[2, 4], P[2, 5] = q20, q21, q22
    behind[0, 0] = damping * p00
    behind[0, 1] = damping * p01
    behind[0, 2] = damping * p02
    behind[1, 1] = damping * p11
    behind[1, 2] = damping * p12
    behind[2, 2] = damping * p22
    behind[0, 3] = damping * q00
    behind[0, 4] = damping * q01
    behind[0, 5] = damping * q02
    behind[1, 3] = damping * q10
    behind[1, 4] = damping * q11
    behind[1, 5] = damping * q12
    behind[2, 3] = damping * q20
    behind[2, 4] = damping * q21
    behind[2, 5] = damping * q22
    s = h00 * q00 + h10 * q10 + h20 * q20
    behind[3, 3] = inertia[3, 3] - s
    s = h00 * q01 + h10 * q11 + h20 * q21
    behind[3, 4] = inertia[3, 4] - s
    s = h00 * q02 + h10 * q12 + h20 * q22
    behind[3, 5] = inertia[3, 5] - s
    s = h01 * q01 + h11 * q11 + h21 * q21
    behind[4, 4] = inertia[4, 4] - s
    s = h01 * q02 + h11 * q12 + h21 * q22
    behind[4, 5] = inertia[4, 5] - s
    s = h02 * q02 + h12 * q12 + h22 * q22
    behind[5, 5] = inertia[5, 5] - s
