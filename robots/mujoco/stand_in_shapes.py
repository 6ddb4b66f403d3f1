"""What is drawn of links whose meshes are absent or cannot be read: for the eye only.

A link of some mass without a mesh gets bones from its own joint to those it carries,
and the ellipsoid of its mass and inertia if nothing longer is drawn of it. They touch
nothing and weigh nothing.
"""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np
from telexist.retarget.so3 import quat_wxyz_from_rotation
from telexist.robots.mujoco.body_shapes import SMALLEST, ellipsoid_of

__all__ = ["add_stand_in_shapes"]

PREFIX = "picture of "
COLOUR = (0.55, 0.6, 0.68, 1.0)
SHORTEST = 0.03  # [m] of a bone
THIN = 0.08  # radius of a bone, of its length


def add_stand_in_shapes(spec: Any, *, group: int) -> None:
    """Draw bones and ellipsoids for links without a mesh.

    Args:
        spec: MuJoCo's model before it is compiled, with what is drawn of the robot.
        group: Of shapes that are drawn.
    """
    bodies = [body for body in spec.bodies if body.name != "world"]
    least = SMALLEST * sum(body.mass for body in bodies)
    for body in bodies:
        longest = max((_reach(geom) for geom in body.geoms), default=0.0)
        if body.mass < least or longest == math.inf:
            continue
        sizes, link_R_shape = ellipsoid_of(body)
        if longest < sizes.max():
            geom = _picture(body, group)
            geom.name = PREFIX + body.name
            geom.type = mujoco.mjtGeom.mjGEOM_ELLIPSOID
            geom.size, geom.pos = sizes, body.ipos
            geom.quat = quat_wxyz_from_rotation(link_R_shape)
        for child in body.bodies:
            if child.joints:
                _add_bone(body, np.array(child.pos), group)


def _add_bone(body: Any, end: np.ndarray, group: int) -> None:
    """Draw a capsule from a link's origin to a point of it (3,) [m]."""
    length = float(np.linalg.norm(end))
    if length < SHORTEST:
        return
    geom = _picture(body, group)
    geom.type = mujoco.mjtGeom.mjGEOM_CAPSULE
    geom.fromto = [0.0, 0.0, 0.0, *end]
    geom.size = [THIN * length, 0.0, 0.0]


def _picture(body: Any, group: int) -> Any:
    return body.add_geom(
        mass=0.0, contype=0, conaffinity=0, group=group, rgba=list(COLOUR)
    )


def _reach(geom: Any) -> float:
    """Return how far a shape reaches from its middle [m]; of a mesh, far enough."""
    kinds = mujoco.mjtGeom
    if geom.type == kinds.mjGEOM_MESH:
        return math.inf
    count = {kinds.mjGEOM_BOX: 3, kinds.mjGEOM_SPHERE: 1}.get(geom.type, 2)
    return float(max(geom.size[:count]))
