"""Streams of different rates on one grid of times."""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["grid", "newest_before", "stretches"]


def grid(begin: float, end: float, fps: float) -> Array:
    """Return the times from `begin` to `end`, both included, `fps` a second [s]."""
    count = int(np.floor((end - begin) * fps + 1e-9)) + 1
    return begin + np.arange(max(count, 0)) / fps


def newest_before(stamps: Array, times: Array) -> np.ndarray:
    """Return for each time the index of the newest sample that was there by then.

    Args:
        stamps: Of the samples (t,); one that goes back counts as its predecessor's.
        times: Not before the first sample (k,).
    """
    rising = np.maximum.accumulate(stamps)
    return np.maximum(np.searchsorted(rising, times, side="right") - 1, 0)


def stretches(flags: np.ndarray) -> list[tuple[int, int]]:
    """Return first and last index of each run of true flags (t,)."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.astype(np.int8), [0]))))
    return [(int(a), int(b) - 1) for a, b in edges.reshape(-1, 2)]
