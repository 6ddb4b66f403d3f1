"""The surfaces of a model's links as triangles: what a robot can touch with."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

import numpy as np
from scipy.spatial import ConvexHull, QhullError
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array
from telexist.robots.urdf.find_mesh import find_mesh
from telexist.robots.urdf.link_hulls import primitive_points
from telexist.robots.urdf.read_mesh import mesh_triangles
from telexist.robots.urdf.urdf import Geometry, Urdf

__all__ = ["link_triangles"]

THIN = 0.25  # of the volume of what is drawn: a collision shape that small is a token


def link_triangles(urdf: Urdf) -> dict[str, list[Array]]:
    """Return the shapes of every link that has some, each as triangles (t, 3, 3) [m].

    What collides is taken; of links where that is hardly anything, what is drawn.
    Meshes that are missing or cannot be read are left out.
    """
    found = {}
    for name, link in urdf.links.items():
        shapes = list(_shapes(link.collisions, urdf))
        if not shapes or _volume(shapes) < THIN * _volume(
            drawn := list(_shapes(link.visuals, urdf))
        ):
            shapes = drawn if shapes else list(_shapes(link.visuals, urdf))
        if shapes:
            found[name] = shapes
    return found


def _shapes(geometries: Iterable[Geometry], urdf: Urdf) -> Iterable[Array]:
    for geometry in geometries:
        triangles = _triangles(geometry, urdf)
        if len(triangles):
            yield geometry.pose.p + triangles @ geometry.pose.R.T


def _triangles(geometry: Geometry, urdf: Urdf) -> Array:
    if geometry.kind != "mesh":
        points = primitive_points(geometry)
        try:
            return np.asarray(points[ConvexHull(points).simplices])
        except QhullError:  # a box without thickness, a cylinder without length
            return np.zeros((0, 3, 3))
    path = find_mesh(geometry.mesh, urdf.path)
    try:
        if path is not None:
            return mesh_triangles(path) * np.array(geometry.scale)
    except BadInput:
        pass
    return np.zeros((0, 3, 3))


def _volume(shapes: list[Array]) -> float:
    volume = 0.0
    for triangles in shapes:
        points = triangles.reshape(-1, 3)
        with contextlib.suppress(QhullError):
            volume += float(ConvexHull(points).volume)
    return volume
