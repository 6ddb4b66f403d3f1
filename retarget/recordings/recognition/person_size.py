"""The size of the person in a recording: joints in N-pose and the ends of the body."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from telexist.retarget.human_size import TIPS, HumanSize
from telexist.retarget.recordings.recognition.axes import LEG_OF_STATURE
from telexist.retarget.recordings.recognition.segment_motion import rigid_offsets
from telexist.retarget.segments import PARENT, SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["default_toe", "person_size", "stature_of"]

# In parts of stature, Winter 2009 and the Xsens model
ANKLE_HEIGHT = 0.039
HAND = 0.108
HEAD = 0.12
HEEL = 0.035  # behind the ankle
TOE_TIP = 0.115  # ahead of the ankle
TOE = 0.032  # ahead of the toe joint
SOLE_UNDER_TOE_JOINT = 0.012
LEAST_TIP = 0.03  # shorter end points are markers, not ends of the body


def stature_of(positions: Mapping[str, Array]) -> float:
    """Estimate a person's height from the legs' bones [m]."""
    leg = 0.0
    for side in ("Left", "Right"):
        hip, knee, ankle = (
            positions[f"{side}{part}"] for part in ("UpperLeg", "LowerLeg", "Foot")
        )
        leg += float(np.linalg.norm(knee - hip, axis=-1).mean())
        leg += float(np.linalg.norm(ankle - knee, axis=-1).mean())
    return leg / 2.0 / LEG_OF_STATURE


def default_toe(stature: float) -> Array:
    """Return a typical toe tip seen from the ankle, foot flat (3,) [m]."""
    return stature * np.array([TOE_TIP, 0.0, -ANKLE_HEIGHT])


def person_size(
    rotations: Array, positions: Array, tips: Mapping[str, Array], stature: float
) -> HumanSize:
    """Build the person's N-pose from a clip.

    Args:
        rotations: `world_R_segment` (t, 23, 3, 3).
        positions: Origins (t, 23, 3) [m].
        tips: Name in `TIPS` to the point seen from its segment's origin, in the
            segment's axes (3,) [m], as far as the source has it.
        stature: Body height, for what the source lacks [m].
    """
    offsets = rigid_offsets(rotations, positions)
    joints: dict[str, Array] = {"Pelvis": np.zeros(3)}
    for name in SEGMENTS[1:]:
        joints[name] = joints[PARENT[name] or "Pelvis"] + offsets[name]
    ends = _ends(joints, tips, stature)
    floor = np.mean([ends[f"{side}Heel"][2] for side in ("Left", "Right")])
    joints = {name: point - [0.0, 0.0, floor] for name, point in joints.items()}
    ends = {name: point - [0.0, 0.0, floor] for name, point in ends.items()}
    for name in ("LeftHeel", "RightHeel", "LeftToeTip", "RightToeTip"):
        ends[name][2] = 0.0
    return HumanSize(joints=joints, tips=ends)


def _ends(
    joints: Mapping[str, Array], tips: Mapping[str, Array], stature: float
) -> dict[str, Array]:
    """Return the tips in N-pose, pelvis at the origin (3,) [m]."""
    typical = {"HeadTop": [0.0, 0.0, HEAD]}
    for side in ("Left", "Right"):
        typical[f"{side}HandTip"] = [0.0, 0.0, -HAND]
        typical[f"{side}ToeTip"] = [TOE, 0.0, -SOLE_UNDER_TOE_JOINT]
    ends = {}
    for name, default in typical.items():
        offset = tips.get(name, np.zeros(3))
        along = float(offset @ default) / float(np.linalg.norm(default))
        if along < max(LEAST_TIP * stature, float(np.linalg.norm(offset)) / 2.0):
            offset = stature * np.array(default)
        ends[name] = joints[TIPS[name]] + offset
    for side in ("Left", "Right"):
        depth = _sole_depth(joints, ends, side, stature)
        ankle = joints[f"{side}Foot"]
        ends[f"{side}Heel"] = ankle + [-HEEL * stature, 0.0, -depth]
        ends[f"{side}ToeTip"][2] = ankle[2] - depth
    return ends


def _sole_depth(
    joints: Mapping[str, Array], ends: Mapping[str, Array], side: str, stature: float
) -> float:
    """Return how far the sole is below the ankle [m]."""
    ankle = joints[f"{side}Foot"][2]
    under_toe = joints[f"{side}Toe"][2] - SOLE_UNDER_TOE_JOINT * stature
    depths = (
        ANKLE_HEIGHT * stature,
        ankle - under_toe,
        ankle - ends[f"{side}ToeTip"][2],
    )
    return float(min(max(depths), 2.5 * ANKLE_HEIGHT * stature))
