"""Shapes of an MJCF body as those of a URDF link."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, SubElement

import mujoco
import numpy as np
from telexist.retarget.so3 import rotation_from_quat_wxyz, shortest_rotation
from telexist.robots.mjcf.load_mjcf import Compiled
from telexist.robots.urdf import Pose, write_origin

__all__ = ["add_shapes", "text"]

DRAWN_GROUPS = 3  # groups 0 to 2 are shown by default, 3 is where collisions hide
KINDS = mujoco.mjtGeom


def add_shapes(link: Element, compiled: Compiled, body: int) -> None:
    """Append what is drawn of a body and what collides."""
    model = compiled.model
    first, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
    for geom in range(first, first + count):
        if model.geom_group[geom] < DRAWN_GROUPS:
            _add_shape(link, compiled, geom, "visual")
        if model.geom_contype[geom] or model.geom_conaffinity[geom]:
            _add_shape(link, compiled, geom, "collision")


def _add_shape(link: Element, compiled: Compiled, geom: int, tag: str) -> None:
    model = compiled.model
    shape, pose = _geometry(compiled, geom)
    if shape is None:
        return
    element = SubElement(link, tag)
    write_origin(element, pose)
    SubElement(element, "geometry").append(shape)
    if tag == "visual":
        rgba = model.geom_rgba[geom]
        if model.geom_matid[geom] >= 0:
            rgba = model.mat_rgba[model.geom_matid[geom]]
        material = SubElement(element, "material", name="")
        SubElement(material, "color", rgba=text(rgba))


def _geometry(compiled: Compiled, geom: int) -> tuple[Element | None, Pose]:
    model = compiled.model
    kind, (a, b, c) = int(model.geom_type[geom]), map(float, model.geom_size[geom])
    R = rotation_from_quat_wxyz(model.geom_quat[geom])
    pose = Pose(p=np.array(model.geom_pos[geom]), R=R)
    if kind == KINDS.mjGEOM_MESH:
        return _mesh(compiled, geom, pose)
    if kind == KINDS.mjGEOM_BOX:
        return Element("box", size=text((2 * a, 2 * b, 2 * c))), pose
    if kind == KINDS.mjGEOM_SPHERE:
        return Element("sphere", radius=repr(a)), pose
    if kind == KINDS.mjGEOM_CYLINDER:
        return Element("cylinder", radius=repr(a), length=repr(2 * b)), pose
    if kind == KINDS.mjGEOM_CAPSULE:
        return Element("capsule", radius=repr(a), length=repr(2 * b)), pose
    if kind == KINDS.mjGEOM_ELLIPSOID:
        return _ellipsoid((a, b, c), pose)
    return None, pose


def _mesh(compiled: Compiled, geom: int, pose: Pose) -> tuple[Element | None, Pose]:
    """Return a mesh where its file has it: MuJoCo moves meshes to their middle."""
    model, mesh = compiled.model, int(compiled.model.geom_dataid[geom])
    file = compiled.meshes[mesh]
    if file is None:
        return None, pose
    file_R_middle = rotation_from_quat_wxyz(model.mesh_quat[mesh])
    middle_R_file = file_R_middle.T
    middle_p_file = -middle_R_file @ model.mesh_pos[mesh]
    shape = Element("mesh", filename=str(file), scale=text(model.mesh_scale[mesh]))
    return shape, pose.then(Pose(p=middle_p_file, R=middle_R_file))


def _ellipsoid(
    radii: tuple[float, float, float], pose: Pose
) -> tuple[Element | None, Pose]:
    """Return the capsule along an ellipsoid's longest axis: as long, and as thick."""
    longest = int(np.argmax(radii))
    others = [r for i, r in enumerate(radii) if i != longest]
    radius = float(np.sqrt(others[0] * others[1]))
    length = max(2.0 * (radii[longest] - radius), 1e-6)
    turned = shortest_rotation(np.array([0.0, 0.0, 1.0]), np.eye(3)[longest])
    shape = Element("capsule", radius=repr(radius), length=repr(length))
    return shape, pose.then(Pose(p=np.zeros(3), R=turned))


def text(values: Any) -> str:
    """Return numbers as URDF writes them."""
    return " ".join(repr(float(value)) for value in values)
