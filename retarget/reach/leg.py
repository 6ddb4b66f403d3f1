"""Knees of a robot whose base sinks over its feet."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array

__all__ = ["ReachLeg", "make_leg"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachLeg:
    """A leg of the robot.

    A straight leg that is pushed from below does not know where to bend; its knee is
    shown the way.

    Attributes:
        knee: Number of the link that carries the knee.
        knee_p_point: In that link's axes (3,) [m].
        base_p_hip: In the base's axes (3,) [m].
        ankle_over_sole: From the sole to the ankle in neutral posture (3,) [m].
        bones: Lengths of thigh and shank [m].
        bend: What the neutral knee lacks to the guessed one (3,) [m].
    """

    knee: int
    knee_p_point: Array
    base_p_hip: Array
    ankle_over_sole: Array
    bones: tuple[float, float]
    bend: Array

    def knee_at(self, hip: Array, sole: Array, ahead: Array) -> Array:
        """Guess where the knee is: on the circle that the bones allow (3,) [m].

        Args:
            hip: Place of the hip (3,) [m].
            sole: Place of the sole (3,) [m].
            ahead: Where knees point (3,).
        """
        ankle = sole + self.ankle_over_sole
        knee = _knee(hip, ankle, ahead, self.bones)
        straight = float(np.linalg.norm(hip - ankle)) / sum(self.bones)
        return knee + self.bend * min(max(20.0 * straight - 19.0, 0.0), 1.0)


def make_leg(body: RobotBody, side: str) -> ReachLeg | None:
    """Measure a leg in neutral posture; None if the robot lacks it."""
    names = [f"{side}{part}" for part in ("UpperLeg", "LowerLeg", "Foot")]
    sole = body.soles.get(side.lower())
    if sole is None or any(name not in body.points for name in names):
        return None
    kinematics, neutral = body.kinematics, body.neutral
    kinematics.update(neutral)
    points = [(sole.link, sole.link_p_sole), *(body.points[name] for name in names)]
    frames = [kinematics.frame(link) for link, _ in points]
    stand, hip, knee, ankle = (
        kinematics.position(frame) + kinematics.rotation(frame) @ point
        for frame, (_, point) in zip(frames, points, strict=True)
    )
    bones = (float(np.linalg.norm(knee - hip)), float(np.linalg.norm(ankle - knee)))
    return ReachLeg(
        knee=frames[2],
        knee_p_point=points[2][1],
        base_p_hip=neutral.world_R_base.T @ (hip - neutral.world_p_base),
        ankle_over_sole=ankle - stand,
        bones=bones,
        bend=knee - _knee(hip, ankle, np.array([1.0, 0.0, 0.0]), bones),
    )


def _knee(hip: Array, ankle: Array, ahead: Array, bones: tuple[float, float]) -> Array:
    thigh, shank = bones
    way = ankle - hip
    distance = max(float(np.linalg.norm(way)), 1e-6)
    axis = way / distance
    along = (distance**2 + thigh**2 - shank**2) / (2.0 * distance)
    along = min(max(along, -thigh), thigh)
    out = ahead - axis * float(ahead @ axis)
    out = out / max(float(np.linalg.norm(out)), 1e-6)
    return hip + along * axis + math.sqrt(max(thigh**2 - along**2, 0.0)) * out
