"""The LM step of closed and wire-driven chains in link space: [A] (64)-(66).

The unknowns are the motions of the links, and every joint is soft by the compliance mu
where it does not move. Its matrix, as corrected from the print, is

    Lambda = Sigma_L + S' (K' Sigma_Q K + C'C / mu) S + L' Sigma_W L,

sparse and positive definite. C'C = I - K'K, so C itself is never needed. S takes the
motions of two links to that of the joint between them, in world axes at its origin.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Record, jit_internal
from telexist.retarget.lm_pfd.block_cholesky import factor_blocks, solve_blocks
from telexist.retarget.lm_pfd.gradient import along_joint
from telexist.retarget.lm_pfd.records import (
    FIXED,
    FREE,
    PRISMATIC,
    REVOLUTE,
    SPHERICAL,
    Problem,
)
from telexist.retarget.lm_pfd.small_blocks import (
    add_block,
    add_shifted,
    clear_block,
    copy_vector,
)
from telexist.retarget.so3 import Array

__all__ = ["find_link_space_step"]


@jit_internal
def find_link_space_step(m: Problem, damping: float) -> None:
    """Fill x of the joints from their g, with joints soft where they do not move."""
    for i in range(len(m.blocks)):
        clear_block(m.blocks[i].v)
    W, X = np.empty((6, 6)), np.empty((6, 6))
    for i in range(len(m.links)):
        add_block(m.links[i].inertia, _diagonal(m, i))
        _add_joint(m, i, damping, W)
    for i in range(len(m.wires)):
        if m.wires[i].excess > 0.0:
            _add_wire(m, m.wires[i])
    for i in range(len(m.loops)):
        _add_loop(m, m.loops[i], W, X)
    factor_blocks(m.columns, m.blocks, m.updates)
    _load_momentum(m)
    solve_blocks(m.columns, m.blocks)
    _read_motion(m)


@jit_internal
def _diagonal(m: Problem, link: int) -> Array:
    return m.blocks[m.columns[m.links[link].column].first].v


@jit_internal
def _fill_joint_weight(own: Record, damping: float, stiff: float, W: Array) -> None:
    """Fill W = K' Sigma_Q K + C'C / mu of a joint."""
    clear_block(W)
    turns = own.kind == SPHERICAL or own.kind == FREE
    for k in range(3):
        W[k, k] = damping if turns else stiff
        W[3 + k, 3 + k] = damping if own.kind == FREE else stiff
    if own.kind == REVOLUTE or own.kind == PRISMATIC:
        at = 0 if own.kind == REVOLUTE else 3
        for r in range(3):
            for c in range(3):
                W[at + r, at + c] += (damping - stiff) * own.a[r] * own.a[c]


@jit_internal
def _add_joint(m: Problem, i: int, damping: float, W: Array) -> None:
    """Add a joint's weight on its link and its parent."""
    own = m.links[i]
    _fill_joint_weight(own, damping, 1.0 / m.solver[0].compliance, W)
    add_block(W, _diagonal(m, i))
    if own.parent < 0:
        return
    add_shifted(W, own.r, _diagonal(m, own.parent))
    onto = m.blocks[own.coupling].v
    r, first = own.r, own.column < m.links[own.parent].column
    for i in range(3):
        for j in range(3):
            a, b = (i, j) if first else (j, i)
            onto[a, b] -= W[i, j]
            onto[3 + a, 3 + b] -= W[3 + i, 3 + j]
        # row i of W hat(r) is (row i of W) x r
        w0, w1, w2 = W[3 + i, 3], W[3 + i, 4], W[3 + i, 5]
        s0, s1, s2 = w1 * r[2] - w2 * r[1], w2 * r[0] - w0 * r[2], w0 * r[1] - w1 * r[0]
        if first:
            onto[3 + i, 0] += s0
            onto[3 + i, 1] += s1
            onto[3 + i, 2] += s2
        else:
            onto[0, 3 + i] += s0
            onto[1, 3 + i] += s1
            onto[2, 3 + i] += s2


@jit_internal
def _add_wire(m: Problem, wire: Record) -> None:
    """Add a taut wire, sigma L_w' L_w; slack wires have no weight."""
    for k in range(wire.first_pair, wire.end_pair):
        pair = m.pairs[k]
        onto = m.blocks[pair.block].v
        early, late = m.parts[pair.early].row, m.parts[pair.late].row
        for r in range(6):
            f = wire.weight * early[r]
            for c in range(6):
                onto[r, c] += f * late[c]


@jit_internal
def _add_loop(m: Problem, loop: Record, W: Array, X: Array) -> None:
    """Add the stiffness of a loop on both its links."""
    stiff = 1.0 / m.solver[0].loop_compliance
    turning = stiff if loop.turns != 0 else 0.0
    clear_block(W)
    for k in range(3):
        W[k, k], W[3 + k, 3 + k] = turning, stiff
    add_shifted(W, loop.first_arm, _diagonal(m, loop.first))
    add_shifted(W, loop.second_arm, _diagonal(m, loop.second))
    a, b, X_a, X_b = loop.first_arm, loop.second_arm, W, X
    _fill_lever(a, X_a)
    _fill_lever(b, X_b)
    onto = m.blocks[loop.block].v
    first = m.links[loop.first].column < m.links[loop.second].column
    for r in range(6):
        for c in range(6):
            s = 0.0
            for k in range(6):
                s += (turning if k < 3 else stiff) * X_a[k, r] * X_b[k, c]
            if first:
                onto[r, c] -= s
            else:
                onto[c, r] -= s


@jit_internal
def _fill_lever(r: Array, X: Array) -> None:
    """Fill X = [I 0; -hat(r) I]."""
    clear_block(X)
    for k in range(6):
        X[k, k] = 1.0
    X[3, 1], X[3, 2], X[4, 2] = r[2], -r[1], r[0]
    X[4, 0], X[5, 0], X[5, 1] = -r[2], r[1], -r[0]


@jit_internal
def _load_momentum(m: Problem) -> None:
    """Fill the right-hand side S'K'g: [A] (40)."""
    for i in range(len(m.columns)):
        m.columns[i].v[:] = 0.0
    for i in range(len(m.links)):
        own = m.links[i]
        f, r, onto = own.g, own.r, m.columns[own.column].v
        for k in range(6):
            onto[k] += f[k]
        if own.parent >= 0:
            onto = m.columns[m.links[own.parent].column].v
            onto[0] -= f[0] + r[1] * f[5] - r[2] * f[4]
            onto[1] -= f[1] + r[2] * f[3] - r[0] * f[5]
            onto[2] -= f[2] + r[0] * f[4] - r[1] * f[3]
            for k in range(3, 6):
                onto[k] -= f[k]


@jit_internal
def _read_motion(m: Problem) -> None:
    """Fill x from the motions of the links: [A] (39)."""
    v = np.empty(6)
    for i in range(len(m.links)):
        own = m.links[i]
        copy_vector(m.columns[own.column].v, own.motion)
        copy_vector(own.motion, v)
        if own.parent >= 0:
            on, r = m.columns[m.links[own.parent].column].v, own.r
            for k in range(6):
                v[k] -= on[k]
            v[3] -= on[1] * r[2] - on[2] * r[1]
            v[4] -= on[2] * r[0] - on[0] * r[2]
            v[5] -= on[0] * r[1] - on[1] * r[0]
        if own.kind == FIXED:
            own.x[:] = 0.0
        else:
            along_joint(own, v, own.x)
