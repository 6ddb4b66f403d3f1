"""Where the joints are under things that are worn: headset, controllers, trackers."""

from __future__ import annotations

import numpy as np
from telexist.calibration.mean_pose import MeanPose
from telexist.calibration.operator_size import Fit
from telexist.calibration.standing_pose import pose_rotation
from telexist.retarget.errors import CalibrationRefused
from telexist.retarget.human import adult_size
from telexist.retarget.human_size import HumanSize
from telexist.retarget.so3 import Array

__all__ = ["fit_worn", "worn_floor"]

# In parts of stature: height of the eyes after Drillis and Contini; the rest from
# where headsets sit and how controllers are held
EYES = 0.936
EYES_AHEAD = 0.06  # of the joint of the head
PALM = 0.054  # from the wrist to the grip
ARM = (0.7, 1.3)  # of an adult's arm, between which a measured one is believed
STATED = 0.15  # share by which the headset's height may miss the stated stature
FARTHEST = 0.3  # [m] from a tracker to its joint


def worn_floor(pose: MeanPose, height: float | None) -> float:
    """Return the height of the floor in the source's world [m].

    Zero, as rooms are set up, unless a stated stature says that it is off a little.

    Raises:
        CalibrationRefused: If it is off so far that somebody sits.
    """
    head = pose.positions.get("Head")
    if height is None or head is None:
        return 0.0
    floor = float(head[2]) - EYES * height
    if abs(floor) > STATED * height:
        raise CalibrationRefused(
            f"Head: at {head[2]:.2f} m, where a person of {height:.2f} m has it at "
            f"{EYES * height:.2f} m: stand upright, or set up the floor of the room"
        )
    return floor


def fit_worn(pose: MeanPose, kind: str, height: float | None) -> Fit:
    """Fit an adult under a headset and whatever else is worn.

    The stature is the headset's height or the stated one; wrists are measured.

    Args:
        pose: Mean pose, heading removed.
        kind: "n" or "t".
        height: Stated stature [m], or None.

    Raises:
        CalibrationRefused: If there is no headset, or an arm cannot be a person's.
    """
    if "Head" not in pose.positions:
        raise CalibrationRefused("Head: missing: its height tells the operator's size")
    head, floor = pose.positions["Head"], worn_floor(pose, height)
    stature = float(head[2]) / EYES if height is None else height
    if not 0.5 < stature < 3.0:
        raise CalibrationRefused(
            f"Head: {head[2]:.2g} m over the floor: set up the floor of the room, or "
            "check the source's unit"
        )
    origin = np.array([head[0] - EYES_AHEAD * stature, head[1], floor])
    adult = adult_size(stature)
    down = float(adult.joints["Head"][2]) - EYES * stature
    offsets = {"Head": np.array([-EYES_AHEAD * stature, 0.0, down])}
    for side in ("Left", "Right"):
        offsets[f"{side}Hand"] = np.array([0.0, 0.0, PALM * stature])
    size = _with_arms(adult, pose, kind, origin, offsets)
    for name in pose.positions:
        if name not in offsets:
            offsets[name] = _tracker(name, size, pose, kind, origin)
    return Fit(size=size, origin=origin, offsets=offsets)


def _with_arms(
    adult: HumanSize,
    pose: MeanPose,
    kind: str,
    origin: Array,
    offsets: dict[str, Array],
) -> HumanSize:
    """Give an adult the arms that reach the measured wrists."""
    joints, tips = dict(adult.joints), dict(adult.tips)
    for side in ("Left", "Right"):
        name = f"{side}Hand"
        if name not in pose.positions:
            continue
        R = pose_rotation(kind, name)
        wrist = pose.positions[name] - origin + R @ offsets[name]
        shoulder = joints[f"{side}UpperArm"]
        arm = R.T @ (wrist - shoulder)
        length = float(np.linalg.norm(arm))
        if not ARM[0] < length / adult.arm_length < ARM[1]:
            raise CalibrationRefused(
                f"{name}: the arm would be {length:.2f} m long, about "
                f"{adult.arm_length:.2f} m expected: stretch the arms in the pose"
            )
        upper = np.linalg.norm(adult.joints[f"{side}ForeArm"] - shoulder)
        joints[f"{side}ForeArm"] = shoulder + arm * upper / adult.arm_length
        joints[name] = shoulder + arm
        tip = adult.tips[f"{side}HandTip"] - adult.joints[name]
        tips[f"{side}HandTip"] = joints[name] + tip
    return HumanSize(joints=joints, tips=tips)


def _tracker(
    name: str, size: HumanSize, pose: MeanPose, kind: str, origin: Array
) -> Array:
    """Return the joint of a segment seen from the tracker on it (3,) [m]."""
    joint, R = size.joints[name], pose_rotation(kind, name)
    if name.endswith("ForeArm"):
        shoulder = size.joints[name.replace("ForeArm", "UpperArm")]
        joint = shoulder + R @ (joint - shoulder)
    offset = R.T @ (joint + origin - pose.positions[name])
    if np.linalg.norm(offset) > FARTHEST:
        raise CalibrationRefused(
            f"{name}: its tracker is {np.linalg.norm(offset):.2f} m from where it "
            "should be: check which tracker is worn where"
        )
    return offset
