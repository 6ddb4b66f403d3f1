"""How far what goes in is believed, and who may hold or carry the person."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.dynamics.person_model import PersonModel
from telexist.retarget.dynamics.sole_contacts import SIDES
from telexist.retarget.dynamics.torque_estimator import NO_WRENCH
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array

__all__ = ["FEET", "HANDS", "Trust", "let_hold", "trust_of"]

FEET = tuple(SEGMENT_INDEX[f"{side}Foot"] for side in SIDES)
HANDS = tuple(SEGMENT_INDEX[f"{side}Hand"] for side in SIDES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """Standard deviations of what goes in.

    Attributes:
        foot_force: Of a measured force under a foot [N].
        foot_moment: Of its moment [N m].
        joint_acceleration: [rad/s^2].
        base_linear: Of the pelvis' acceleration [m/s^2].
        base_angular: [rad/s^2].
        hands: Whether the hands may hold something.
        seat: Whether something may carry the pelvis.
    """

    foot_force: float = 2.0
    foot_moment: float = 0.5
    joint_acceleration: float = 1.0
    base_linear: float = 0.5
    base_angular: float = 1.0
    hands: bool = False
    seat: bool = False


def trust_of(*, hands: bool, seat: bool) -> Trust:
    """Return the trust that serves a person who may hold or be carried.

    What the motion may have wrong becomes load, so that motion is believed more where
    a load is looked for.

    Args:
        hands: Whether the hands may hold something.
        seat: Whether something may carry the pelvis.
    """
    if not hands:
        return Trust(seat=seat)
    return Trust(hands=True, seat=seat, joint_acceleration=0.5, base_linear=0.1)


HAND_FORCE = (15.0, 15.0, 100.0)  # [N] deviation along the world's axes
HAND_MOMENT = 0.3  # [N m] at the palm
SEAT_FORCE, SEAT_MOMENT = 500.0, 50.0  # [N], [N m]


def let_hold(
    covariances: Array, rotations: Array, person: PersonModel, trust: Trust
) -> None:
    """Widen what hands and pelvis may feel, if they may."""
    if trust.hands:
        for side, hand in zip(SIDES, HANDS, strict=True):
            R = rotations[hand]
            palm = (
                person.size.tips[f"{side}HandTip"] - person.size.joints[f"{side}Hand"]
            )
            covariances[hand] = _at_point(
                R.T @ np.diag(np.square(HAND_FORCE)) @ R, HAND_MOMENT, 0.5 * palm
            )
    if trust.seat:
        covariances[0] = _at_point(SEAT_FORCE**2 * np.eye(3), SEAT_MOMENT, np.zeros(3))


def _at_point(force: Array, moment: float, point: Array) -> Array:
    """Return the covariance at the origin of a wrench at a point (6, 6)."""
    x, y, z = point
    lever = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    J = np.concatenate([np.eye(3), lever])
    cov: Array = J @ force @ J.T
    cov[3:, 3:] += moment**2 * np.eye(3)
    cov[:3, :3] += NO_WRENCH**2 * np.eye(3)
    return cov
