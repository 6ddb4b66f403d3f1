"""Compiled sparse Cholesky factorisation in blocks of 6 x 6, with a fixed pattern."""

from __future__ import annotations

from telexist.retarget.compiled import Ints, Records, jit_internal
from telexist.retarget.lm_pfd.inlined import inlined
from telexist.retarget.lm_pfd.small_blocks import factor, solve_lower, solve_upper
from telexist.retarget.so3 import Array

__all__ = ["factor_blocks", "solve_blocks"]


@jit_internal
def factor_blocks(columns: Records, blocks: Records, updates: Ints) -> None:
    """Replace the upper blocks of a matrix by those of U with U'U = matrix."""
    for k in range(len(columns)):
        own = columns[k]
        U = blocks[own.first].v
        factor(U)
        for s in range(own.first + 1, own.end):
            _solve_rows(U, blocks[s].v)
        u = own.first_update
        for s in range(own.first + 1, own.end):
            for t in range(s, own.end):
                _subtract_product(blocks[s].v, blocks[t].v, blocks[updates[u]].v)
                u += 1


@inlined
def _solve_rows(U: Array, B: Array) -> None:
    """Replace B by the solution of U'X = B."""
    for r in range(6):
        for i in range(r):
            f = U[i, r]
            for c in range(6):
                B[r, c] -= f * B[i, c]
        f = U[r, r]
        for c in range(6):
            B[r, c] *= f


@inlined
def _subtract_product(A: Array, B: Array, onto: Array) -> None:
    """Take A'B from a block."""
    for r in range(6):
        a0, a1, a2 = A[0, r], A[1, r], A[2, r]
        a3, a4, a5 = A[3, r], A[4, r], A[5, r]
        for c in range(6):
            s = a0 * B[0, c] + a1 * B[1, c] + a2 * B[2, c]
            onto[r, c] -= s + a3 * B[3, c] + a4 * B[4, c] + a5 * B[5, c]


@jit_internal
def solve_blocks(columns: Records, blocks: Records) -> None:
    """Replace the right-hand side `v` of the columns by the solution."""
    n = len(columns)
    for k in range(n):
        own = columns[k]
        v = own.v
        solve_lower(blocks[own.first].v, v)
        for s in range(own.first + 1, own.end):
            B, late = blocks[s].v, columns[blocks[s].column].v
            for r in range(6):
                for c in range(6):
                    late[c] -= B[r, c] * v[r]
    for k in range(n - 1, -1, -1):
        own = columns[k]
        v = own.v
        for s in range(own.first + 1, own.end):
            B, late = blocks[s].v, columns[blocks[s].column].v
            for r in range(6):
                for c in range(6):
                    v[r] -= B[r, c] * late[c]
        solve_upper(blocks[own.first].v, v)
