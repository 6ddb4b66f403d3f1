"""A robot in motion, drawn with its meshes or, without them, as a skeleton."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import trimesh
from telexist.retarget.metrics import link_motion, tracking_errors
from telexist.retarget.pictures import link_sides
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import PARENT
from telexist.retarget.signals import HumanClip, RobotMotion
from telexist.retarget.so3 import Array
from telexist.robots.description import RobotModel
from telexist.robots.urdf import LinkShape, visual_shapes
from telexist.teleop.viewers.figures.figure import Figure
from telexist.teleop.viewers.figures.robot_height import robot_height
from telexist.teleop.viewers.figures.solid import (
    Colour,
    SceneMesh,
    capsule,
    side_colour,
    solid_from_mesh,
    thinned,
)

__all__ = ["robot_figure", "robot_solids"]

_BONE_RADIUS = 0.022  # [m] per metre of the robot's height

MOST_FACES = 70_000  # of one robot

_log = logging.getLogger(__name__)


def robot_figure(robot: RobotModel, motion: RobotMotion, clip: HumanClip) -> Figure:
    """Return a robot with its shapes and its errors at every time.

    Args:
        robot: The robot.
        motion: Its motion.
        clip: The person it follows; errors are left out if its times are others.
    """
    body = robot.body
    solids = robot_solids(robot)
    base = body.links.get("Pelvis", body.kinematics.base)
    parts = tuple(dict.fromkeys((base, *(s.part for s in solids))))
    poses = link_motion(body, motion, parts)
    return Figure(
        name=body.name,
        time=motion.time,
        parts=parts,
        rotations=poses.rotations,
        positions=poses.positions,
        solids=solids,
        height=robot_height(body),
        readings=_readings(body, motion, clip),
    )


def robot_solids(robot: RobotModel) -> tuple[SceneMesh, ...]:
    """Return the robot's shapes on its links, or bones where there are no meshes."""
    body = robot.body
    solids = _mesh_solids(robot)
    drawn = {solid.part for solid in solids}
    if 2 * len(drawn.intersection(body.links.values())) < len(body.links):
        return _skeleton_solids(body, robot_height(body))
    return solids


def _readings(
    body: RobotBody, motion: RobotMotion, clip: HumanClip
) -> dict[str, Array]:
    if len(motion.time) != len(clip) or not np.allclose(motion.time, clip.time):
        return {}
    errors = tracking_errors(clip, body, link_motion(body, motion, body.links.values()))
    readings = {"links": np.degrees(errors.orientation).mean(axis=1)}
    if errors.limbs:
        readings["limbs"] = np.degrees(errors.limb_direction).mean(axis=1)
    return readings


def _mesh_solids(robot: RobotModel) -> tuple[SceneMesh, ...]:
    """Return the visual shapes whose meshes are there and can be read."""
    meshes: dict[Path, trimesh.Trimesh] = {}
    sides = link_sides(robot.body)
    solids = []
    for shape in visual_shapes(robot.urdf):
        if shape.link not in sides:
            continue
        try:
            solids.append(_shape_solid(shape, meshes, sides))
        except Exception as error:  # mesh readers fail in many ways; a page goes on
            _log.warning("%s: cannot be drawn: %s", shape.mesh, error)
    return tuple(s for s in thinned(solids, MOST_FACES) if len(s.faces))


def _shape_solid(
    shape: LinkShape, meshes: dict[Path, trimesh.Trimesh], sides: Mapping[str, str]
) -> SceneMesh:
    mesh = _shape_mesh(shape, meshes)
    link_T_mesh = np.eye(4)
    link_T_mesh[:3, :3] = shape.pose.R * np.array(shape.scale)
    link_T_mesh[:3, 3] = shape.pose.p
    return solid_from_mesh(shape.link, mesh, link_T_mesh, _colour(shape, sides))


def _shape_mesh(
    shape: LinkShape, meshes: dict[Path, trimesh.Trimesh]
) -> trimesh.Trimesh:
    size = shape.size
    if shape.mesh is not None:
        if shape.mesh not in meshes:
            meshes[shape.mesh] = trimesh.load_scene(shape.mesh).to_mesh()
        return meshes[shape.mesh]
    if shape.kind == "box":
        return trimesh.creation.box(extents=size)
    if shape.kind == "sphere":
        return trimesh.creation.icosphere(radius=size[0], subdivisions=2)
    if shape.kind == "capsule":
        mesh = trimesh.creation.capsule(height=size[1], radius=size[0])
        mesh.apply_translation(-mesh.bounds.mean(axis=0))
        return mesh
    return trimesh.creation.cylinder(radius=size[0], height=size[1], sections=24)


def _colour(shape: LinkShape, sides: Mapping[str, str]) -> Colour:
    """Return the model's colour, or the side's where it has none."""
    if shape.colour is None:
        return side_colour(sides[shape.link])
    red, green, blue = (round(255 * value) for value in shape.colour[:3])
    return red, green, blue


def _skeleton_solids(body: RobotBody, height: float) -> tuple[SceneMesh, ...]:
    """Return a bone from each joint centre to the next, on the link between them."""
    kinematics = body.kinematics
    kinematics.update(body.neutral)
    sides = link_sides(body)
    solids = []
    for segment, (link, link_p_end) in body.points.items():
        parent = PARENT[segment]
        while parent is not None and parent not in body.points:
            parent = PARENT[parent]
        if parent is None:
            continue
        carrier, carrier_p_start = body.points[parent]
        frame, end = kinematics.frame(carrier), kinematics.frame(link)
        world_p_end = kinematics.position(end) + kinematics.rotation(end) @ link_p_end
        carrier_R_world = kinematics.rotation(frame).T
        carrier_p_end = carrier_R_world @ (world_p_end - kinematics.position(frame))
        solids.append(
            capsule(
                carrier,
                carrier_p_start,
                carrier_p_end,
                radius=_BONE_RADIUS * height,
                colour=side_colour(sides[carrier]),
            )
        )
    return tuple(solids)
