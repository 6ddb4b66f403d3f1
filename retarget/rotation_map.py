"""The fixed rotation between each human segment and the robot link that plays it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from retarget.robot_body import RobotBody
from retarget.segments import NEUTRAL_DIRECTION
from retarget.so3 import Array, shortest_rotation

__all__ = ["fixed_rotation_map"]


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
