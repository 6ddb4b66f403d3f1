"""Rigid triangle meshes that ride on a part of a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import trimesh
from telexist.retarget.pictures import SIDE_COLOURS
from telexist.retarget.so3 import Array, shortest_rotation

__all__ = [
    "Colour",
    "SceneMesh",
    "capsule",
    "side_colour",
    "solid_from_mesh",
    "thinned",
]

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SceneMesh:
    """A mesh in the axes of the part that carries it.

    Attributes:
        part: Name of the part.
        vertices: (v, 3) [m].
        faces: Indices of vertices (f, 3).
        colour: Of the whole mesh.
    """

    part: str
    vertices: Array
    faces: np.ndarray
    colour: Colour


def side_colour(side: str) -> Colour:
    """Return the colour of "left", "right" or "" (the trunk), as in the pictures."""
    red, green, blue = bytes.fromhex(SIDE_COLOURS[side].removeprefix("#"))
    return red, green, blue


def solid_from_mesh(
    part: str, mesh: trimesh.Trimesh, part_T_mesh: Array, colour: Colour
) -> SceneMesh:
    """Put a mesh on a part at the pose `part_T_mesh` (4, 4)."""
    vertices = np.asarray(mesh.vertices) @ part_T_mesh[:3, :3].T + part_T_mesh[:3, 3]
    faces = np.asarray(mesh.faces)
    if np.linalg.det(part_T_mesh[:3, :3]) < 0.0:  # mirrored: turn the faces out again
        faces = faces[:, ::-1]
    return SceneMesh(part=part, vertices=vertices, faces=faces, colour=colour)


def thinned(solids: Sequence[SceneMesh], most: int) -> tuple[SceneMesh, ...]:
    """Return solids of about `most` faces in all, for browsers without a GPU.

    Vertices that share a cell of a grid become one, their mean; the cells grow until
    few enough faces are left.
    """
    thin, cell = tuple(solids), 0.002
    while sum(len(solid.faces) for solid in thin) > most:
        thin = tuple(_clustered(solid, cell) for solid in solids)
        cell *= 1.4
    return thin


def _clustered(solid: SceneMesh, cell: float) -> SceneMesh:
    cells = np.round(solid.vertices / cell).astype(np.int64)
    _, place, count = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
    place = place.reshape(-1)
    vertices = np.zeros((len(count), 3))
    np.add.at(vertices, place, solid.vertices)
    faces = place[solid.faces]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (a != c)]
    _, once = np.unique(np.sort(faces, axis=1), axis=0, return_index=True)
    return replace(solid, vertices=vertices / count[:, None], faces=faces[once])


def capsule(
    part: str, start: Array, end: Array, *, radius: float, colour: Colour
) -> SceneMesh:
    """Return a cylinder with round ends between two points of a part (3,) [m]."""
    along = np.asarray(end, dtype=np.float64) - start
    length = float(np.linalg.norm(along))
    mesh = trimesh.creation.capsule(height=length, radius=radius, count=(16, 12))
    mesh.apply_translation((0.0, 0.0, length / 2.0 - _middle(mesh)))
    part_T_mesh = np.eye(4)
    if length > 1e-9:
        part_T_mesh[:3, :3] = shortest_rotation((0.0, 0.0, 1.0), along)
    part_T_mesh[:3, 3] = start
    return solid_from_mesh(part, mesh, part_T_mesh, colour)


def _middle(mesh: trimesh.Trimesh) -> float:
    """Return the height of the mesh's middle: releases differ on where it is."""
    return float(np.mean(mesh.bounds[:, 2]))
