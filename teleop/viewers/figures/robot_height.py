"""How tall a robot is, to place it and its cameras."""

from __future__ import annotations

from telexist.retarget.robot_body import RobotBody

__all__ = ["robot_height"]


def robot_height(body: RobotBody) -> float:
    """Return about how tall the robot is when it stands [m]."""
    kinematics = body.kinematics
    kinematics.update(body.neutral)
    frames = [kinematics.frame(link) for link in kinematics.links]
    return 1.06 * float(kinematics.positions(frames)[:, 2].max())
