"""How far segments turn and move, compiled: asked of every live frame.

Each function returns the row that is farthest over what it may, and how far it turned
[rad] or moved [m]; -1 if there is none over. Rotations and positions are those of
frames: in C's order and read-only.
"""

from __future__ import annotations

import math

from retarget.compiled import brief, inner

__all__ = ["too_far_bent", "too_far_moved", "too_far_turned"]


@inner
def _angle(a, b):  # type: ignore[no-untyped-def]
    """Return the angle between two rotations (3, 3) [rad]."""
    trace = 0.0
    for r in range(3):
        for c in range(3):
            trace += a[r, c] * b[r, c]
    return math.acos(min(max(0.5 * (trace - 1.0), -1.0), 1.0))


@brief
def too_far_turned(before, after, least, most, shares):  # type: ignore[no-untyped-def]
    """Find the segment that turned too far between two frames.

    Args:
        before: Rotations (s, 3, 3).
        after: Rotations (s, 3, 3).
        least: Angle that every segment may turn [rad].
        most: Angle that a limb may turn in this time [rad].
        shares: Of that, for each segment (s,).
    """
    worst, farthest, turned = -1, 0.0, 0.0
    for k in range(len(shares)):
        angle = _angle(before[k], after[k])
        over = angle - max(least, most * shares[k])
        if over > farthest:
            worst, farthest, turned = k, over, angle
    return worst, turned


@brief
def too_far_moved(before, after, least, most, shares):  # type: ignore[no-untyped-def]
    """Find the segment that moved too far between two frames; as above, (s, 3) [m]."""
    worst, farthest, moved = -1, 0.0, 0.0
    for k in range(len(shares)):
        square = 0.0
        for i in range(3):
            square += (after[k, i] - before[k, i]) ** 2
        way = math.sqrt(square)
        over = way - max(least, most * shares[k])
        if over > farthest:
            worst, farthest, moved = k, over, way
    return worst, moved


@brief
def too_far_bent(rotations, pairs, most):  # type: ignore[no-untyped-def]
    """Find the segment that is turned too far from its parent.

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
