"""Limbs of a robot, and postures from which they are started."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.ik import JointRoles
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array

__all__ = ["LIMB_SEGMENTS", "limb_joints", "start_postures"]

LIMB_SEGMENTS = (
    ("Neck", "Head"),
    ("LeftShoulder", "LeftUpperArm", "LeftForeArm", "LeftHand"),
    ("RightShoulder", "RightUpperArm", "RightForeArm", "RightHand"),
    ("LeftUpperLeg", "LeftLowerLeg", "LeftFoot", "LeftToe"),
    ("RightUpperLeg", "RightLowerLeg", "RightFoot", "RightToe"),
)

STARTS = 12  # postures tried for each limb
SPREAD = 2.0  # [rad] or [m] from neutral within which postures are drawn


def start_postures(body: RobotBody) -> Array:
    """Return postures spread over the joints' ranges, neutral first (STARTS, n)."""
    roles, neutral = JointRoles(body), body.neutral.q
    lower = np.maximum(roles.lower, neutral - SPREAD)
    upper = np.minimum(roles.upper, neutral + SPREAD)
    # a seeded generator: the same motion always gives the same answer
    share = np.random.default_rng(7).random((STARTS, len(neutral)))
    postures = lower + share * (upper - lower)
    postures[0] = np.clip(neutral, roles.lower, roles.upper)
    for row, *sides in zip(roles.rows, roles.row_lower, roles.row_upper, strict=True):
        for side in filter(np.isfinite, sides):
            _draw_inside(postures, row, side)
    return postures


def _draw_inside(postures: Array, row: Array, side: float) -> None:
    """Move postures towards the first one until a coupling holds, in place."""
    value = postures @ row
    gap, margin = value - value[0], side - value[0]
    beyond = (gap * margin >= 0.0) & (np.abs(gap) > abs(margin))
    share = margin / np.where(beyond, gap, 1.0)
    moved = postures[0] + share[:, None] * (postures - postures[0])
    postures[beyond] = moved[beyond]


def limb_joints(body: RobotBody, segments: Collection[str]) -> NDArray[np.bool_]:
    """Return the joints of a limb (n,): those that move no other part of the body."""
    kinematics = body.kinematics
    own = np.zeros(kinematics.n, dtype=np.bool_)
    other = np.zeros(kinematics.n, dtype=np.bool_)
    for segment, link in body.links.items():
        moves = kinematics.support(kinematics.frame(link))[6:]
        if segment in segments:
            own |= moves
        else:
            other |= moves
    return own & ~other
