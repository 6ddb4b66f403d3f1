"""BVH recordings of any dialect.

The rotation of a joint is the product of its rotation channels in the order listed,
each in degrees about an axis of the joint: `parent_R_joint = R(c1) R(c2) R(c3)`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.bvh.text import (
    BvhJoint,
    BvhText,
    parse_bvh,
    read_text,
)
from telexist.retarget.recordings.recognition import SourceSkeleton, clip_from_skeleton
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array

__all__ = ["bvh_skeleton", "read_bvh"]


def read_bvh(path: Path, options: ReadOptions) -> HumanClip:
    """Read a BVH file into a clip.

    Raises:
        BadRecording: Naming the line or frame and the problem.
        UnknownSkeleton: If no whole person is recognised in it.
    """
    return clip_from_skeleton(bvh_skeleton(path), options)


def bvh_skeleton(path: Path) -> SourceSkeleton:
    """Read a BVH file into a moving skeleton in its own axes and units.

    Raises:
        BadRecording: Naming the line or frame and the problem.
    """
    parsed = parse_bvh(read_text(path), path)
    positions, rotations = _forward_kinematics(parsed)
    joints = parsed.joints
    count = sum(not joint.is_end for joint in joints)
    rate = 1.0 / parsed.frame_time
    return SourceSkeleton(
        path=str(path),
        names=tuple(joint.name for joint in joints),
        parents=tuple(joint.parent for joint in joints),
        time=np.arange(len(parsed.values), dtype=np.float64) * parsed.frame_time,
        positions=positions,
        rotations=rotations,
        rest_positions=_rest_positions(joints),
        is_end=tuple(joint.is_end for joint in joints),
        notes=(f"BVH: {count} joints, {len(parsed.values)} frames at {rate:.6g} Hz",),
    )


def _rest_positions(joints: tuple[BvhJoint, ...]) -> Array:
    rest = np.zeros((len(joints), 3))
    for index, joint in enumerate(joints):
        above = rest[joint.parent] if joint.parent >= 0 else 0.0
        rest[index] = above + np.array(joint.offset)
    return rest


def _forward_kinematics(parsed: BvhText) -> tuple[Array, Array]:
    """Return the positions (t, j, 3) and rotations (t, j, 3, 3) of all points."""
    t, j = len(parsed.values), len(parsed.joints)
    positions = np.empty((j, t, 3))
    rotations = np.empty((j, t, 3, 3))
    first = 0
    for index, joint in enumerate(parsed.joints):
        columns = parsed.values[:, first : first + len(joint.channels)]
        first += len(joint.channels)
        local_p = _local_position(joint, columns)
        local_R = _local_rotation(joint, columns)
        if joint.parent < 0:
            positions[index], rotations[index] = local_p, local_R
            continue
        above = rotations[joint.parent]
        positions[index] = positions[joint.parent] + np.einsum(
            "tab,tb->ta", above, local_p
        )
        rotations[index] = above @ local_R
    return np.swapaxes(positions, 0, 1), np.swapaxes(rotations, 0, 1)


def _local_position(joint: BvhJoint, columns: Array) -> Array:
    """Return the position in the parent (t, 3).

    Writers disagree whether position channels replace the offset or add to it; below
    the root, values around zero add and all others replace.
    """
    offset = np.array(joint.offset)
    local_p = np.tile(offset, (len(columns), 1))
    moved = [i for i, name in enumerate(joint.channels) if name.endswith("position")]
    if not moved:
        return local_p
    axes = ["xyz".index(joint.channels[i][0]) for i in moved]
    typical = np.median(columns[:, moved], axis=0)
    adds = joint.parent >= 0 and np.linalg.norm(typical) < np.linalg.norm(
        typical - offset[axes]
    )
    local_p[:, axes] = columns[:, moved] + (offset[axes] if adds else 0.0)
    return local_p


def _local_rotation(joint: BvhJoint, columns: Array) -> Array:
    """Return `parent_R_joint` (t, 3, 3): the product of the rotation channels."""
    local_R = np.tile(np.eye(3), (len(columns), 1, 1))
    for i, name in enumerate(joint.channels):
        if name.endswith("rotation"):
            local_R = local_R @ _about_axis("xyz".index(name[0]), columns[:, i])
    return local_R


def _about_axis(axis: int, angle_deg: Array) -> Array:
    """Return rotations about a coordinate axis (t, 3, 3)."""
    angle = np.deg2rad(angle_deg)
    c, s = np.cos(angle), np.sin(angle)
    R = np.zeros((len(angle), 3, 3))
    b, d = (axis + 1) % 3, (axis + 2) % 3
    R[:, axis, axis] = 1.0
    R[:, b, b], R[:, b, d] = c, -s
    R[:, d, b], R[:, d, d] = s, c
    return R
