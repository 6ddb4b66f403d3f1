"""The fixed rotation between each human segment and the robot link that plays it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import NEUTRAL_DIRECTION
from telexist.retarget.so3 import Array, shortest_rotation

__all__ = ["fixed_rotation_map", "reference_segment"]


def fixed_rotation_map(
    body: RobotBody, human_neutral: Mapping[str, Array] | None = None
) -> Mapping[str, Array]:
    """Find the constant rotation between each human segment and its robot link.

    [T] 10.1.3: human_R_robot = world_R_human^T world_R_robot, both neutral and facing
    world x. Where the robot cannot reach the neutral direction of a limb, its link is
    first turned by the shortest rotation that would bring it there, so that equal
    orientations always mean equal limb directions.

    Args:
        body: The robot; its neutral configuration faces world x.
        human_neutral: `world_R_segment` (3, 3) of the person in N-pose; identity for
            segments that are not given, as every source delivers.

    Returns:
        `human_R_robot` (3, 3) for every mapped segment.
    """
    human_neutral = human_neutral or {}
    body.kinematics.update(body.neutral)
    maps = {}
    for segment, link in body.links.items():
        world_R_link = body.kinematics.rotation(body.kinematics.frame(link))
        world_R_human = human_neutral.get(segment, np.eye(3))
        if segment in body.limb_directions:
            limb = world_R_link @ body.limb_directions[segment]
            wanted = world_R_human @ np.array(NEUTRAL_DIRECTION[segment])
            world_R_link = shortest_rotation(limb, wanted) @ world_R_link
        maps[segment] = world_R_human.T @ world_R_link
    return MappingProxyType(maps)


def reference_segment(body: RobotBody) -> str | None:
    """Return the segment to which a bolted robot's targets are relative.

    A robot with a free base follows the person in the world. One whose base is fixed
    follows the person relative to the first segment that it cannot move: the chest T8
    if that is bolted too, else the pelvis.
    """
    if not body.fixed_base:
        return None
    if "T8" in body.links:
        frame = body.kinematics.frame(body.links["T8"])
        if body.kinematics.support(frame)[6:].any():
            return "Pelvis"
    return "T8"
