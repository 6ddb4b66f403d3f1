"""A robot's links as solids that must not meet: fitted once, then kept in a cache.

Fitting takes some seconds, so what was found is written beside the compiled engine, in
a file named after all that it depends on.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import numpy as np
from telexist.retarget.compiled import cache_folder
from telexist.retarget.errors import BadRecording
from telexist.retarget.files import read_arrays, write_bytes
from telexist.retarget.link_hull import Meetings, RoundedHull, Solids
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.solids import cut_in_pieces, find_meetings, rounded_hull
from telexist.robots.urdf import Urdf, find_mesh, link_triangles

__all__ = ["fit_solids", "robot_solids"]

ARRAYS = ("links", "counts", "corners", "radii", "pairs", "least", "ends")
FITTED_BY = ("telexist.retarget.solids", "telexist.retarget.distance")


def robot_solids(urdf: Urdf, body: RobotBody) -> Solids:
    """Return the solids of a robot, from the cache if they were fitted before.

    Args:
        urdf: The model.
        body: The robot.
    """
    path = cache_folder().parent / f"solids-{_digest(urdf, body)}.npz"
    found = _read(path)
    if found is None:
        found = fit_solids(urdf, body)
        with contextlib.suppress(OSError):
            write_bytes(path, _as_bytes(found))
    return found


def fit_solids(urdf: Urdf, body: RobotBody) -> Solids:
    """Fit solids to the shapes of a model, and find which of them may meet.

    Args:
        urdf: The model.
        body: The robot.
    """
    hulls = []
    for link, shapes in link_triangles(urdf).items():
        for triangles in shapes:
            for piece in cut_in_pieces(triangles):
                hull = rounded_hull(link, piece)
                if hull is not None:
                    hulls.append(hull)
    return Solids(hulls=tuple(hulls), meetings=find_meetings(body, hulls))


def _digest(urdf: Urdf, body: RobotBody) -> str:
    """Return a name for everything on which the solids depend."""
    digest = hashlib.sha256()
    for part in _ingredients(urdf, body):
        digest.update(part)
        digest.update(b"|")
    return digest.hexdigest()[:16]


def _ingredients(urdf: Urdf, body: RobotBody) -> Iterator[bytes]:
    for package in FITTED_BY:
        for source in sorted(files(package).iterdir(), key=lambda file: file.name):
            if source.name.endswith(".py"):
                yield source.read_bytes()
    meshes = set()
    for name, link in urdf.links.items():
        for shape in (*link.collisions, *link.visuals):
            meshes.add(shape.mesh)
            pose = (*shape.pose.p, *shape.pose.R.ravel())
            yield repr((name, shape.kind, shape.size, shape.scale, pose)).encode()
    for mesh in sorted(meshes - {""}):
        path = find_mesh(mesh, urdf.path)
        if path is not None:
            status = path.stat()
            yield repr((mesh, status.st_size, status.st_mtime_ns)).encode()
    tree = body.kinematics.tree()
    for array in (*tree, body.lower, body.upper, body.neutral.q):
        yield np.ascontiguousarray(array).tobytes()


def _as_bytes(solids: Solids) -> bytes:
    hulls = solids.hulls
    corners = [np.zeros((0, 3)), *(hull.corners for hull in hulls)]
    file = io.BytesIO()
    np.savez_compressed(
        file,
        links=np.array([hull.link for hull in hulls], dtype=np.str_),
        counts=np.array([len(hull.corners) for hull in hulls], dtype=np.int64),
        corners=np.concatenate(corners),
        radii=np.array([hull.radius for hull in hulls]),
        pairs=solids.meetings.pairs,
        least=solids.meetings.least,
        ends=solids.meetings.ends,
    )
    return file.getvalue()


def _read(path: Path) -> Solids | None:
    try:
        file = read_arrays(path, ARRAYS)
        ends = np.cumsum(file["counts"])
        corners = np.split(file["corners"], ends[:-1]) if len(ends) else []
        parts = zip(file["links"], corners, file["radii"], strict=True)
        return Solids(
            hulls=tuple(
                RoundedHull(link=str(link), corners=points, radius=float(radius))
                for link, points, radius in parts
            ),
            meetings=Meetings(
                pairs=file["pairs"], least=file["least"], ends=file["ends"]
            ),
        )
    except (OSError, KeyError, ValueError, BadRecording):
        return None
