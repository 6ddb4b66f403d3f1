"""Convex shapes on links: to draw a robot and to see whether it touches itself."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.spatial import ConvexHull, QhullError
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array

__all__ = ["LinkHull", "Meetings", "RoundedHull", "Solids", "hull_of"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinkHull:
    """A convex solid that moves with a link.

    Attributes:
        link: The link.
        vertices: Corners in link axes (k, 3) [m].
        faces: Triangles as indices of corners (m, 3), seen from outside they run
            anticlockwise.
    """

    link: str
    vertices: Array
    faces: np.ndarray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RoundedHull:
    """A convex solid on a link: all points within a radius of the hull of its corners.

    Attributes:
        link: The link.
        corners: In link axes (k, 3) [m].
        radius: How round it is [m].
    """

    link: str
    corners: Array
    radius: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Meetings:
    """Which solids of a robot may meet.

    Attributes:
        pairs: Numbers of two solids (p, 2).
        least: How near they may be [m] (p,): negative for what is in each other in the
            neutral posture, by as much as there.
        ends: Whether they are far apart in the tree, so that one can rock on the other
            (p,).
    """

    pairs: np.ndarray
    least: Array
    ends: np.ndarray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Solids:
    """A robot's links as solids that must neither meet nor sink into the floor."""

    hulls: tuple[RoundedHull, ...] = ()
    meetings: Meetings = field(
        default_factory=lambda: Meetings(
            pairs=np.zeros((0, 2), dtype=np.int64),
            least=np.zeros(0),
            ends=np.zeros(0, dtype=np.bool_),
        )
    )


def hull_of(link: str, points: Array, *, most: int = 0) -> LinkHull:
    """Wrap points of a link in a convex hull.

    Args:
        link: The link.
        points: In link axes (k, 3) [m].
        most: Most corners to keep, those farthest out; 0 keeps all. A hull with
            fewer corners lies inside the true one.

    Raises:
        BadInput: If the points are not finite or lie in a plane.
    """
    points = np.asarray(points, dtype=np.float64)
    if len(points) < 4 or not np.isfinite(points).all():
        raise BadInput(f"the shape of {link} has too few or no usable points")
    try:
        corners = points[ConvexHull(points).vertices]
        if most and len(corners) > most:
            corners = corners[_spread(corners, most)]
        hull = ConvexHull(corners)
    except QhullError as error:
        raise BadInput(f"the shape of {link} is flat") from error
    used, faces = np.unique(hull.simplices, return_inverse=True)
    vertices = corners[used]
    faces = faces.reshape(-1, 3)
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    inward = np.sum(np.cross(b - a, c - a) * hull.equations[:, :3], axis=1) < 0.0
    faces[inward] = faces[inward][:, ::-1]
    return LinkHull(link=link, vertices=vertices, faces=faces)


def _spread(points: Array, count: int) -> np.ndarray:
    """Pick points that are extreme in evenly spread directions (Fibonacci sphere)."""
    k = np.arange(count) + 0.5
    z = 1.0 - 2.0 * k / count
    turn = np.pi * (1.0 + np.sqrt(5.0)) * k
    r = np.sqrt(1.0 - z**2)
    directions = np.stack([r * np.cos(turn), r * np.sin(turn), z], axis=-1)
    return np.unique(np.argmax((points - points.mean(0)) @ directions.T, axis=0))
