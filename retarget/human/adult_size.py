"""The size of an average adult of a given stature."""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.human_size import HumanSize
from telexist.retarget.so3 import Array

__all__ = ["ADULT_HEIGHT", "adult_size"]

ADULT_HEIGHT = 1.75  # [m]

# Fractions of the stature. Heights of ankle, knee, hip and shoulder, and the lengths of
# upper arm, forearm, hand and foot: Drillis and Contini (1966), as printed in Winter,
# "Biomechanics and Motor Control of Human Movement". The spine's joints, the width
# between the hip joints and between the shoulder joints are rounded means of adults:
# the book's breadths are those of the flesh, not of the joints.
_ANKLE, _KNEE, _HIP, _SHOULDER = 0.039, 0.285, 0.530, 0.818
_UPPER_ARM, _FOREARM, _HAND, _FOOT = 0.186, 0.146, 0.108, 0.152
_HALF_HIPS, _HALF_CLAVICLES, _HALF_SHOULDERS = 0.049, 0.018, 0.100
_HEEL_BEHIND_ANKLE, _BALL_AHEAD_OF_ANKLE, _BALL = 0.034, 0.080, 0.012
_SPINE = {
    "Pelvis": _HIP,
    "L5": 0.586,
    "L3": 0.636,
    "T12": 0.688,
    "T8": 0.750,
    "Neck": 0.845,
    "Head": 0.905,
}

_SIDES = (("Right", -1.0), ("Left", 1.0))


def adult_size(height: float = ADULT_HEIGHT) -> HumanSize:
    """Build the joints of an adult of average proportions in N-pose.

    Args:
        height: Stature [m].

    Returns:
        The size; pelvis over the origin, soles on the floor z = 0, facing +x.

    Raises:
        BadInput: If the height is not a positive, finite number.
    """
    if not (math.isfinite(height) and height > 0.0):
        raise BadInput(f"a person's height must be positive and finite, not {height}")
    joints = {name: np.array([0.0, 0.0, z]) for name, z in _SPINE.items()}
    tips = {"HeadTop": np.array([0.0, 0.0, 1.0])}
    for side, left in _SIDES:
        joints.update({f"{side}{k}": v for k, v in _arm(left).items()})
        joints.update({f"{side}{k}": v for k, v in _leg(left).items()})
        tips.update({f"{side}{k}": v for k, v in _limb_tips(left).items()})
    return HumanSize(
        joints={name: height * point for name, point in joints.items()},
        tips={name: height * point for name, point in tips.items()},
    )


def _arm(left: float) -> dict[str, Array]:
    """Place one arm's joints, stature 1; `left` is +1 on the left side, else -1."""
    y = left * _HALF_SHOULDERS
    return {
        "Shoulder": np.array([0.0, left * _HALF_CLAVICLES, _SHOULDER]),
        "UpperArm": np.array([0.0, y, _SHOULDER]),
        "ForeArm": np.array([0.0, y, _SHOULDER - _UPPER_ARM]),
        "Hand": np.array([0.0, y, _SHOULDER - _UPPER_ARM - _FOREARM]),
    }


def _leg(left: float) -> dict[str, Array]:
    y = left * _HALF_HIPS
    return {
        "UpperLeg": np.array([0.0, y, _HIP]),
        "LowerLeg": np.array([0.0, y, _KNEE]),
        "Foot": np.array([0.0, y, _ANKLE]),
        "Toe": np.array([_BALL_AHEAD_OF_ANKLE, y, _BALL]),
    }


def _limb_tips(left: float) -> dict[str, Array]:
    fingers = _SHOULDER - _UPPER_ARM - _FOREARM - _HAND
    y = left * _HALF_HIPS
    return {
        "HandTip": np.array([0.0, left * _HALF_SHOULDERS, fingers]),
        "Heel": np.array([-_HEEL_BEHIND_ANKLE, y, 0.0]),
        "ToeTip": np.array([_FOOT - _HEEL_BEHIND_ANKLE, y, 0.0]),
    }
