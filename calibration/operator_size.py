"""How large an operator is, and where the joints are that a source does not show.

What the source shows is measured; the rest has the proportions of an adult of the
same stature.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from telexist.calibration.mean_pose import MeanPose
from telexist.calibration.standing_pose import pose_rotation
from telexist.retarget.errors import CalibrationRefused
from telexist.retarget.human import ADULT_HEIGHT, adult_size
from telexist.retarget.human_size import HumanSize
from telexist.retarget.recordings.recognition import person_size, stature_of
from telexist.retarget.segments import PARENT, SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["Fit", "fit_joints", "fit_size", "fit_turned"]

LEGS = tuple(
    f"{side}{part}"
    for side in ("Left", "Right")
    for part in ("UpperLeg", "LowerLeg", "Foot")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A person fitted into an averaged pose, heading removed.

    Attributes:
        size: The person.
        origin: Where the person stands (3,) [m].
        offsets: Segment to its joint seen from the point that the source tracks, in
            the axes of the calibrated segment (3,) [m]; nothing for joints themselves.
    """

    size: HumanSize
    origin: Array
    offsets: Mapping[str, Array]


def fit_size(size: HumanSize, pose: MeanPose) -> Fit:
    """Take a size as the source or the operator states it."""
    return Fit(size=size, origin=_origin(size, pose), offsets={})


def fit_turned(height: float | None) -> Fit:
    """Take an adult for a source that has no places."""
    size = adult_size(ADULT_HEIGHT if height is None else height)
    return Fit(size=size, origin=np.zeros(3), offsets={})


def fit_joints(pose: MeanPose, kind: str, height: float | None) -> Fit:
    """Measure a person whose joints the source shows.

    Args:
        pose: Mean pose, heading removed.
        kind: "n" or "t".
        height: Stated stature [m], or None.

    Raises:
        CalibrationRefused: If the joints cannot be those of a person.
    """
    stature = _stature(pose, height)
    if not 0.5 < stature < 3.0:
        raise CalibrationRefused(
            f"the person seems to be {stature:.2g} m tall: check the source's unit"
        )
    adult = adult_size(stature)
    joints = _neutral_joints(pose, kind, adult)
    top = {"HeadTop": adult.tips["HeadTop"] - adult.joints["Head"]}
    positions = np.array([joints[name] for name in SEGMENTS])[None]
    rotations = np.tile(np.eye(3), (1, len(SEGMENTS), 1, 1))
    size = person_size(rotations, positions, top, stature)
    return Fit(size=size, origin=_origin(size, pose), offsets={})


def _origin(size: HumanSize, pose: MeanPose) -> Array:
    root = _root(pose)
    if root is None:
        return np.zeros(3)
    return pose.positions[root] - size.joints[root]


def _root(pose: MeanPose) -> str | None:
    """Return the segment whose place says where the person is; no pose moves it."""
    return next((s for s in ("Pelvis", "T8", "Head") if s in pose.positions), None)


def _stature(pose: MeanPose, height: float | None) -> float:
    """Find the stature: stated, from the legs, the arms, or the height of the head."""
    if height is not None:
        return height
    if all(name in pose.positions for name in LEGS):
        return stature_of({name: pose.positions[name][None] for name in LEGS})
    adult = adult_size(1.0)
    arms = _arm_lengths(pose)
    if arms:
        return float(np.mean(arms)) / adult.arm_length
    if "Head" in pose.positions:
        return float(pose.positions["Head"][2] / adult.joints["Head"][2])
    return ADULT_HEIGHT


def _arm_lengths(pose: MeanPose) -> list[float]:
    lengths = []
    for side in ("Left", "Right"):
        upper = pose.line(f"{side}UpperArm", f"{side}ForeArm")
        lower = pose.line(f"{side}ForeArm", f"{side}Hand")
        if upper is not None and lower is not None:
            lengths.append(float(np.linalg.norm(upper) + np.linalg.norm(lower)))
    return lengths


def _neutral_joints(pose: MeanPose, kind: str, adult: HumanSize) -> dict[str, Array]:
    """Return all joints in N-pose (3,) [m], the measured ones where there are any."""
    root = _root(pose)
    joints: dict[str, Array] = {"Pelvis": np.zeros(3)}
    if root is not None:
        place = pose.positions[root]
        joints["Pelvis"] = place + adult.joints["Pelvis"] - adult.joints[root]
    for name in SEGMENTS[1:]:
        parent = PARENT[name] or "Pelvis"
        above = _nearest(name, pose)
        if name in pose.positions and above is not None:
            line = pose.positions[name] - pose.positions[above]
            joints[name] = joints[above] + pose_rotation(kind, above).T @ line
        elif name in pose.positions and kind == "n":
            joints[name] = pose.positions[name]
        else:
            offset = adult.joints[name] - adult.joints[parent]
            joints[name] = joints[parent] + offset
    return joints


def _nearest(name: str, pose: MeanPose) -> str | None:
    """Return the nearest segment between `name` and the root that has a place."""
    above = PARENT[name]
    while above is not None and above not in pose.positions:
        above = PARENT[above]
    return above
