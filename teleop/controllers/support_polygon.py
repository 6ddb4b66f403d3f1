"""The area on the floor in which the centre of pressure can be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from retarget.robot_body import Sole
from retarget.so3 import Array
from teleop.controllers.measured import Measured

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
    corners = share * sole.corners() @ world_R_sole.T
    return (world_p_sole + corners)[:, :2]


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
    return SupportPolygon(np.vstack(points)).corners


class SupportPolygon:
    """A convex polygon.

    Attributes:
        corners: Counter-clockwise (k, 2) [m].
    """

    def __init__(self, points: Array) -> None:
        """Take the hull of some points (k, 2)."""
        self.corners = np.array(_hull(points.tolist()))
        self._edges = np.roll(self.corners, -1, axis=0) - self.corners
        self._squares = np.square(self._edges).sum(axis=1)
        lengths = np.sqrt(self._squares)
        self._normals = np.stack([self._edges[:, 1], -self._edges[:, 0]], axis=1)
        self._normals /= lengths[:, None]
        self._offsets = (self._normals * self.corners).sum(axis=1)

    def outside(self, point: Array) -> float:
        """Return how far a point is beyond the nearest edge [m]; negative inside."""
        return float((self._normals @ point - self._offsets).max())

    def nearest(self, point: Array) -> Array:
        """Return the point itself if it is inside, else the nearest on the rim (2,)."""
        if (self._normals @ point <= self._offsets).all():
            return point
        along = ((point - self.corners) * self._edges).sum(axis=1) / self._squares
        feet = self.corners + np.clip(along, 0.0, 1.0)[:, None] * self._edges
        return feet[np.argmin(np.square(feet - point).sum(axis=1))]


def _hull(points: Sequence[Sequence[float]]) -> list[Sequence[float]]:
    """Return the convex hull, counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted(points, key=tuple)
    parts = []
    for run in (ordered, ordered[::-1]):
        part: list[Sequence[float]] = []
        for p in run:
            while len(part) > 1 and _turn(part[-2], part[-1], p) <= 1e-12:
                part.pop()
            part.append(p)
        parts += part[:-1]
    return parts


def _turn(a: Sequence[float], b: Sequence[float], c: Sequence[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
