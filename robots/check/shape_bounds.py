"""How far a shape reaches in a direction: where feet touch the floor.

A mesh that cannot be read has no known bounds.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array
from telexist.robots.urdf import LinkShape, mesh_points

__all__ = ["shape_reach"]

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
        points = None if shape.mesh is None else _points(shape.mesh)
        if points is None:
            return None
        return middle + float(np.max(points * np.array(shape.scale) @ d))
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


@lru_cache(maxsize=256)
def _points(path: Path) -> Array | None:
    """Return the corners of a mesh in its own units (k, 3); None if unreadable."""
    try:
        return mesh_points(path)
    except BadInput as error:
        _log.warning("%s", error)
        return None
