"""Which joints carry the left and the right sole."""

from __future__ import annotations

import numpy as np
from telexist.robots.description.robot_model import RobotModel

__all__ = ["leg_joints"]


def leg_joints(robot: RobotModel, side: str) -> np.ndarray:
    """Return which joints move one sole but not the other (n,) bool.

    Args:
        robot: A robot with two soles.
        side: "left" or "right".
    """
    chains = {
        which: {joint.name for joint in robot.urdf.chain(sole.link)}
        for which, sole in robot.body.soles.items()
    }
    own = chains.pop(side)
    others = set().union(*chains.values())
    return np.array([j in own - others for j in robot.body.kinematics.joints])
