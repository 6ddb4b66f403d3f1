"""Solids to draw: triangles with a colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from telexist.retarget.link_hull import hull_of
from telexist.retarget.so3 import Array

__all__ = ["PaintedSolid", "ball", "capsule", "wrapped"]

AROUND = 10  # corners of a ring
RINGS = 3  # from the equator of a cap to its pole, equator included


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PaintedSolid:
    """A closed surface.

    Attributes:
        vertices: Corners in world axes (k, 3) [m].
        faces: Triangles (m, 3), anticlockwise from outside.
        side: "left", "right", "" for the trunk, "face" for what shows the front.
    """

    vertices: Array
    faces: np.ndarray
    side: str


def ball(middle: Array, radius: float, side: str) -> PaintedSolid:
    """Return a ball."""
    return capsule(middle, middle, (radius, radius), side)


def capsule(
    start: Array, end: Array, radii: tuple[float, float], side: str
) -> PaintedSolid:
    """Return a bone: two half balls of their own radii and the cone between them."""
    caps, faces = _template()
    axis = end - start
    length = float(np.linalg.norm(axis))
    axis = axis / length if length > 1e-9 else np.array([0.0, 0.0, 1.0])
    first = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    first /= np.linalg.norm(first)
    turn = np.stack([first, np.cross(axis, first), axis], axis=1)
    around = caps @ turn.T
    half = len(caps) // 2
    vertices = np.concatenate(
        [start + radii[0] * around[:half], end + radii[1] * around[half:]]
    )
    return PaintedSolid(vertices=vertices, faces=faces, side=side)


def wrapped(balls: Sequence[tuple[Array, float]], side: str) -> PaintedSolid:
    """Return the convex solid around balls, each a middle (3,) and a radius [m]."""
    directions, _ = _template()
    points = [middle + radius * directions for middle, radius in balls]
    hull = hull_of("balls", np.concatenate(points))
    return PaintedSolid(vertices=hull.vertices, faces=hull.faces, side=side)


@lru_cache(maxsize=1)
def _template() -> tuple[Array, np.ndarray]:
    """Return unit directions of a capsule along z, lower cap first, and its faces."""
    heights = np.linspace(0.0, np.pi / 2.0, RINGS)
    angles = np.concatenate([-heights[::-1], heights])
    turn = 2.0 * np.pi * np.arange(AROUND) / AROUND
    rings = np.stack(
        [
            np.cos(angles)[:, None] * np.cos(turn),
            np.cos(angles)[:, None] * np.sin(turn),
            np.repeat(np.sin(angles)[:, None], AROUND, axis=1),
        ],
        axis=-1,
    )
    corner = np.arange(len(angles) * AROUND).reshape(len(angles), AROUND)
    a, b = corner[:-1], np.roll(corner[:-1], -1, axis=1)
    c, d = np.roll(corner[1:], -1, axis=1), corner[1:]
    faces = np.concatenate(
        [np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)]
    )
    return rings.reshape(-1, 3), faces
