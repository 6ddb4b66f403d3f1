"""The area on the floor in which the centre of pressure can be."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from telexist.retarget.compiled import jit_hold_gil
from telexist.retarget.robot_body import Sole
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.terms import Measured

__all__ = ["SupportPolygon", "sole_corners_on_floor", "support_corners"]


def sole_corners_on_floor(
    sole: Sole, world_p_sole: Array, world_R_sole: Array, *, share: float = 1.0
) -> Array:
    """Return the corners of a sole seen from above (4, 2) [m].

    Args:
        sole: Its size.
        world_p_sole: Its middle (3,).
        world_R_sole: Its axes (3, 3).
        share: Of the size that is used.
    """
    x, y = 0.5 * share * sole.length, 0.5 * share * sole.width
    return _corners(x, y, world_p_sole, world_R_sole)


def support_corners(
    measured: Measured,
    soles: Sequence[Sole],
    feet: Sequence[int],
    *,
    share: float = 1.0,
) -> Array:
    """Return the outline of the support of some feet (k, 2) [m]; empty for none.

    Args:
        measured: The robot.
        soles: Left and right.
        feet: Which of them stand.
        share: Of the soles' size that is used.
    """
    if not feet:
        return np.zeros((0, 2))
    points = [
        sole_corners_on_floor(
            soles[i], measured.sole_p[i], measured.sole_R[i], share=share
        )
        for i in feet
    ]
    return _hull(np.concatenate(points))


class SupportPolygon:
    """A convex polygon.

    Attributes:
        corners: Counter-clockwise (k, 2) [m].
    """

    def __init__(self, points: Array) -> None:
        """Take the hull of some points (k, 2)."""
        self.corners = _hull(np.array(points, dtype=float, order="C"))

    def outside(self, point: Array) -> float:
        """Return how far a point is beyond the nearest edge [m]; negative inside."""
        beyond, _ = _look(self.corners, float(point[0]), float(point[1]))
        return float(beyond)

    def nearest(self, point: Array) -> Array:
        """Return the point itself if it is inside, else the nearest on the rim (2,)."""
        beyond, on_rim = _look(self.corners, float(point[0]), float(point[1]))
        return point if beyond <= 0.0 else np.array(on_rim)


@jit_hold_gil
def _corners(x: float, y: float, p: Array, R: Array) -> Array:
    """Return the corners (4, 2) of a sole that reaches x ahead and y aside [m]."""
    corners = np.empty((4, 2))
    for i in range(4):
        a = x if i < 2 else -x
        b = y if i % 2 == 0 else -y
        for k in range(2):
            corners[i, k] = p[k] + a * R[k, 0] + b * R[k, 1]
    return corners


@jit_hold_gil
def _hull(points: Array) -> Array:
    """Return the convex hull, counter-clockwise (Andrew's monotone chain)."""
    count = len(points)
    xs, ys = np.empty(count), np.empty(count)
    for i in range(count):
        x, y, j = points[i, 0], points[i, 1], i
        while j > 0 and (xs[j - 1] > x or (xs[j - 1] == x and ys[j - 1] > y)):
            xs[j], ys[j] = xs[j - 1], ys[j - 1]
            j -= 1
        xs[j], ys[j] = x, y
    chain = np.empty(2 * count, np.int64)
    size = 0
    for way in range(2):
        begin = size
        for i in range(count):
            c = i if way == 0 else count - 1 - i
            while size - begin > 1:
                a, b = chain[size - 2], chain[size - 1]
                ahead = (xs[b] - xs[a]) * (ys[c] - ys[a])
                if ahead - (ys[b] - ys[a]) * (xs[c] - xs[a]) > 1e-12:
                    break
                size -= 1
            chain[size] = c
            size += 1
        size -= 1
    corners = np.empty((size, 2))
    for i in range(size):
        corners[i, 0], corners[i, 1] = xs[chain[i]], ys[chain[i]]
    return corners


@jit_hold_gil
def _look(corners: Array, x: float, y: float) -> tuple[float, tuple[float, float]]:
    """Return how far a point is outside, negative inside, and the nearest on the rim.

    Args:
        corners: Counter-clockwise (k, 2) [m].
        x: Of the point [m].
        y: Of the point [m].
    """
    count, most, least = len(corners), -np.inf, np.inf
    on_rim = (x, y)
    for i in range(count):
        a, b = corners[i], corners[(i + 1) % count]
        dx, dy, px, py = b[0] - a[0], b[1] - a[1], x - a[0], y - a[1]
        square = dx * dx + dy * dy
        most = max(most, (dy * px - dx * py) / math.sqrt(square))
        along = min(max((px * dx + py * dy) / square, 0.0), 1.0)
        u, v = along * dx - px, along * dy - py
        if u * u + v * v < least:
            least = u * u + v * v
            on_rim = (a[0] + along * dx, a[1] + along * dy)
    return most, on_rim
