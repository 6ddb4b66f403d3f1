"""One arm of the person, one of the robot, and how a reach is carried over."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from telexist.retarget.human_size import HumanSize
from telexist.retarget.kinematics import Kinematics
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array

__all__ = ["ReachArm", "chest_link", "make_arm", "straightened"]

BENT, STRAIGHT = 0.9, 0.985
"""Share of the arm's length up to which a reach is taken as it is, and from which the
arm is straight. A person's shoulder is known to a centimetre, and a straight elbow
answers a missing millimetre with many degrees."""

NEAR = 0.35  # of the arm's length: so far around N-pose the robot's own neutral counts

HANG = 0.5  # of hanging elbows, against the direction of the hand


def straightened(reach: float) -> float:
    """Return a reach, in arm lengths, without the singularity of the straight arm.

    The identity below `BENT`, 1 above `STRAIGHT`, a cubic with the right slopes
    between: the elbow then opens at a finite speed.
    """
    if reach <= BENT:
        return reach
    if reach >= STRAIGHT:
        return 1.0
    width = STRAIGHT - BENT
    x = (reach - BENT) / width
    a, b = BENT, 1.0
    return (
        a * (1.0 - x) ** 2 * (1.0 + 2.0 * x)
        + b * x**2 * (3.0 - 2.0 * x)
        + width * x * (1.0 - x) ** 2
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachArm:
    """An arm on both sides.

    Attributes:
        side: "Left" or "Right".
        person_neutral: From shoulder to wrist in N-pose (3,) [m].
        person_length: Of the arm along its bones [m].
        robot_neutral: From shoulder to wrist in neutral posture, facing x (3,) [m].
        robot_bones: Lengths of its upper arm and forearm [m].
        robot_elbow: From shoulder to elbow in neutral posture, facing x (3,) [m].
        upper_ratio: Robot's upper arm over the person's.
        chest_p_shoulder: Of the robot, in the axes of its chest (3,) [m].
        hand: Number of the link that carries the wrist.
        hand_p_wrist: In that link's axes (3,) [m].
        elbow: Number of the link that carries the elbow.
        elbow_p_point: In that link's axes (3,) [m].
    """

    side: str
    person_neutral: Array
    person_length: float
    robot_neutral: Array
    robot_bones: tuple[float, float]
    robot_elbow: Array
    upper_ratio: float
    chest_p_shoulder: Array
    hand: int
    hand_p_wrist: Array
    elbow: int
    elbow_p_point: Array
    _person_straight: Array = field(init=False, repr=False)
    _lack: Array = field(init=False, repr=False)
    _elbow_lack: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Find what the robot's neutral posture lacks to a straight arm."""
        put = object.__setattr__
        put(self, "_person_straight", self._straightened(self.person_neutral))
        lack = self.robot_neutral - self._ratio * self._person_straight
        put(self, "_lack", lack)
        neutral = self._on_circle(self.robot_neutral, np.eye(3))
        put(self, "_elbow_lack", self.robot_elbow - neutral)

    @property
    def _ratio(self) -> float:
        return sum(self.robot_bones) / self.person_length

    def reach(self, chest_p_hand: Array) -> Array:
        """Carry a reach over: from the robot's shoulder to its wrist (3,) [m].

        Scaled by the ratio of arm lengths. Around N-pose what the robot lacks to a
        straight arm is made good, so that neutral stays neutral.

        Args:
            chest_p_hand: From the person's shoulder to the wrist, chest axes (3,) [m].
        """
        bent = self._straightened(chest_p_hand)
        return self._ratio * bent + self._nearness(bent) * self._lack

    def elbow_of(self, chest_p_hand: Array, chest_R_hand: Array) -> Array:
        """Guess where the elbow of a reach is: from the robot's shoulder (3,) [m].

        On the circle that the bones allow, where the hand's direction continues the
        forearm; elbows rather hang, and point outwards and back.

        Args:
            chest_p_hand: From the person's shoulder to the wrist, chest axes (3,) [m].
            chest_R_hand: Orientation of the hand, identity in N-pose (3, 3).
        """
        guess = self._on_circle(self.reach(chest_p_hand), chest_R_hand)
        near = self._nearness(self._straightened(chest_p_hand))
        return guess + near * self._elbow_lack

    def _on_circle(self, reach: Array, chest_R_hand: Array) -> Array:
        upper, lower = self.robot_bones
        distance = max(_length(reach), 1e-6)
        along = (distance**2 + upper**2 - lower**2) / (2.0 * distance)
        along = min(max(along, -upper), upper)
        axis = reach / distance
        out = 1.0 if self.side == "Left" else -1.0
        hint = HANG * np.array([-0.3, 0.3 * out, -1.0]) + chest_R_hand[:, 2]
        hint = hint - axis * float(hint @ axis)
        length = _length(hint)
        radius = math.sqrt(max(upper**2 - along**2, 0.0))
        return along * axis + (radius / length * hint if length > 1e-6 else 0.0)

    def _nearness(self, bent: Array) -> float:
        """Return 1 in N-pose, and less and less away from it."""
        away = _length(bent - self._person_straight)
        return math.exp(-((away / (NEAR * self.person_length)) ** 2))

    def _straightened(self, reach: Array) -> Array:
        length = _length(reach)
        if length < 1e-6:
            return reach
        share = straightened(length / self.person_length)
        return reach * (share * self.person_length / length)


def chest_link(body: RobotBody) -> str:
    """Return the link that carries the arms."""
    for segment in ("T8", "Pelvis"):
        if segment in body.links:
            return body.links[segment]
    return body.kinematics.base


def make_arm(body: RobotBody, size: HumanSize, side: str) -> ReachArm | None:
    """Measure an arm of both; None if the robot lacks it."""
    names = [f"{side}{part}" for part in ("UpperArm", "ForeArm", "Hand")]
    if any(name not in body.points for name in names):
        return None
    kinematics = body.kinematics
    kinematics.update(body.neutral)
    shoulder, elbow, wrist = (_place(kinematics, *body.points[name]) for name in names)
    upper, lower = (_length(v) for v in (elbow - shoulder, wrist - elbow))
    person = [size.joints[name] for name in names]
    bones = [
        float(np.linalg.norm(b - a)) for a, b in zip(person, person[1:], strict=False)
    ]
    if min(upper + lower, *bones) <= 0.0:
        return None
    chest = kinematics.frame(chest_link(body))
    chest_R_world = kinematics.rotation(chest).T
    return ReachArm(
        side=side,
        person_neutral=person[2] - person[0],
        person_length=sum(bones),
        robot_neutral=wrist - shoulder,
        robot_bones=(upper, lower),
        robot_elbow=elbow - shoulder,
        upper_ratio=upper / bones[0],
        chest_p_shoulder=chest_R_world @ (shoulder - kinematics.position(chest)),
        hand=kinematics.frame(body.points[names[2]][0]),
        hand_p_wrist=body.points[names[2]][1],
        elbow=kinematics.frame(body.points[names[1]][0]),
        elbow_p_point=body.points[names[1]][1],
    )


def _place(kinematics: Kinematics, link: str, point: Array) -> Array:
    frame = kinematics.frame(link)
    return kinematics.position(frame) + kinematics.rotation(frame) @ point


def _length(v: Array) -> float:
    return math.sqrt(float(v @ v))
