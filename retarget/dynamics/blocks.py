"""Compiled pieces of the recursion: products and inverses of 6 x 6 matrices."""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import jit_internal
from telexist.retarget.so3 import Array

__all__ = [
    "add_turned",
    "invert",
    "multiply",
    "multiply_transposed",
    "transform",
    "transform_back",
]


@jit_internal
def multiply(A: Array, B: Array, out: Array) -> None:
    """Fill out = A B, all (6, 6); `out` must be another array."""
    for r in range(6):
        c0 = c1 = c2 = c3 = c4 = c5 = 0.0
        for k in range(6):
            x = A[r, k]
            c0 += x * B[k, 0]
            c1 += x * B[k, 1]
            c2 += x * B[k, 2]
            c3 += x * B[k, 3]
            c4 += x * B[k, 4]
            c5 += x * B[k, 5]
        out[r, 0], out[r, 1], out[r, 2] = c0, c1, c2
        out[r, 3], out[r, 4], out[r, 5] = c3, c4, c5


@jit_internal
def multiply_transposed(A: Array, B: Array, out: Array) -> None:
    """Add A' B to out, all (6, 6); `out` must be another array."""
    for r in range(6):
        c0, c1, c2 = out[r, 0], out[r, 1], out[r, 2]
        c3, c4, c5 = out[r, 3], out[r, 4], out[r, 5]
        for k in range(6):
            x = A[k, r]
            c0 += x * B[k, 0]
            c1 += x * B[k, 1]
            c2 += x * B[k, 2]
            c3 += x * B[k, 3]
            c4 += x * B[k, 4]
            c5 += x * B[k, 5]
        out[r, 0], out[r, 1], out[r, 2] = c0, c1, c2
        out[r, 3], out[r, 4], out[r, 5] = c3, c4, c5


@jit_internal
def add_turned(X: Array, A: Array, work: Array, onto: Array) -> None:
    """Add X' A X to `onto`, all (6, 6)."""
    multiply(A, X, work)
    multiply_transposed(X, work, onto)


@jit_internal
def transform(A: Array, v: Array, out: Array) -> None:
    """Fill out = A v."""
    for r in range(A.shape[0]):
        total = 0.0
        for k in range(A.shape[1]):
            total += A[r, k] * v[k]
        out[r] = total


@jit_internal
def transform_back(A: Array, v: Array, onto: Array) -> None:
    """Add A' v to `onto`."""
    for k in range(A.shape[0]):
        x = v[k]
        for r in range(A.shape[1]):
            onto[r] += A[k, r] * x


@jit_internal
def invert(A: Array, work: Array, out: Array) -> bool:
    """Fill out with the inverse of a symmetric positive definite matrix (n, n).

    By its Cholesky factor L: out = L^-T L^-1. Returns whether there is one.
    """
    n = A.shape[0]
    for c in range(n):
        for r in range(c, n):
            x = A[r, c]
            for k in range(c):
                x -= work[r, k] * work[c, k]
            if r == c:
                if not x > 0.0:
                    return False
                work[c, c] = 1.0 / np.sqrt(x)
            else:
                work[r, c] = x * work[c, c]
    for c in range(n):  # L^-1 above the diagonal, as its transpose
        for r in range(c + 1, n):
            x = -work[r, c] * work[c, c]
            for k in range(c + 1, r):
                x -= work[r, k] * work[c, k]
            work[c, r] = x * work[r, r]
    for r in range(n):
        for c in range(r, n):
            x = 0.0
            for k in range(c, n):
                left = work[r, k]
                right = work[c, k]
                x += left * right
            out[r, c] = x
            out[c, r] = x
    return True
