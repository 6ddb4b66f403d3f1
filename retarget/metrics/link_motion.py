"""Where the links of a robot are over a whole motion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import UnknownName
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import Array
from telexist.retarget.whole_clip import link_poses

__all__ = ["LinkMotion", "configurations", "joints_in_order", "link_motion"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinkMotion:
    """Poses of k links at t times.

    Attributes:
        links: Their names.
        rotations: `world_R_link` (t, k, 3, 3).
        positions: `world_p_link` (t, k, 3) [m].
    """

    links: tuple[str, ...]
    rotations: Array
    positions: Array

    def rotation(self, link: str) -> Array:
        """Return `world_R_link` (t, 3, 3)."""
        return self.rotations[:, self.links.index(link)]

    def position(self, link: str) -> Array:
        """Return `world_p_link` (t, 3) [m]."""
        return self.positions[:, self.links.index(link)]


def joints_in_order(body: RobotBody, motion: RobotMotion, values: Array) -> Array:
    """Return the columns of `values` (t, n) in the order of the robot's joints.

    Raises:
        UnknownName: If the motion lacks one of the robot's joints.
    """
    place = {name: column for column, name in enumerate(motion.joint_names)}
    for name in body.kinematics.joints:
        if name not in place:
            raise UnknownName("joint in the motion", name, motion.joint_names)
    body_from_motion = [place[name] for name in body.kinematics.joints]
    return values[:, body_from_motion]


def configurations(
    body: RobotBody, motion: RobotMotion, frames: Sequence[int] | None = None
) -> Iterable[Configuration]:
    """Yield the robot's configuration at some frames, or at all of them."""
    q = joints_in_order(body, motion, motion.joint_positions)
    for k in range(len(motion.time)) if frames is None else frames:
        yield Configuration(
            world_p_base=motion.base_position[k],
            world_R_base=motion.base_rotation[k],
            q=q[k],
        )


def link_motion(
    body: RobotBody,
    motion: RobotMotion,
    links: Iterable[str],
    frames: Sequence[int] | None = None,
) -> LinkMotion:
    """Follow links through a motion by forward kinematics.

    Args:
        body: The robot.
        motion: Its motion.
        links: Names of links; doubles are followed once.
        frames: Which of the motion's frames; all if None.

    Raises:
        UnknownName: If the robot lacks a link or the motion a joint.
    """
    names = tuple(dict.fromkeys(links))
    q = joints_in_order(body, motion, motion.joint_positions)
    chosen = slice(None) if frames is None else np.asarray(frames, dtype=np.intp)
    base = (motion.base_rotation[chosen], motion.base_position[chosen])
    rotations, positions = link_poses(body, names, base, q[chosen])
    return LinkMotion(links=names, rotations=rotations, positions=positions)
