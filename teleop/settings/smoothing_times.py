"""How long each joint's motion is smoothed."""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.description import RobotModel, joint_groups
from telexist.teleop.settings.settings import SmoothingSettings

__all__ = ["smoothing_times"]


def smoothing_times(robot: RobotModel, settings: SmoothingSettings) -> Array:
    """Return the smoothing time of each joint (n,) [s], by its group."""
    groups = joint_groups(robot.spec, robot.urdf)
    joints = robot.body.kinematics.joints
    return np.array([getattr(settings, groups.get(j, "other")) for j in joints])
