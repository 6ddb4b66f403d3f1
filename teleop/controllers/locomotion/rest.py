"""Whether a robot that another controller moves can be stood on its feet now."""

from __future__ import annotations

import numpy as np
from telexist.retarget.robot_body import Sole
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.geometry import SupportPolygon, sole_corners_on_floor
from telexist.teleop.controllers.sensing import Underway
from telexist.teleop.controllers.terms import Measured

__all__ = ["given_only", "unrest"]

LEAST_LOAD = 0.15  # of body weight on each sole
FASTEST = 0.15  # [m/s] of the centre of mass along the floor
FOOT_SPEED = 0.1  # [m/s] of a sole
INSIDE = 0.8  # of the soles, in which the DCM is


def unrest(measured: Measured, soles: tuple[Sole, Sole]) -> str:
    """Return why a robot does not rest on both its feet, or ""."""
    if measured.load.min() < LEAST_LOAD:
        return "a foot is in the air"
    if float(np.hypot(*measured.com_vel[:2])) > FASTEST:
        return "the robot moves"
    if float(np.linalg.norm(measured.sole_v[:, :3], axis=1).max()) > FOOT_SPEED:
        return "a foot moves"
    corners = [
        sole_corners_on_floor(
            soles[i], measured.sole_p[i], measured.sole_R[i], share=INSIDE
        )
        for i in range(2)
    ]
    if SupportPolygon(np.vstack(corners)).outside(measured.dcm) > 0.0:
        return "the robot tips"
    return ""


def given_only(tau: Array) -> Underway:
    """Return torques (n,) of which nobody knows what they lead to."""
    n = len(tau)
    return Underway(np.array(tau), np.zeros(6 + n), np.zeros((2, 6)))
