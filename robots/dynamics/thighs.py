"""Where a robot sits: a line under each thigh, and how high a seat for it is.

A thigh sits on a line along its length, from a little behind the hip to half way to
the knee. Sizes are shares of the legs' length L, so that they fit any robot with hips,
knees and ankles in its model. Angles of thigh and shank are from the vertical, seen
from the side: thighs go ahead from the hips, shanks back and down from the knees.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.robot_body import RobotBody, Sole
from telexist.retarget.so3 import Array, exp_so3

__all__ = ["SEATED_SHANK", "SEATED_THIGH", "LegShape", "leg_shape", "thigh_patches"]

SEATED_THIGH = 1.3  # [rad] of a thigh that sits, from hanging straight down
SEATED_SHANK = 0.5  # [rad] by which knees are ahead of the ankles, sitting
UNDER_HIP = 0.108  # of L from the hip's axis down to the seat: 5.5 cm for iCub
BEHIND_HIP = 0.06  # of L from the hip back to where a thigh's line begins
TO_KNEE = 0.5  # of the thigh from the hip to where it ends
SIDES = ("left", "right")


@dataclass(frozen=True, slots=True, kw_only=True)
class LegShape:
    """Legs seen from the side.

    Attributes:
        thigh: From hip to knee [m].
        shank: From knee to ankle [m].
        sole_p_ankle: From the soles' middle to the ankle: ahead, up (2,) [m].
        length: Of the whole leg, straight [m].
    """

    thigh: float
    shank: float
    sole_p_ankle: Array
    length: float

    def hip(self, thigh: float, shank: float) -> Array:
        """Return the hips from the soles' middle: ahead, up (2,) [m].

        Args:
            thigh: Its angle [rad].
            shank: Its angle [rad].
        """
        ahead = self.shank * math.sin(shank) - self.thigh * math.sin(thigh)
        up = self.shank * math.cos(shank) + self.thigh * math.cos(thigh)
        return self.sole_p_ankle + np.array([ahead, up])

    def angles(self, hip: Array) -> tuple[float, float]:
        """Return the angles of thigh and shank with the hips at a place (2,) [m]."""
        ahead, up = (hip - self.sole_p_ankle).tolist()
        a, b = self.shank, self.thigh
        far = min(max(math.hypot(ahead, up), abs(a - b) + 1e-9), a + b - 1e-9)
        line = math.atan2(ahead, up)
        at_ankle = math.acos((a * a + far * far - b * b) / (2.0 * a * far))
        at_hip = math.acos((b * b + far * far - a * a) / (2.0 * b * far))
        return at_hip - line, line + at_ankle

    @property
    def seat_height(self) -> float:
        """Height of a seat on which the robot sits as it should [m]."""
        up = float(self.hip(SEATED_THIGH, SEATED_SHANK)[1])
        return up - UNDER_HIP * self.length


def leg_shape(body: RobotBody) -> LegShape:
    """Return the legs of a robot.

    Raises:
        BadInput: If its model tells of no hips, knees, ankles and soles.
    """
    hip, knee, ankle = (
        _joint_centres(body, part).mean(axis=0)
        for part in ("UpperLeg", "LowerLeg", "Foot")
    )
    soles = np.mean([_sole_middle(body, side) for side in SIDES], axis=0)
    return LegShape(
        thigh=float(np.linalg.norm((hip - knee)[[0, 2]])),
        shank=float(np.linalg.norm((knee - ankle)[[0, 2]])),
        sole_p_ankle=(ankle - soles)[[0, 2]],
        length=body.leg_length,
    )


def thigh_patches(body: RobotBody) -> Mapping[str, Sole]:
    """Return the lines on which the thighs sit, "left" and "right".

    Each is a sole without a width on the thigh's link: x along the thigh, and level
    with z up while the robot sits.

    Raises:
        BadInput: If the robot's model tells of no hips and knees.
    """
    hips, knees = (_joint_centres(body, part) for part in ("UpperLeg", "LowerLeg"))
    kinematics, length = body.kinematics, body.leg_length
    found = {}
    for side, hip, knee in zip(SIDES, hips, knees, strict=True):
        link = body.points[f"{side.capitalize()}UpperLeg"][0]
        frame = kinematics.frame(link)
        way = knee - hip
        now = math.atan2(way[0], -way[2])
        raised = exp_so3(np.array([0.0, now - SEATED_THIGH, 0.0]))
        sitting_R_link = raised @ kinematics.rotation(frame)
        sitting_p_link = hip + raised @ (kinematics.position(frame) - hip)
        thigh = float(np.linalg.norm(way))
        front = TO_KNEE * thigh * math.sin(SEATED_THIGH)
        back = -BEHIND_HIP * length
        middle = hip + np.array([0.5 * (front + back), 0.0, -UNDER_HIP * length])
        middle[1] = 0.5 * (hip[1] + knee[1])
        found[side] = Sole(
            link=link,
            link_p_sole=sitting_R_link.T @ (middle - sitting_p_link),
            link_R_sole=sitting_R_link.T,
            length=front - back,
            width=0.0,
        )
    return found


def _joint_centres(body: RobotBody, part: str) -> Array:
    """Return where the left and the right leg's joint is in the neutral pose (2, 3)."""
    kinematics = body.kinematics
    kinematics.update(body.neutral)
    found = []
    for side in SIDES:
        segment = side.capitalize() + part
        if segment not in body.points or side not in body.soles:
            raise BadInput(
                f"{body.name} cannot sit: its model tells of no {side} {part}"
            )
        link, point = body.points[segment]
        frame = kinematics.frame(link)
        found.append(kinematics.position(frame) + kinematics.rotation(frame) @ point)
    return np.array(found)


def _sole_middle(body: RobotBody, side: str) -> Array:
    sole, kinematics = body.soles[side], body.kinematics
    kinematics.update(body.neutral)
    frame = kinematics.frame(sole.link)
    place = kinematics.position(frame) + kinematics.rotation(frame) @ sole.link_p_sole
    return np.array(place)
