"""Directions that most frames share, and axes made of them."""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array, angle_between

__all__ = ["basis_of_left", "basis_of_up", "robust_mean", "turn_between", "units"]

_ROUNDS = 20


def units(vectors: Array) -> Array:
    """Return vectors (t, 3) with unit length."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12))


def _unit(vector: Array) -> Array:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12))


def robust_mean(directions: Array, weights: Array) -> tuple[Array, float]:
    """Return the direction that most of (t, 3) share, and how far they are from it.

    Geometric median by reweighting; the spread is the weighted median angle [rad].
    """
    mean = _unit(weights @ directions)
    for _ in range(_ROUNDS):
        off = np.linalg.norm(directions - mean, axis=-1)
        mean = _unit((weights / np.maximum(off, 0.02)) @ directions)
    angles = angle_between(directions, mean)
    order = np.argsort(angles)
    total = np.cumsum(weights[order])
    middle = int(np.searchsorted(total, total[-1] / 2.0))
    return mean, float(angles[order[min(middle, len(order) - 1)]])


def basis_of_up(up: Array, left: Array) -> Array:
    """Return `neutral_R_own` with z exactly up and y as close to left as possible."""
    z = _unit(up)
    y = _unit(left - (left @ z) * z)
    return np.stack([np.cross(y, z), y, z])


def basis_of_left(left: Array, up: Array) -> Array:
    """Return `neutral_R_own` with y exactly left and z as close to up as possible."""
    y = _unit(left)
    z = _unit(up - (up @ y) * y)
    return np.stack([np.cross(y, z), y, z])


def turn_between(A: Array, B: Array) -> float:
    """Return the angle from one rotation to another [rad]."""
    cosine = (float(np.trace(A @ B.T)) - 1.0) / 2.0
    return float(np.arccos(np.clip(cosine, -1.0, 1.0)))
