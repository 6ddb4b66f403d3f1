"""Points on the shapes of a robot, in its zero posture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array
from telexist.robots.draft.body_tree import Body, BodyTree
from telexist.robots.urdf import LinkShape, collision_shapes, mesh_points, visual_shapes

__all__ = ["body_points", "points_of"]

RIM = 24  # points around a cylinder


def body_points(tree: BodyTree, body: Body) -> Array | None:
    """Return points of a body's shapes in root axes (k, 3) [m]; None without shapes.

    What is drawn comes first: it is the true shape more often than what collides.
    """
    for source in (visual_shapes, collision_shapes):
        shapes = [shape for shape in source(tree.urdf) if shape.link in body.links]
        found = [points for _, points in points_of(tree, shapes)]
        if found:
            return np.vstack(found)
    return None


def points_of(
    tree: BodyTree, shapes: Iterable[LinkShape]
) -> Iterator[tuple[LinkShape, Array]]:
    """Yield shapes with points whose hull they are, in root axes (k, 3) [m].

    Meshes that cannot be read are left out.
    """
    for shape in shapes:
        local = _mesh(shape) if shape.kind == "mesh" else _primitive(shape)
        if local is not None:
            pose = tree.pose_of[shape.link].then(shape.pose)
            yield shape, pose.p + local @ pose.R.T


def _mesh(shape: LinkShape) -> Array | None:
    if shape.mesh is None:
        return None
    try:
        return np.asarray(mesh_points(shape.mesh) * np.array(shape.scale))
    except BadInput:
        return None


def _primitive(shape: LinkShape) -> Array:
    if shape.kind == "box":
        signs = np.array(np.meshgrid(*[[-1.0, 1.0]] * 3)).reshape(3, -1).T
        return np.asarray(0.5 * signs * np.array(shape.size))
    angle = np.linspace(0.0, 2.0 * np.pi, RIM, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(RIM)])
    radius = shape.size[0]
    if shape.kind == "sphere":
        turned = [circle, circle[:, [0, 2, 1]], circle[:, [2, 0, 1]]]
        return np.asarray(radius * np.vstack(turned))
    half = 0.5 * shape.size[1] + (radius if shape.kind == "capsule" else 0.0)
    ends = np.array([0.0, 0.0, half])
    return np.vstack([radius * circle + ends, radius * circle - ends])
