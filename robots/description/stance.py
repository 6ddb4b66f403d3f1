"""Where the base is when a robot stands at the origin, facing world x."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from telexist.retarget.kinematics import Configuration, Kinematics
from telexist.retarget.robot_body import Sole
from telexist.retarget.so3 import Array
from telexist.robots.description.spec import BaseSpec

__all__ = ["facing_rotation", "sole_corners", "standing"]


def standing(
    kinematics: Kinematics, q: Array, *, base: BaseSpec, soles: Mapping[str, Sole]
) -> Configuration:
    """Return the configuration in which the robot stands upright and faces world x.

    With feet: the middle of the soles is at the origin. Without feet, or on a fixed
    base: the model's root is at the origin, where its author put it.

    Args:
        kinematics: The robot.
        q: Joint positions (n,); not to be changed afterwards.
        base: Which way its base link faces.
        soles: Its soles; none for a robot without feet.
    """
    origin = np.zeros(3)
    at_zero = Configuration(world_p_base=origin, world_R_base=np.eye(3), q=q)
    kinematics.update(at_zero)
    root_R_base = kinematics.rotation(kinematics.frame(base.link))
    world_R_root = facing_rotation(
        root_R_base @ np.array(base.forward), root_R_base @ np.array(base.up)
    )
    turned = Configuration(world_p_base=origin, world_R_base=world_R_root, q=q)
    position = np.zeros(3)
    if soles and not base.fixed:
        corners = sole_corners(kinematics, turned, soles)
        position = -np.mean([c.mean(axis=0) for c in corners.values()], axis=0)
    for array in (position, world_R_root, q):
        array.setflags(write=False)
    return Configuration(world_p_base=position, world_R_base=world_R_root, q=q)


def facing_rotation(forward: Array, up: Array) -> Array:
    """Return the rotation that turns `up` to z and `forward` to x, as far as it can."""
    z = up / np.linalg.norm(up)
    y = np.cross(z, forward)
    y = y / np.linalg.norm(y)
    return np.array([np.cross(y, z), y, z])


def sole_corners(
    kinematics: Kinematics, configuration: Configuration, soles: Mapping[str, Sole]
) -> dict[str, Array]:
    """Return the corners of each sole in the world (4, 3) [m]."""
    kinematics.update(configuration)
    corners = {}
    for side, sole in soles.items():
        frame = kinematics.frame(sole.link)
        world_R_link = kinematics.rotation(frame)
        link_p_corners = sole.link_p_sole + sole.corners() @ sole.link_R_sole.T
        corners[side] = kinematics.position(frame) + link_p_corners @ world_R_link.T
    return corners
