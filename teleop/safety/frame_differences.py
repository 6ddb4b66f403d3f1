"""How far segments turn and move, compiled: asked of every live frame.

Rotations and positions are those of frames: in C's order, and read-only if they are the
newer ones.
"""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.compiled import Ints, jit_hold_gil, jit_internal
from telexist.retarget.so3 import Array

__all__ = ["angles_between", "distances_between", "farthest_leap", "too_far_bent"]


@jit_internal
def _angle(a: Array, b: Array) -> float:
    """Return the angle between two rotations (3, 3) [rad]."""
    trace = 0.0
    for r in range(3):
        for c in range(3):
            trace += a[r, c] * b[r, c]
    return math.acos(min(max(0.5 * (trace - 1.0), -1.0), 1.0))


@jit_hold_gil
def angles_between(before: Array, after: Array, rows: Ints) -> Array:
    """Return how far each segment has turned (s,) [rad].

    Args:
        before: Rotations of all segments (23, 3, 3).
        after: Rotations of those that are shown (s, 3, 3).
        rows: Which ones they are (s,).
    """
    angles = np.empty(len(rows))
    for k in range(len(rows)):
        angles[k] = _angle(before[rows[k]], after[k])
    return angles


@jit_hold_gil
def distances_between(before: Array, after: Array, rows: Ints) -> Array:
    """Return how far each segment has moved (s,) [m]; as above, (23, 3) and (s, 3)."""
    distances = np.empty(len(rows))
    for k in range(len(rows)):
        square = 0.0
        for i in range(3):
            square += (after[k, i] - before[rows[k], i]) ** 2
        distances[k] = math.sqrt(square)
    return distances


@jit_hold_gil
def farthest_leap(
    ways: Array, elapsed: Array, gap: Array, speed: Array, limits: Array
) -> int:
    """Find the segment that is farthest beyond its reach; -1 if there is none.

    A segment goes on as fast as it was, and speeds up or turns aside while nobody
    looks: its reach is v elapsed + max(least, a gap^2 / 2), where `least` is at most
    what a person and the sensors' noise can do from one sample to the next.

    Args:
        ways: From each segment's last good pose (s,).
        elapsed: Time since then (s,) [s]; not a number where that says nothing.
        gap: The longest of it in which nobody looked (s,) [s].
        speed: Of the segment then (s,).
        limits: Least way, greatest speed and acceleration, noise of each (4, s).
    """
    worst, farthest = -1, 0.0
    for k in range(len(ways)):
        fastest = limits[1, k]
        least = min(limits[0, k], limits[3, k] + limits[2, k] * gap[k] ** 2)
        spurt = min(0.5 * limits[2, k] * gap[k] ** 2, fastest * gap[k])
        reach = min(speed[k], fastest) * elapsed[k] + max(least, spurt)
        if ways[k] - reach > farthest:
            worst, farthest = k, ways[k] - reach
    return worst


@jit_hold_gil
def too_far_bent(rotations: Array, pairs: Ints, most: Array) -> tuple[int, float]:
    """Find the segment that is turned too far from its parent, and how far [rad].

    The row is -1 if there is none.

    Args:
        rotations: Of the segments (s, 3, 3).
        pairs: Rows of segment and parent (k, 2).
        most: Greatest angle of each pair (k,) [rad].
    """
    worst, farthest, bent = -1, 0.0, 0.0
    for k in range(len(pairs)):
        angle = _angle(rotations[pairs[k, 1]], rotations[pairs[k, 0]])
        over = angle - most[k]
        if over > farthest:
            worst, farthest, bent = k, over, angle
    return worst, bent
