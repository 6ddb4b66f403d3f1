"""What the soles can carry, from how they move: wrenches where nothing is measured.

A sole is five points. One that is low and slow may push with a force whose deviation is
a share of the body weight; one that is high or fast may not. A leg pushes along itself:
across the line from the point to above the pelvis, the deviation is small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from telexist.retarget.dynamics.person_model import PersonModel
from telexist.retarget.dynamics.person_motion import PersonMotion
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array, hat

__all__ = [
    "AIRBORNE_CONTACT",
    "SIDES",
    "SoleContacts",
    "judge_soles",
    "sole_contacts",
    "sole_points",
    "standing_covariance",
]

SIDES = ("Left", "Right")
PUSH = 300.0  # [N] deviation of the force of one point
ACROSS = 0.05  # of that, across the leg's line
ABOVE_PELVIS = 0.2  # [m] where the line of a leg ends
LOW, LOW_WIDTH = 0.03, 0.006  # [m] height below which a point touches
SLOW, SLOW_WIDTH = 0.6, 0.1  # [m/s] speed below which it does
AIRBORNE_CONTACT = 0.3  # confidence below which a foot is in the air
_HALF_BREADTH = 0.0275  # of the stature


@dataclass(frozen=True, slots=True, kw_only=True)
class SoleContacts:
    """How much each foot may carry; sides are left, right.

    Attributes:
        confidence: That a foot is on the ground (t, 2), 0 to 1.
        covariance: Of its wrench, in the foot's axes at the ankle (t, 2, 6, 6).
    """

    confidence: Array
    covariance: Array


def sole_points(person: PersonModel, side: str) -> Array:
    """Return heel, ball and toe points in the foot's axes (5, 3) [m]."""
    size = person.size
    ankle = size.joints[f"{side}Foot"]
    heel, tip = size.tips[f"{side}Heel"] - ankle, size.tips[f"{side}ToeTip"] - ankle
    ball = size.joints[f"{side}Toe"] - ankle
    ball = np.array([ball[0], ball[1], heel[2]])
    out = np.array([0.0, _HALF_BREADTH * size.height, 0.0])
    return np.array([heel + 0.7 * out, heel - 0.7 * out, ball + out, ball - out, tip])


def _sigmoid(x: Array) -> Array:
    return 1.0 / (1.0 + np.exp(np.clip(-x, -60.0, 60.0)))


def sole_contacts(person: PersonModel, motion: PersonMotion) -> SoleContacts:
    """Judge all sole points at all times."""
    rate = (len(motion.time) - 1) / (motion.time[-1] - motion.time[0])

    def velocities(foot: int, points: Array) -> Array:
        turned = np.einsum("tij,pj->tpi", motion.rotations[:, foot], points)
        places = motion.positions[:, foot, None] + turned
        moving: Array = np.gradient(places, 1.0 / rate, axis=0)
        return moving

    return judge_soles(person, motion.rotations, motion.positions, velocities)


def judge_soles(
    person: PersonModel,
    rotations: Array,
    positions: Array,
    velocity: Callable[[int, Array], Array],
) -> SoleContacts:
    """Judge all sole points.

    Args:
        person: Size and mass.
        rotations: `world_R_segment` (t, 23, 3, 3).
        positions: Of the segments' origins (t, 23, 3) [m].
        velocity: Returns how points (k, 3) of a link move, world axes (t, k, 3)
            [m/s].
    """
    t = len(positions)
    confidence, covariance = np.zeros((t, 2)), np.zeros((t, 2, 6, 6))
    top = positions[:, 0] + [0.0, 0.0, ABOVE_PELVIS]
    for s, side in enumerate(SIDES):
        foot = SEGMENT_INDEX[f"{side}Foot"]
        R, p = rotations[:, foot], positions[:, foot]
        points = sole_points(person, side)
        places = p[:, None] + np.einsum("tij,pj->tpi", R, points)
        speed = np.linalg.norm(velocity(foot, points), axis=2)
        sure = _sigmoid((LOW - places[:, :, 2]) / LOW_WIDTH)
        sure *= _sigmoid((SLOW - speed) / SLOW_WIDTH)
        confidence[:, s] = sure.max(axis=1)
        lines = np.einsum("tji,tpj->tpi", R, top[:, None] - places)
        covariance[:, s] = _pushes(lines, points, sure)
    return SoleContacts(confidence=confidence, covariance=covariance)


def standing_covariance(
    person: PersonModel, side: str, foot_R_world: Array, world_p_hip: Array
) -> Array:
    """Return what a foot may feel that surely stands, in its axes at the ankle (6, 6).

    Args:
        person: Size and mass.
        side: "Left" or "Right".
        foot_R_world: (3, 3).
        world_p_hip: From the ankle to the pelvis (3,) [m].
    """
    points = sole_points(person, side)
    top = foot_R_world @ (world_p_hip + [0.0, 0.0, ABOVE_PELVIS])
    total: Array = _pushes((top - points)[None], points, np.ones((1, len(points))))[0]
    return total


def _pushes(lines: Array, points: Array, sure: Array) -> Array:
    """Return the covariance (t, 6, 6) of pushes along lines (t, k, 3) at points (k, 3).

    Each pushes as far as it is sure (t, k).
    """
    along = lines / np.linalg.norm(lines, axis=2, keepdims=True)
    levers = np.array([np.concatenate([np.eye(3), hat(point)]) for point in points])
    axial = np.einsum("pij,tpj->tpi", levers, along) * (PUSH * sure)[:, :, None]
    across = np.einsum("tp,pij,pkj->tik", (PUSH * ACROSS * sure) ** 2, levers, levers)
    main = np.einsum("tpi,tpj->tij", axial, axial)
    total: Array = across + (1.0 - ACROSS**2) * main
    return total
