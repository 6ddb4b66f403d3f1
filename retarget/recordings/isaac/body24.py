"""The 24 joints that PICO, NVIDIA's IsaacTeleop and Xsens' preset for it send.

They are those of OpenXR's XR_BD_body_tracking, in the order of SMPL. Positions are in
metres, x right, y up, z back, in a right-handed world. In T-pose every joint's frame is
that of the body: x to its right, y up, z to its back; here that becomes the identity of
a person who faces x.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.so3 import Array

__all__ = [
    "JOINTS",
    "JOINT_PARENTS",
    "SEGMENT_JOINT",
    "Body24",
    "from_openxr",
    "to_openxr",
]

JOINTS = (
    *("pelvis", "left_hip", "right_hip", "spine1", "left_knee", "right_knee"),
    *("spine2", "left_ankle", "right_ankle", "spine3", "left_foot", "right_foot"),
    *("neck", "left_collar", "right_collar", "head", "left_shoulder"),
    *("right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist"),
    *("left_hand", "right_hand"),
)

JOINT_PARENTS = (
    *(-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9),
    *(12, 13, 14, 16, 17, 18, 19, 20, 21),
)
"""Index of the joint above each; -1 above the pelvis."""

_PARTS = {
    "Shoulder": "collar",
    "UpperArm": "shoulder",
    "ForeArm": "elbow",
    "Hand": "wrist",
    "UpperLeg": "hip",
    "LowerLeg": "knee",
    "Foot": "ankle",
    "Toe": "foot",
}
SEGMENT_JOINT: Mapping[str, str] = MappingProxyType(
    {
        "Pelvis": "pelvis",
        "L5": "spine1",
        "T12": "spine2",
        "T8": "spine3",
        "Neck": "neck",
        "Head": "head",
        **{
            f"{side}{part}": f"{side.lower()}_{joint}"
            for side in ("Left", "Right")
            for part, joint in _PARTS.items()
        },
    }
)
"""Segment to the joint at which it begins; L3 has none, and no segment the hands."""

_OURS_R_OPENXR = np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
_L3 = SEGMENTS.index("L3")
_ROWS = np.array(
    [JOINTS.index(SEGMENT_JOINT.get(s, SEGMENT_JOINT["L5"])) for s in SEGMENTS]
)
_ABOVE_L3 = JOINTS.index(SEGMENT_JOINT["T12"])
_NEEDED = tuple(sorted(set(_ROWS.tolist())))


@dataclass(frozen=True, slots=True, kw_only=True)
class Body24:
    """One sample of the 24 joints, in OpenXR's axes.

    Attributes:
        positions: (24, 3) [m].
        quats_xyzw: (24, 4).
        valid: Whether each joint is known (24,).
    """

    positions: Array
    quats_xyzw: Array
    valid: np.ndarray

    @property
    def unseen(self) -> tuple[str, ...]:
        """The joints that a person needs and that are not known.

        Hands are not needed: MVN never knows them.
        """
        return tuple(JOINTS[k] for k in _NEEDED if not self.valid[k])


def from_openxr(rotations: Array, positions: Array) -> tuple[Array, Array]:
    """Return all 23 segments from the 24 joints, in our axes.

    Args:
        rotations: Of the joints (24, 3, 3), in OpenXR's axes.
        positions: Of the joints (24, 3) [m], in OpenXR's axes.

    Returns:
        Rotations (23, 3, 3), the identity in T-pose, and positions (23, 3) [m]. L3
        turns with L5, half-way to T12.
    """
    C = _OURS_R_OPENXR
    R, p = (C @ rotations @ C.T)[_ROWS], (positions @ C.T)[_ROWS]
    p[_L3] = 0.5 * (p[_L3] + C @ positions[_ABOVE_L3])
    return R, p


def to_openxr(rotations: Array, positions: Array) -> tuple[Array, Array]:
    """Return the 24 joints of 23 segments; see `from_openxr`.

    The hands are where the wrists are, as MVN sends them.
    """
    C = _OURS_R_OPENXR
    segment = {joint: SEGMENTS.index(name) for name, joint in SEGMENT_JOINT.items()}
    rows = [segment[name.replace("_hand", "_wrist")] for name in JOINTS]
    return C.T @ rotations[rows] @ C, positions[rows] @ C
