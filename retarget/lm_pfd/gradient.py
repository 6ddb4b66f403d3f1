"""The gradient by one recursion from the tips to the root, without Jacobians: [A] [27].

What pushes on a link pushes on every joint below it, so summing the pushes up the tree
gives J' (Sigma_L e + L' Sigma_W d) in O(N).
"""

from __future__ import annotations

from telexist.retarget.compiled import Record, Records, jit_internal
from telexist.retarget.lm_pfd.records import FIXED, PRISMATIC, REVOLUTE, SPHERICAL
from telexist.retarget.so3 import Array

__all__ = ["along_joint", "find_gradient"]


@jit_internal
def find_gradient(links: Records) -> float:
    """Fill g of the joints; on return `push` is that of the whole branch.

    Returns:
        The largest entry of g.
    """
    largest = 0.0
    for i in range(len(links) - 1, -1, -1):
        own = links[i]
        along_joint(own, own.push, own.g)
        for k in range(6):
            largest = max(largest, abs(own.g[k]))
        if own.parent >= 0:
            f, r, onto = own.push, own.r, links[own.parent].push
            onto[0] += f[0] + r[1] * f[5] - r[2] * f[4]
            onto[1] += f[1] + r[2] * f[3] - r[0] * f[5]
            onto[2] += f[2] + r[0] * f[4] - r[1] * f[3]
            onto[3] += f[3]
            onto[4] += f[4]
            onto[5] += f[5]
    return largest


@jit_internal
def along_joint(own: Record, v: Array, out: Array) -> None:
    """Fill out with the part of a six-vector along the joint: K'K v of [A] (27)."""
    if own.kind == SPHERICAL:
        out[0], out[1], out[2] = v[0], v[1], v[2]
        out[3] = out[4] = out[5] = 0.0
        return
    if own.kind == REVOLUTE or own.kind == PRISMATIC:
        at = 0 if own.kind == REVOLUTE else 3
        s = own.a[0] * v[at] + own.a[1] * v[at + 1] + own.a[2] * v[at + 2]
        for k in range(6):
            out[k] = 0.0
        for k in range(3):
            out[at + k] = s * own.a[k]
        return
    share = 0.0 if own.kind == FIXED else 1.0
    for k in range(6):
        out[k] = share * v[k]
