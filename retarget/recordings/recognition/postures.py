"""Postures of the person, and how well they serve as the reference for neutral.

Angles do not depend on the file's axes: they are taken between the limbs, the trunk and
each other, so that the rest skeleton and every frame are judged alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.recordings.recognition.recognise import Person
from telexist.retarget.so3 import Array, angle_between

__all__ = ["PostureAngles", "directions", "measure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostureAngles:
    """How far postures are from standing straight; each (t, ...) [rad].

    Attributes:
        knees: Between thigh and shank (t, 2).
        elbows: Between upper arm and forearm (t, 2).
        hips: Between thigh and trunk, 0 when in line (t, 2).
        shoulders: Between upper arm and trunk, 0 when hanging, pi/2 in T-pose (t, 2).
        twist: Between hip axis and shoulder axis (t,).
        feet: Between foot and forward (t, 2); zero where there is no foot.
        ankles: Between foot and shank (t, 2); pi/2 where there is no foot.
    """

    knees: Array
    elbows: Array
    hips: Array
    shoulders: Array
    twist: Array
    feet: Array
    ankles: Array

    @property
    def cost(self) -> Array:
        """Distance from a straight stance with hanging arms (t,), weighted [rad^2]."""
        terms = (
            (self.knees, 1.0),
            (self.hips, 1.0),
            (self.elbows, 0.3),
            (self.shoulders, 0.1),
            (self.feet, 0.2),
        )
        total = self.twist**2
        for angles, weight in terms:
            total = total + weight * np.sum(angles**2, axis=1)
        return np.asarray(total)

    @property
    def trunk_stands(self) -> NDArray[np.bool_]:
        """Whether trunk and legs are straight (t,), whatever the arms do."""
        limits = ((self.knees, 25.0), (self.hips, 40.0), (self.twist[:, None], 25.0))
        return _within(limits)

    @property
    def stands(self) -> NDArray[np.bool_]:
        """Whether each posture is one in which a person may be measured (t,)."""
        limits = (
            (self.elbows, 50.0),
            (self.shoulders, 125.0),
            (self.feet, 60.0),
            (np.abs(self.ankles - np.pi / 2), 55.0),
        )
        return self.trunk_stands & _within(limits)


def _within(limits: tuple[tuple[Array, float], ...]) -> NDArray[np.bool_]:
    """Return whether all angles (t, k) [rad] are below their limits [deg] (t,)."""
    good = [np.all(angles < np.deg2rad(limit), axis=1) for angles, limit in limits]
    return np.asarray(np.all(good, axis=0))


def directions(points: Array, person: Person, part: str, end: str) -> Array:
    """Return the lines from one joint to the next on both sides (t, 2, 3)."""
    return np.stack(
        [
            points[:, person.joints[f"{side}{end}"]]
            - points[:, person.joints[f"{side}{part}"]]
            for side in ("Left", "Right")
        ],
        axis=1,
    )


def measure(points: Array, person: Person) -> PostureAngles:
    """Measure postures (t, j, 3) in any axes and units."""
    thigh, shank = (
        directions(points, person, *ends)
        for ends in (("UpperLeg", "LowerLeg"), ("LowerLeg", "Foot"))
    )
    upper, fore = (
        directions(points, person, *ends)
        for ends in (("UpperArm", "ForeArm"), ("ForeArm", "Hand"))
    )
    trunk, lateral, across = body_axes(points, person)
    forward = np.cross(lateral, trunk)
    feet = foot_directions(points, person)
    down = -trunk[:, None]
    return PostureAngles(
        knees=angle_between(thigh, shank),
        elbows=angle_between(upper, fore),
        hips=angle_between(thigh, down),
        shoulders=angle_between(upper, down),
        twist=angle_between(lateral, across),
        feet=np.zeros((len(points), 2))
        if feet is None
        else _in_plane(feet, trunk, forward),
        ankles=np.full((len(points), 2), np.pi / 2)
        if feet is None
        else angle_between(feet, shank),
    )


def _in_plane(feet: Array, trunk: Array, forward: Array) -> Array:
    """Return the angle to forward seen along the trunk (t, 2)."""
    z = trunk / np.maximum(np.linalg.norm(trunk, axis=-1, keepdims=True), 1e-12)
    flat = feet - np.sum(feet * z[:, None], axis=-1, keepdims=True) * z[:, None]
    ahead = forward - np.sum(forward * z, axis=-1, keepdims=True) * z
    return angle_between(flat, ahead[:, None])


def body_axes(points: Array, person: Person) -> tuple[Array, Array, Array]:
    """Return trunk (hips to neck), hip axis and shoulder axis to the left (t, 3)."""
    joints = person.joints
    left_hip, right_hip = (
        points[:, joints["LeftUpperLeg"]],
        points[:, joints["RightUpperLeg"]],
    )
    left, right = points[:, joints["LeftUpperArm"]], points[:, joints["RightUpperArm"]]
    hips = (left_hip + right_hip) / 2.0
    neck = points[:, joints["Neck"]] if "Neck" in joints else (left + right) / 2.0
    return neck - hips, left_hip - right_hip, left - right


def foot_directions(points: Array, person: Person) -> Array | None:
    """Return ankle to toe joint, or to toe tip, on both sides (t, 2, 3)."""
    toes = [
        person.joints.get(f"{side}Toe", person.tips.get(f"{side}ToeTip"))
        for side in ("Left", "Right")
    ]
    if toes[0] is None or toes[1] is None:
        return None
    ankles = [person.joints[f"{side}Foot"] for side in ("Left", "Right")]
    return np.asarray(points[:, [toes[0], toes[1]]] - points[:, ankles])
