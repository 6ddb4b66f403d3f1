"""IIT's model of a person: 66 joints, all at zero in T-pose.

Each of the 22 joints is three revolute ones in a row, `_rotx`, `_roty`, `_rotz`, from
the pelvis outwards: parent_R_child = Rx(a) Ry(b) Rz(c).
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.human import segment_joints
from telexist.retarget.segments import PARENT, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import Array, rotation_x, rotation_y

__all__ = ["PERSON_JOINTS", "n_pose_to_t_pose", "person_angles", "person_torques"]

_ARMS = ("UpperArm", "ForeArm", "Hand")
_CHILDREN = SEGMENTS[1:]
_PARENTS = np.array([SEGMENT_INDEX[str(PARENT[name])] for name in _CHILDREN])


def _joint_names() -> tuple[str, ...]:
    stems = {
        segment: joints[0].name.rpartition("_")[0]
        for segment, joints in segment_joints("human66").items()
    }
    return tuple(
        f"{stems[name]}_rot{axis}" for name in _CHILDREN for axis in ("x", "y", "z")
    )


def _t_pose() -> Array:
    rotations = np.tile(np.eye(3), (len(SEGMENTS), 1, 1))
    for side, angle in (("Left", 0.5 * np.pi), ("Right", -0.5 * np.pi)):
        for part in _ARMS:
            rotations[SEGMENT_INDEX[f"{side}{part}"]] = rotation_x(angle)
    return rotations


PERSON_JOINTS = _joint_names()
"""Their names (66)."""
_T_POSE = _t_pose()


def n_pose_to_t_pose(rotations: Array) -> Array:
    """Return rotations of frames that are the identity in T-pose.

    Args:
        rotations: Of frames that are the identity in N-pose (23, 3, 3).
    """
    turned: Array = rotations @ np.swapaxes(_T_POSE, -1, -2)
    return turned


def person_angles(rotations: Array) -> Array:
    """Return the joints' positions (66,) [rad].

    Args:
        rotations: `world_R_segment`, the identity in T-pose (23, 3, 3).
    """
    parent_R_child = np.swapaxes(rotations[_PARENTS], -1, -2) @ rotations[1:]
    b = np.arcsin(np.clip(parent_R_child[:, 0, 2], -1.0, 1.0))
    a = np.arctan2(-parent_R_child[:, 1, 2], parent_R_child[:, 2, 2])
    c = np.arctan2(-parent_R_child[:, 0, 1], parent_R_child[:, 0, 0])
    return np.stack([a, b, c], axis=1).ravel()


def person_torques(angles: Array, moments: Array) -> Array:
    """Return the torques about the joints' axes (66,) [N m].

    Args:
        angles: The joints' positions (66,) [rad].
        moments: Of the parent on each segment, in the parent's axes of N-pose
            (23, 3) [N m]; the pelvis' is not used.
    """
    a, b, _ = angles.reshape(-1, 3).T
    moment = np.einsum("kij,kj->ki", _T_POSE[_PARENTS], moments[1:])
    Rx = rotation_x(a)
    axes = np.stack(
        [
            np.broadcast_to([1.0, 0.0, 0.0], moment.shape),
            Rx[..., :, 1],
            (Rx @ rotation_y(b))[..., :, 2],
        ],
        axis=1,
    )
    torques: Array = np.einsum("kij,kj->ki", axes, moment).ravel()
    return torques
