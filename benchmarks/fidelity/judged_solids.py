"""The bodies of a robot as the true meshes of its model, and how deep points are in.

A body is everything that hangs rigidly on one joint. Its meshes are filled on a grid of
5 mm: what has walls on at least five of six sides is inside, whatever gaps, overlaps or
open ends the meshes have.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import trimesh
from numpy.typing import NDArray
from scipy.spatial import cKDTree

__all__ = ["JudgedSolid", "judged_solids"]

Array = NDArray[np.float64]

VOXEL = 0.005  # [m]
SPACING = 0.0015  # [m] between points that fill the surface
WALLS = 5  # sides on which a cell inside has walls
THIN = 0.25  # of the volume of what is drawn: less stands for a shape, and is none
PROBES = 1500  # points of a body that are looked for in others


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedSolid:
    """One body, in the axes of its joint.

    Attributes:
        joint: Number of the joint in the model.
        corners: Of its meshes (k, 3) [m].
        probes: Points spread over its surface (p, 3) [m].
        middle: Of the ball that holds it (3,) [m].
        radius: Of that ball [m].
        origin: Corner of the grid (3,) [m].
        filled: Which cells are inside, those of the surface left out.
        surface: To look up the nearest point of the surface.
    """

    joint: int
    corners: Array
    probes: Array
    middle: Array
    radius: float
    origin: Array
    filled: NDArray[np.bool_]
    surface: Any

    def depth(self, points: Array) -> float:
        """Return how deep the deepest of some points is inside [m]; 0 if none is."""
        at = np.floor((points - self.origin) / VOXEL).astype(np.intp)
        at_all = np.all((at >= 0) & (at < self.filled.shape), axis=-1)
        points, at = points[at_all], at[at_all]
        points = points[self.filled[at[:, 0], at[:, 1], at[:, 2]]]
        return float(self.surface.query(points)[0].max()) if len(points) else 0.0


def judged_solids(model: Any, urdf: Path) -> tuple[JudgedSolid, ...]:
    """Return the bodies of a model that have shapes.

    What collides is taken, and what is drawn of links where that is hardly anything.

    Args:
        model: Of pinocchio, with a floating base.
        urdf: The file.
    """
    folders = [str(parent) for parent in urdf.parents]
    kinds = (pin.GeometryType.COLLISION, pin.GeometryType.VISUAL)
    solid, drawn = (
        pin.buildGeomFromUrdf(model, str(urdf), kind, package_dirs=folders)
        for kind in kinds
    )
    collides, seen = _by_link(solid), _by_link(drawn)
    bodies: dict[int, list[trimesh.Trimesh]] = {}
    for link in {**collides, **seen}:
        own, other = collides.get(link, []), seen.get(link, [])
        if _volume(own) < THIN * _volume(other):
            own = other
        joint = int(model.frames[link].parentJoint)
        bodies.setdefault(joint, []).extend(own)
    return tuple(_solid(joint, meshes) for joint, meshes in sorted(bodies.items()))


def _by_link(shapes: Any) -> dict[int, list[trimesh.Trimesh]]:
    found: dict[int, list[trimesh.Trimesh]] = {}
    for shape in shapes.geometryObjects:
        mesh = _mesh(shape)
        mesh.apply_transform(shape.placement.homogeneous)
        found.setdefault(int(shape.parentFrame), []).append(mesh)
    return found


def _volume(meshes: list[trimesh.Trimesh]) -> float:
    return float(sum(mesh.convex_hull.volume for mesh in meshes))


def _mesh(shape: Any) -> trimesh.Trimesh:
    if Path(shape.meshPath).is_file():
        mesh: Any = trimesh.load_mesh(shape.meshPath)
        if isinstance(mesh, trimesh.Scene):
            mesh = mesh.to_geometry()
        mesh.apply_scale(np.asarray(shape.meshScale, dtype=np.float64).ravel())
        return mesh
    solid = shape.geometry
    match type(solid).__name__:
        case "Box":
            return trimesh.creation.box(2.0 * np.asarray(solid.halfSide).ravel())
        case "Sphere":
            return trimesh.creation.icosphere(radius=solid.radius)
        case "Cylinder":
            return trimesh.creation.cylinder(solid.radius, 2.0 * solid.halfLength)
        case "Capsule":
            return trimesh.creation.capsule(2.0 * solid.halfLength, solid.radius)
    raise ValueError(f"{shape.name}: a shape of an unknown kind")


def _solid(joint: int, meshes: list[trimesh.Trimesh]) -> JudgedSolid:
    corners = np.concatenate([np.asarray(mesh.vertices) for mesh in meshes])
    triangles = np.concatenate([np.asarray(mesh.triangles) for mesh in meshes])
    points = _spread(triangles)
    low, high = corners.min(axis=0), corners.max(axis=0)
    origin = low - 2.0 * VOXEL
    shape = np.ceil((high - low) / VOXEL).astype(int) + 5
    shell = np.zeros(shape, dtype=np.bool_)
    at = np.floor((points - origin) / VOXEL).astype(np.intp)
    shell[at[:, 0], at[:, 1], at[:, 2]] = True
    rng = np.random.default_rng(joint)
    middle = (low + high) / 2.0
    return JudgedSolid(
        joint=joint,
        corners=np.unique(corners, axis=0),
        probes=points[rng.choice(len(points), min(PROBES, len(points)), replace=False)],
        middle=middle,
        radius=float(np.linalg.norm(corners - middle, axis=1).max()),
        origin=origin,
        filled=_filled(shell),
        surface=cKDTree(points),
    )


def _filled(shell: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the cells with walls on at least `WALLS` of six sides."""
    walls = np.zeros(shell.shape, dtype=np.int8)
    for axis in range(3):
        walls += np.logical_or.accumulate(shell, axis=axis)
        back = np.flip(shell, axis=axis)
        walls += np.flip(np.logical_or.accumulate(back, axis=axis), axis=axis)
    return (walls >= WALLS) & ~shell


def _spread(triangles: Array) -> Array:
    """Return points over all triangles, so close that they leave no gap in the grid."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    edges = [np.linalg.norm(x - y, axis=1) for x, y in ((a, b), (b, c), (c, a))]
    steps = np.ceil(np.max(edges, axis=0) / (2.0 * SPACING)).astype(int)
    found = [triangles.reshape(-1, 3)]
    for n in np.unique(steps):
        if n < 2:
            continue
        u, v = np.meshgrid(np.arange(n + 1) / n, np.arange(n + 1) / n)
        inside = u + v <= 1.0 + 1e-9
        u, v = u[inside], v[inside]
        which = steps == n
        weights = np.stack([1.0 - u - v, u, v], axis=-1)
        found.append(np.einsum("kc,tcx->tkx", weights, triangles[which]).reshape(-1, 3))
    return np.concatenate(found)
