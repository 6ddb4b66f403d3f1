"""Draws solids with light and shadow on matplotlib axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from scipy.spatial import ConvexHull, QhullError

from retarget.pictures.camera import Camera
from retarget.pictures.palette import SHADOW, SIDE_COLOURS
from retarget.pictures.solids import Solid
from retarget.so3 import Array

__all__ = ["Stage", "paint"]

LIGHT = np.array([-0.45, 0.75, 0.65])  # right, up, towards: over the viewer's shoulder
AMBIENT = 0.55  # of the colour that is left in the dark
HAZE = 0.25  # how far the back of a figure fades into white


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


def paint(axes: Axes, solids: Sequence[Solid], stage: Stage) -> None:
    """Draw solids, the far ones first, and their shadow on the floor."""
    _shadow(axes, solids, stage)
    triangles, colours = [], []
    light = LIGHT / np.linalg.norm(LIGHT)
    for solid in solids:
        corners = stage.see(solid.vertices)[solid.faces]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        seen = normals[:, 2] > 0.0
        corners, normals = corners[seen], normals[seen]
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        bright = AMBIENT + (1.0 - AMBIENT) * np.clip(normals @ light, 0.0, 1.0)
        triangles.append(corners)
        colours.append(bright[:, None] * np.array(to_rgb(SIDE_COLOURS[solid.side])))
    corners = np.concatenate(triangles)
    shades = np.clip(1.12 * np.concatenate(colours), 0.0, 1.0)
    depth = corners[..., 2].mean(axis=1)
    order = np.argsort(depth)
    far = (depth.max() - depth) / max(float(np.ptp(depth)), 0.3)
    shades += (HAZE * far)[:, None] * (1.0 - shades)
    axes.add_collection(
        PolyCollection(
            list(corners[order, :, :2]),
            facecolors=shades[order],
            edgecolors=shades[order],
            linewidths=0.35,
            zorder=3,
        )
    )


def _shadow(axes: Axes, solids: Sequence[Solid], stage: Stage) -> None:
    flat = stage.floor(np.concatenate([solid.vertices for solid in solids]))
    try:
        outline = flat[ConvexHull(flat).vertices]
    except QhullError:
        return
    axes.add_collection(
        PolyCollection([outline], facecolors=SHADOW, edgecolors="none", zorder=1)
    )
