"""The performer of an MVNX recording: size, and how MVN's frames lie in the segments.

An MVN segment frame is parallel to the world in T-pose with palms down; ours is in
N-pose. Between the two lies the shortest rotation that brings each arm and leg bone,
from joint to joint, to its N-pose direction; trunk, shoulders and feet need none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.human import adult_size
from telexist.retarget.human_size import TIPS, HumanSize
from telexist.retarget.segments import (
    LIMBS,
    NEUTRAL_DIRECTION,
    PARENT,
    SEGMENT_INDEX,
    SEGMENTS,
)
from telexist.retarget.so3 import Array, rotation_z, shortest_rotation, yaw_of

__all__ = ["TIP_POINTS", "MvnxBody", "find_body"]

Points = Mapping[str, Mapping[str, Array]]

TIP_POINTS = {
    "HeadTop": "pTopOfHead",
    "LeftHandTip": "pLeftTopOfHand",
    "RightHandTip": "pRightTopOfHand",
    "LeftHeel": "pLeftHeelFoot",
    "RightHeel": "pRightHeelFoot",
    "LeftToeTip": "pLeftToe",
    "RightToeTip": "pRightToe",
}
"""Our tips of the body and MVN's names for them."""
_MIN_BONE, _MAX_BONE = 0.02, 2.0  # [m] of an arm or leg bone
_MAX_TIP = 1.0  # [m] from a joint to the tip of its segment


@dataclass(frozen=True, slots=True, kw_only=True)
class MvnxBody:
    """A performer.

    Attributes:
        mvn_R_segment: Our segment frames in MVN's (23, 3, 3).
        size: Joints in N-pose.
    """

    mvn_R_segment: Array
    size: HumanSize


def find_body(
    path: Path,
    points: Points,
    rotations: Array,
    positions: Array,
    neutral_frame: int | None,
) -> MvnxBody:
    """Measure the performer over the whole recording.

    Args:
        path: The file, for messages.
        points: Segment to point to position in MVN's segment frame (3,) [m].
        rotations: `world_R_mvn` (t, 23, 3, 3).
        positions: Origins of the segments (t, 23, 3) [m].
        neutral_frame: Frame in which the performer stands in N-pose, if stated.

    Raises:
        BadRecording: If the bones are not those of a person.
    """
    bones = _bones(rotations, positions)
    neutral = np.tile(np.eye(3), (len(SEGMENTS), 1, 1))
    if neutral_frame is not None:
        if neutral_frame >= len(rotations):
            problem = f"only {len(rotations)} frames are kept"
            raise BadRecording(path, problem, place=f"neutral_frame {neutral_frame}")
        shown = rotations[neutral_frame]
        neutral = np.swapaxes(shown, -1, -2) @ rotation_z(yaw_of(shown[0]))
    for limb, end in LIMBS.items():
        bone = bones[SEGMENT_INDEX[end]]
        if not _MIN_BONE < np.linalg.norm(bone) < _MAX_BONE:
            problem = f"a bone of {np.linalg.norm(bone):.3g} m is not a person's"
            raise BadRecording(path, problem, place=limb)
        i = SEGMENT_INDEX[limb]
        neutral[i] = neutral[i] @ _onto(limb, neutral[i].T @ bone)
    if neutral_frame is None:
        for side in ("Left", "Right"):  # hands hang as their forearms do
            hand, arm = SEGMENT_INDEX[f"{side}Hand"], SEGMENT_INDEX[f"{side}ForeArm"]
            neutral[hand] = neutral[arm]
    return MvnxBody(mvn_R_segment=neutral, size=_size(points, neutral, bones))


def _bones(rotations: Array, positions: Array) -> Array:
    """Return each origin seen from its parent, in MVN's axes of the parent (23, 3).

    Segments are rigid: the mean over the recording only averages the rounding.
    """
    bones = np.zeros((len(SEGMENTS), 3))
    for name, parent in PARENT.items():
        if parent is not None:
            i, j = SEGMENT_INDEX[name], SEGMENT_INDEX[parent]
            apart = positions[:, i] - positions[:, j]
            bones[i] = np.einsum("tji,tj->ti", rotations[:, j], apart).mean(axis=0)
    return bones


def _onto(segment: str, bone: Array) -> Array:
    """Return the shortest rotation from the N-pose direction to the bone's."""
    return shortest_rotation(NEUTRAL_DIRECTION[segment], bone)


def _tip(points: Points, name: str) -> Array | None:
    """Return a tip in MVN's frame of its segment, if the file has a usable one."""
    tip = points.get(TIPS[name], {}).get(TIP_POINTS[name])
    usable = tip is not None and 1e-3 < np.linalg.norm(tip) < _MAX_TIP
    return tip if usable else None


def _size(points: Points, neutral: Array, bones: Array) -> HumanSize:
    """Hang the bones on each other in N-pose and stand on the lowest sole."""
    joints = {"Pelvis": np.zeros(3)}
    for name in SEGMENTS[1:]:
        parent = str(PARENT[name])
        R = neutral[SEGMENT_INDEX[parent]]
        joints[name] = joints[parent] + R.T @ bones[SEGMENT_INDEX[name]]
    average = adult_size(1.0)
    leg = joints["LeftUpperLeg"] - joints["LeftFoot"]
    usual = average.joints["LeftUpperLeg"] - average.joints["LeftFoot"]
    scale = float(np.linalg.norm(leg) / np.linalg.norm(usual))
    tips = {}
    for name, segment in TIPS.items():
        tip = _tip(points, name)
        if tip is None:
            offset = scale * (average.tips[name] - average.joints[segment])
        else:
            offset = neutral[SEGMENT_INDEX[segment]].T @ tip
        tips[name] = joints[segment] + offset
    up = np.array([0.0, 0.0, -min(float(tip[2]) for tip in tips.values())])
    return HumanSize(
        joints={name: point + up for name, point in joints.items()},
        tips={name: point + up for name, point in tips.items()},
    )
