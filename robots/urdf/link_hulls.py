"""The convex shapes of a model's links: to draw it and to see self-collisions."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.link_hull import LinkHull, hull_of
from telexist.retarget.so3 import Array
from telexist.robots.urdf.find_mesh import find_mesh
from telexist.robots.urdf.read_mesh import mesh_points
from telexist.robots.urdf.urdf import Geometry, Urdf

__all__ = ["LinkHulls", "link_hulls", "primitive_points"]

VISUAL = 60  # most of a hull to draw: a sheet holds some 300 hulls
COLLISION = 120  # most of a hull to collide with: within 2 % of the true one
AROUND = 12  # corners of a round shape's ring
SMALL = 0.012  # [m] hulls no larger than this (screws, sensors) are not drawn


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinkHulls:
    """Convex hulls of a model's links.

    Attributes:
        visual: To draw.
        collision: To collide with.
        missing: Meshes that were not found or could not be read.
    """

    visual: tuple[LinkHull, ...]
    collision: tuple[LinkHull, ...]
    missing: tuple[str, ...]


def link_hulls(urdf: Urdf) -> LinkHulls:
    """Wrap every shape of a model in a convex hull.

    A link without usable visual shapes is drawn by its collision shapes. Meshes that
    are missing or cannot be read are left out and listed.
    """
    shapes = _Shapes(urdf.path)
    links = urdf.links.items()
    collision = shapes.hulls({n: link.collisions for n, link in links}, COLLISION)
    visual = shapes.hulls({n: link.visuals for n, link in links}, VISUAL)
    drawn = {hull.link for hull in visual}
    rest = {n: link.collisions for n, link in links if n not in drawn}
    visual += shapes.hulls(rest, VISUAL)
    return LinkHulls(
        visual=tuple(h for h in visual if np.ptp(h.vertices, axis=0).max() > SMALL),
        collision=tuple(collision),
        missing=tuple(sorted(shapes.missing)),
    )


class _Shapes:
    """Reads each mesh of a model once."""

    def __init__(self, urdf_path: Path) -> None:
        self._urdf_path = urdf_path
        self._meshes: dict[str, Array] = {}
        self.missing: set[str] = set()

    def hulls(
        self, shapes: Mapping[str, Iterable[Geometry]], most: int
    ) -> list[LinkHull]:
        """Return the hulls of the shapes of links, with at most so many corners."""
        hulls = []
        for link, geometries in shapes.items():
            for geometry in geometries:
                points = self._points(geometry)
                placed = geometry.pose.p + points @ geometry.pose.R.T
                with contextlib.suppress(BadInput):
                    hulls.append(hull_of(link, placed, most=most))
        return hulls

    def _points(self, geometry: Geometry) -> Array:
        """Return points (k, 3) whose hull is the shape; none if its mesh is missing."""
        if geometry.kind != "mesh":
            return primitive_points(geometry)
        if geometry.mesh not in self._meshes:
            self._meshes[geometry.mesh] = self._read(geometry.mesh)
        return self._meshes[geometry.mesh] * np.array(geometry.scale)

    def _read(self, mesh: str) -> Array:
        path = find_mesh(mesh, self._urdf_path)
        try:
            if path is not None:
                return hull_of(mesh, mesh_points(path)).vertices
        except BadInput:
            pass
        self.missing.add(mesh)
        return np.empty((0, 3))


def primitive_points(geometry: Geometry) -> Array:
    """Return points (k, 3) whose hull is a shape other than a mesh."""
    size = geometry.size
    if geometry.kind == "box":
        signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
        return 0.5 * signs * np.array(size)
    if geometry.kind == "cylinder":
        return np.concatenate(
            [_ring(size[0], z) for z in (-0.5 * size[1], 0.5 * size[1])]
        )
    radius, length = size[0], size[1] if geometry.kind == "capsule" else 0.0
    rings = []
    for angle in np.linspace(-np.pi / 2.0, np.pi / 2.0, 8):
        middle = 0.5 * length * np.sign(angle)
        rings.append(_ring(radius * np.cos(angle), middle + radius * np.sin(angle)))
    return np.concatenate(rings)


def _ring(radius: float, z: float) -> Array:
    turn = 2.0 * np.pi * np.arange(AROUND) / AROUND
    return np.stack(
        [radius * np.cos(turn), radius * np.sin(turn), np.full(AROUND, z)], axis=-1
    )
