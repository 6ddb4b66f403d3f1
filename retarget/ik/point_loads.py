"""Weights and forces on points of bodies, compiled."""

from __future__ import annotations

from telexist.retarget.compiled import jit_internal
from telexist.retarget.so3 import Array

__all__ = ["add_force", "push_point"]


@jit_internal
def push_point(inertia: Array, c: Array, w: Array) -> None:
    """Add weights w (3,) on the place of the point c from the reference.

    The point moves by v + omega x c: with B = [-S(c), 1] the inertia gains B'wB.
    """
    for k in range(3):
        s = w[k]
        if s == 0.0:
            continue
        i, j = (k + 1) % 3, (k + 2) % 3
        # row k of B: omega_i c_j - omega_j c_i + v_k
        a, b, v = c[j], -c[i], 3 + k
        inertia[i, i] += s * a * a
        inertia[j, j] += s * b * b
        inertia[v, v] += s
        inertia[min(i, j), max(i, j)] += s * a * b
        inertia[i, v] += s * a
        inertia[j, v] += s * b


@jit_internal
def add_force(force: Array, c: Array, f0: float, f1: float, f2: float) -> None:
    """Add the force f on the point c from the reference."""
    force[0] += c[1] * f2 - c[2] * f1
    force[1] += c[2] * f0 - c[0] * f2
    force[2] += c[0] * f1 - c[1] * f0
    force[3] += f0
    force[4] += f1
    force[5] += f2
