"""The shapes of a robot, ready for viewers and collision checkers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from telexist.robots.urdf.find_mesh import find_mesh
from telexist.robots.urdf.urdf import Geometry, Pose, Shape, Urdf

__all__ = [
    "LinkShape",
    "collision_shapes",
    "missing_meshes",
    "visual_shapes",
]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinkShape:
    """One shape on a link.

    Attributes:
        link: Name of the link.
        pose: Where the shape is in link axes.
        kind: What it is.
        size: Box: three edges; cylinder (along z) and capsule: radius and length;
            sphere: radius [m]; empty for a mesh.
        mesh: File of a mesh; None unless a mesh.
        scale: Factors along x, y, z of a mesh.
        colour: Red, green, blue, alpha in [0, 1], where the model gives them.
    """

    link: str
    pose: Pose
    kind: Shape
    size: tuple[float, ...]
    mesh: Path | None
    scale: tuple[float, float, float]
    colour: tuple[float, float, float, float] | None


def visual_shapes(urdf: Urdf) -> tuple[LinkShape, ...]:
    """Return what is drawn; meshes whose file is missing are left out."""
    pairs = ((n, g) for n, k in urdf.links.items() for g in k.visuals)
    return tuple(_shapes(pairs, urdf))


def collision_shapes(urdf: Urdf) -> tuple[LinkShape, ...]:
    """Return what collides; meshes whose file is missing are left out."""
    pairs = ((n, g) for n, k in urdf.links.items() for g in k.collisions)
    return tuple(_shapes(pairs, urdf))


def missing_meshes(urdf: Urdf) -> tuple[str, ...]:
    """Return the mesh names, as the model writes them, that have no file here."""
    names = {
        geometry.mesh
        for link in urdf.links.values()
        for geometry in (*link.visuals, *link.collisions)
        if geometry.kind == "mesh"
    }
    return tuple(sorted(n for n in names if find_mesh(n, urdf.path) is None))


def _shapes(pairs: Iterable[tuple[str, Geometry]], urdf: Urdf) -> Iterator[LinkShape]:
    files: dict[str, Path | None] = {}
    for link, geometry in pairs:
        name = geometry.mesh
        if name and name not in files:
            files[name] = find_mesh(name, urdf.path)
        if geometry.kind == "mesh" and files[name] is None:
            continue
        yield LinkShape(
            link=link,
            pose=geometry.pose,
            kind=geometry.kind,
            size=geometry.size,
            mesh=files.get(name),
            scale=geometry.scale,
            colour=geometry.colour,
        )
