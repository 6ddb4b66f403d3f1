"""How far a shape reaches in a direction: where feet touch the floor.

Meshes need trimesh (extra `meshes`); without it, or with an unreadable file, a mesh has
no known bounds.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from pathlib import Path

import numpy as np

from retarget.so3 import Array
from robots.meshes import LinkShape

__all__ = ["mesh_points", "shape_reach"]

MAX_BYTES = 100_000_000  # of a mesh file
_log = logging.getLogger(__name__)


def shape_reach(shape: LinkShape, link_direction: Array) -> float | None:
    """Return the greatest link_direction . x over the points x of a shape [m].

    Args:
        shape: The shape.
        link_direction: Unit vector in link axes (3,).

    Returns:
        None for a mesh that cannot be read.
    """
    d = shape.pose.R.T @ link_direction
    middle = float(link_direction @ shape.pose.p)
    if shape.kind == "mesh":
        points = mesh_points(shape)
        return None if points is None else middle + float(np.max(points @ d))
    return middle + _reach_of_primitive(shape, d)


def _reach_of_primitive(shape: LinkShape, d: Array) -> float:
    size = shape.size
    if shape.kind == "box":
        return float(np.abs(d) @ np.array(size)) / 2.0
    if shape.kind == "sphere":
        return size[0]
    radius, length = size
    along = abs(float(d[2])) * length / 2.0
    if shape.kind == "capsule":
        return along + radius
    return along + radius * float(np.hypot(d[0], d[1]))


def mesh_points(shape: LinkShape) -> Array | None:
    """Return the vertices of a mesh in shape axes (k, 3) [m]; None if unreadable."""
    if shape.mesh is None:
        return None
    points = _read_points(shape.mesh)
    return None if points is None else points * np.array(shape.scale)


@lru_cache(maxsize=64)
def _read_points(path: Path) -> Array | None:
    try:
        import trimesh
    except ImportError:
        return None
    try:
        if path.stat().st_size > MAX_BYTES:
            return None
        mesh = trimesh.load_mesh(path)
        points = np.array(mesh.vertices, dtype=np.float64).reshape(-1, 3)
    except Exception as error:  # readers of many formats fail in many ways
        _log.warning("cannot read the mesh %s: %s", path, error)
        return None
    points = points[np.all(np.isfinite(points), axis=1)]
    return points if len(points) else None
