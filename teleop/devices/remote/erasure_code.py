"""Pieces and spare pieces: any k of the k + m give the k back.

Spare piece j is the sum over i of C[j, i] times piece i in GF(256), byte by byte, with
the Cauchy matrix C[j, i] = 1 / (x_j + y_i), x_j = 255 - j, y_i = i. Every square part
of it can be inverted (Blomer et al., An XOR-Based Erasure-Resilient Coding Scheme,
1995).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

__all__ = ["MOST_PIECES", "restore", "spare_pieces"]

MOST_PIECES = 255  # k + m
POLYNOMIAL = 0x11D


@lru_cache(maxsize=1)
def _tables() -> tuple[np.ndarray, np.ndarray]:
    """Return products (256, 256) and inverses (256,) in GF(256)."""
    powers, logs, x = np.zeros(510, dtype=np.uint8), np.zeros(256, dtype=int), 1
    for k in range(255):
        powers[k] = powers[k + 255] = x
        logs[x] = k
        x = x << 1 ^ (POLYNOMIAL if x & 0x80 else 0)
    products = powers[logs[:, None] + logs[None, :]]
    products[0, :] = products[:, 0] = 0
    inverses = powers[(255 - logs) % 255]
    return products, inverses


def _cauchy(spares: np.ndarray, pieces: np.ndarray) -> np.ndarray:
    return _tables()[1][(255 - spares)[:, None] ^ pieces[None, :]]


def spare_pieces(pieces: np.ndarray, count: int) -> np.ndarray:
    """Return spare pieces (count, size) uint8 for pieces (k, size) uint8."""
    matrix = _cauchy(np.arange(count), np.arange(len(pieces)))
    return _times(matrix, pieces)


def restore(found: Mapping[int, np.ndarray], count: int) -> np.ndarray:
    """Return all pieces (count, size) from any `count` of them and their spares.

    Args:
        found: Pieces by number; `count` and higher are spare ones.
        count: How many pieces there are without spares.
    """
    size = len(next(iter(found.values())))
    whole = np.zeros((count, size), dtype=np.uint8)
    there = sorted(k for k in found if k < count)
    for k in there:
        whole[k] = found[k]
    missing = np.array([k for k in range(count) if k not in found], dtype=int)
    if not len(missing):
        return whole
    spares = np.array(sorted(k for k in found if k >= count)[: len(missing)]) - count
    known = np.array(there, dtype=int)
    rest = np.array([found[count + int(j)] for j in spares])
    if len(known):
        rest = rest ^ _times(_cauchy(spares, known), whole[known])
    whole[missing] = _times(_inverse(_cauchy(spares, missing)), rest)
    return whole


def _times(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    products, _ = _tables()
    out = np.zeros((len(a), b.shape[1]), dtype=np.uint8)
    for j in range(len(a)):
        for i in range(len(b)):
            out[j] ^= products[a[j, i]][b[i]]
    return out


def _inverse(matrix: np.ndarray) -> np.ndarray:
    """Return the inverse of a small square matrix by elimination."""
    n, (products, inverses) = len(matrix), _tables()
    work = np.hstack([matrix, np.eye(n, dtype=np.uint8)])
    for k in range(n):
        pivot = k + int(np.flatnonzero(work[k:, k])[0])
        work[[k, pivot]] = work[[pivot, k]]
        work[k] = products[inverses[work[k, k]]][work[k]]
        for row in range(n):
            if row != k and work[row, k]:
                work[row] ^= products[work[row, k]][work[k]]
    return work[:, n:]
