"""A robot as the second pass over a clip sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.ahead.stands import SoleCorners, sole_corners
from telexist.retarget.follow import segment_weights
from telexist.retarget.ik import JointRoles
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.robot_masses import RobotMasses
from telexist.retarget.rotation_map import fixed_rotation_map
from telexist.retarget.so3 import Array
from telexist.retarget.tree import Tree

__all__ = ["AheadRobot", "FollowedLink", "make_ahead_robot"]


class FollowedLink(NamedTuple):
    """A body that points as it did.

    Attributes:
        body: Its number.
        root: Root of its weights (3, 3), seen from the body's axes [1/rad].
    """

    body: int
    root: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AheadRobot:
    """A robot as the second pass sees it.

    Attributes:
        tree: Its joints.
        masses: Of its bodies; None if nothing is known of them.
        soles: Their corners.
        links: Bodies that point as they did.
        roles: Limits of its joints, and which follow others.
        free: Columns that may move (6 + n,): of the base, and joints.
    """

    tree: Tree
    masses: RobotMasses | None
    soles: tuple[SoleCorners, ...]
    links: tuple[FollowedLink, ...]
    roles: JointRoles
    free: NDArray[np.bool_]


def make_ahead_robot(body: RobotBody, masses: RobotMasses | None) -> AheadRobot:
    """Prepare a robot; one with a fixed base keeps it and needs no balance."""
    roles, kinematics = JointRoles(body), body.kinematics
    maps, links = fixed_rotation_map(body), []
    for segment, link in body.links.items():
        carrier, body_R_link, _ = kinematics.attachment(kinematics.frame(link))
        human_R_body = maps[segment] @ body_R_link.T
        root = np.sqrt(segment_weights(segment, body.weights))
        links.append(FollowedLink(carrier, root[:, None] * human_R_body))
    floating = not body.fixed_base
    return AheadRobot(
        tree=kinematics.tree(),
        masses=masses if floating else None,
        soles=sole_corners(body) if floating else (),
        links=tuple(links),
        roles=roles,
        free=np.concatenate([np.full(6, floating), ~roles.held]),
    )
