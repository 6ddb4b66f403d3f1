"""Where a robot's two eyes are: its pair of eye or camera links, else a person's."""

from __future__ import annotations

import re

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.description import RobotModel

__all__ = ["eye_places"]

WORDS = ("eye", "camera")  # the surer one first
SIDE = re.compile(r"left|right|^[lr](?=_|eye|camera)|(?<=_)[lr](?=_|$)", re.IGNORECASE)
APART = (0.02, 0.3)  # [m] of a pair of eyes


def eye_places(robot: RobotModel, link: str) -> tuple[Array, Array] | None:
    """Return the places of the left and the right eye on a link, its axes (3,) [m].

    In neutral posture; None if the model has no pair of eyes on that link.

    Args:
        robot: The robot.
        link: That carries the head's camera.
    """
    kinematics = robot.body.kinematics
    kinematics.update(robot.body.neutral)
    frame = kinematics.frame(link)
    origin, link_R_world = kinematics.position(frame), kinematics.rotation(frame).T
    for word in WORDS:
        sides: dict[str, dict[str, Array]] = {}
        for name in robot.urdf.links:
            found = SIDE.search(name)
            if word in name.lower() and found and _below(robot, name, link):
                rest = SIDE.sub("", name, count=1)
                side = found.group()[0].lower()
                place = kinematics.position(kinematics.frame(name))
                sides.setdefault(rest, {})[side] = link_R_world @ (place - origin)
        for pair in sides.values():
            if len(pair) == 2:
                distance = float(np.linalg.norm(pair["l"] - pair["r"]))
                if APART[0] <= distance <= APART[1]:
                    return pair["l"], pair["r"]
    return None


def _below(robot: RobotModel, name: str, link: str) -> bool:
    """Whether a link hangs on another one."""
    above = {joint.child: joint.parent for joint in robot.urdf.joints.values()}
    while name != link:
        if name not in above:
            return False
        name = above[name]
    return True
