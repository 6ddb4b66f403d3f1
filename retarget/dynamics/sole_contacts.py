"""What the soles can carry, from how they move: wrenches where nothing is measured.

A sole is five points. One that is low and slow may push with a force whose deviation is
a share of the body weight; one that is high or fast may not. A leg pushes along itself:
across the line from the point to above the pelvis, the deviation is small.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.dynamics.person_model import PersonModel
from telexist.retarget.dynamics.person_motion import PersonMotion
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array, hat

__all__ = ["AIRBORNE_CONTACT", "SIDES", "SoleContacts", "sole_contacts"]

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


def _sole_points(person: PersonModel, side: str) -> Array:
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
    t = len(motion.time)
    confidence, covariance = np.zeros((t, 2)), np.zeros((t, 2, 6, 6))
    top = motion.positions[:, 0] + [0.0, 0.0, ABOVE_PELVIS]
    rate = (t - 1) / (motion.time[-1] - motion.time[0])
    for s, side in enumerate(SIDES):
        foot = SEGMENT_INDEX[f"{side}Foot"]
        R, p = motion.rotations[:, foot], motion.positions[:, foot]
        for point in _sole_points(person, side):
            place = p + R @ point
            speed = np.linalg.norm(np.gradient(place, 1.0 / rate, axis=0), axis=1)
            sure = _sigmoid((LOW - place[:, 2]) / LOW_WIDTH)
            sure *= _sigmoid((SLOW - speed) / SLOW_WIDTH)
            confidence[:, s] = np.maximum(confidence[:, s], sure)
            line = np.einsum("tji,tj->ti", R, top - place)
            line /= np.linalg.norm(line, axis=1, keepdims=True)
            along = line[:, :, None] * line[:, None, :]
            force = (PUSH * sure[:, None, None]) ** 2 * (
                along + ACROSS**2 * (np.eye(3) - along)
            )
            lever = np.concatenate([np.eye(3), hat(point)])
            covariance[:, s] += lever @ force @ lever.T
    return SoleContacts(confidence=confidence, covariance=covariance)
