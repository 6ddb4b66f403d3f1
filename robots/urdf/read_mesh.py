"""Read the corners of a mesh: binary STL here, all else as pinocchio's coal does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import coal
import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array

__all__ = ["mesh_points", "mesh_triangles"]

MAX_BYTES = 200_000_000  # a mesh of a robot's link is far smaller


def mesh_points(path: Path) -> Array:
    """Return the corners of an STL, DAE or OBJ mesh in its own units (k, 3).

    Raises:
        BadInput: If it cannot be read.
    """
    return _read(path, lambda mesh: np.array(mesh.vertices()))


def mesh_triangles(path: Path) -> Array:
    """Return the triangles of such a mesh (t, 3, 3).

    Raises:
        BadInput: If it cannot be read.
    """
    return _read(path, _corners).reshape(-1, 3, 3)


def _read(path: Path, of_mesh: Callable[[Any], Array]) -> Array:
    """Return points of a mesh; what is asked of coal's says `of_mesh`."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadInput(f"{path}: too large for the mesh of a link")
        points = _binary_stl(path)
        if points is None:
            points = of_mesh(coal.MeshLoader().load(str(path)))
    except (OSError, RuntimeError, ValueError) as error:
        raise BadInput(f"{path}: not a readable mesh") from error
    if points.ndim != 2 or points.shape[1:] != (3,) or len(points) < 4:
        raise BadInput(f"{path}: a mesh without corners")
    return points


def _corners(mesh: Any) -> Array:
    """Return the corners of all triangles, one triangle after the other."""
    faces = (mesh.tri_indices(k) for k in range(mesh.num_tris))
    numbers = np.array([(face[0], face[1], face[2]) for face in faces], dtype=np.intp)
    return np.asarray(np.array(mesh.vertices())[numbers.ravel()])


def _binary_stl(path: Path) -> Array | None:
    """Return the corners of a binary STL, or None if it is something else.

    80 bytes of header, the number of triangles, then 50 bytes for each: the normal,
    three corners and two bytes of nothing.
    """
    if path.suffix.lower() != ".stl":
        return None
    data = path.read_bytes()
    count = int.from_bytes(data[80:84], "little")
    if len(data) < 84 or len(data) != 84 + 50 * count:
        return None
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("_", "<u2")])
    corners = np.frombuffer(data, dtype=record, offset=84)["corners"]
    return corners.reshape(-1, 3).astype(np.float64)
