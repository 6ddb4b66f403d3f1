"""Draws solids with light and shadow on matplotlib axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from numpy.typing import ArrayLike
from scipy.spatial import ConvexHull, QhullError
from telexist.retarget.pictures.camera import Camera
from telexist.retarget.pictures.palette import SHADOW, SIDE_COLOURS
from telexist.retarget.pictures.solids import PaintedSolid
from telexist.retarget.so3 import Array

__all__ = ["Stage", "paint"]

LIGHT = np.array([-0.45, 0.75, 0.65])  # right, up, towards: over the viewer's shoulder
AMBIENT = 0.55  # of the colour that is left in the dark
HAZE = 0.25  # how far the back of a figure fades into white
LARGEST = 0.08  # edge of a triangle, in heights of a figure


class Stage:
    """A place on the paper where one figure stands.

    It takes world points to paper: the figure's own middle is put at a column, and its
    height is made 1.
    """

    def __init__(
        self, camera: Camera, middle: Array, scale: float, column: float
    ) -> None:
        """Set up the stage.

        Args:
            camera: Where from it is seen.
            middle: The point of the floor (3,) that is put at (column, 0) [m].
            scale: Paper units per metre.
            column: Where on the paper.
        """
        self.camera = camera
        self._middle, self._scale, self._column = middle, scale, column

    def see(self, points: Array) -> Array:
        """Return right, up and towards on the paper, of world points (..., 3)."""
        seen = self._scale * self.camera.see(points - self._middle)
        return seen + np.array([self._column, 0.0, 0.0])

    def floor(self, points: Array) -> Array:
        """Return right and up of the points' feet on the floor (..., 2)."""
        flat = np.array(points)
        flat[..., 2] = self._middle[2]
        return self.see(flat)[..., :2]


def paint(axes: Axes, solids: Sequence[PaintedSolid], stage: Stage) -> None:
    """Draw solids, the far parts first, and their shadow on the floor."""
    _shadow(axes, solids, stage)
    corners, colours = _triangles(solids, stage)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    seen = normals[:, 2] > 0.0
    corners, colours, normals = corners[seen], colours[seen], normals[seen]
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    light = LIGHT / np.linalg.norm(LIGHT)
    bright = AMBIENT + (1.0 - AMBIENT) * np.clip(normals @ light, 0.0, 1.0)
    shades = np.clip(1.12 * bright[:, None] * colours, 0.0, 1.0)
    corners, shades = _split(corners, shades)
    depth = corners[..., 2].mean(axis=1)
    far = (depth.max() - depth) / max(float(np.ptp(depth)), 0.3)
    shades += (HAZE * far)[:, None] * (1.0 - shades)
    order = np.argsort(depth)
    axes.add_collection(
        PolyCollection(
            # an array, though typed as a sequence, takes matplotlib's fast way
            cast("Sequence[ArrayLike]", corners[order, :, :2]),
            facecolors=shades[order],
            edgecolors=shades[order],
            linewidths=0.35,
            zorder=3,
        ),
        autolim=False,
    )


def _triangles(solids: Sequence[PaintedSolid], stage: Stage) -> tuple[Array, Array]:
    """Return all triangles on the paper (m, 3, 3) and their colours (m, 3)."""
    starts = np.cumsum([0, *(len(solid.vertices) for solid in solids)])
    faces = [solid.faces + start for solid, start in zip(solids, starts, strict=False)]
    seen = stage.see(np.concatenate([solid.vertices for solid in solids]))
    colours = np.array([to_rgb(SIDE_COLOURS[solid.side]) for solid in solids])
    counts = [len(solid.faces) for solid in solids]
    return seen[np.concatenate(faces)], np.repeat(colours, counts, axis=0)


def _split(corners: Array, shades: Array) -> tuple[Array, Array]:
    """Cut large triangles in four: sorted by depth, small ones hide each other well."""
    for _ in range(3):
        edges = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=-1)
        large = edges.max(axis=1) > LARGEST
        if not large.any():
            break
        a, b, c = np.moveaxis(corners[large], 1, 0)
        ab, bc, ca = 0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)
        pieces = ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))
        small = [np.stack(piece, axis=1) for piece in pieces]
        corners = np.concatenate([corners[~large], *small])
        shades = np.concatenate([shades[~large], *[shades[large]] * 4])
    return corners, shades


def _shadow(axes: Axes, solids: Sequence[PaintedSolid], stage: Stage) -> None:
    flat = stage.floor(np.concatenate([solid.vertices for solid in solids]))
    try:
        outline = flat[ConvexHull(flat).vertices]
    except QhullError:
        return
    axes.add_collection(
        PolyCollection([outline], facecolors=SHADOW, edgecolors="none", zorder=1),
        autolim=False,
    )
