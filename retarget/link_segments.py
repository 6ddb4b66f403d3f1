"""To which part of the body every link of a robot belongs."""

from __future__ import annotations

import numpy as np
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import PARENT

__all__ = ["are_neighbours", "link_segments"]


def link_segments(body: RobotBody) -> dict[str, str]:
    """Return the human segment to which every link belongs.

    That of the mapped link with the fewest joints in between, among those that carry
    it or that it carries; "" if there is none.
    """
    kinematics = body.kinematics
    mapped = [
        (kinematics.support(kinematics.frame(link))[6:], segment)
        for segment, link in body.links.items()
    ]
    mapped.sort(key=lambda item: int(item[0].sum()))
    segments = {}
    for link in kinematics.links:
        joints = kinematics.support(kinematics.frame(link))[6:]
        between = {
            segment: np.count_nonzero(joints ^ other)
            for other, segment in mapped
            if not np.any(other & ~joints) or not np.any(joints & ~other)
        }
        segments[link] = min(between, key=lambda name: between[name], default="")
    return segments


def are_neighbours(body: RobotBody, a: str, b: str) -> bool:
    """Whether two mapped segments are one, or next to each other on this robot.

    The empty name, of links without a segment, has no neighbours.
    """
    if not a or not b:
        return False
    return a == b or _next_inwards(body, a) == b or _next_inwards(body, b) == a


def _next_inwards(body: RobotBody, segment: str) -> str:
    """Return the first mapped segment towards the pelvis; "" if there is none."""
    parent = PARENT.get(segment)
    while parent is not None and parent not in body.links:
        parent = PARENT[parent]
    return parent or ""
