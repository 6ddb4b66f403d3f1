"""BVH recordings of any dialect.

The rotation of a joint is the product of its rotation channels in the order listed,
each in degrees about an axis of the joint: `parent_R_joint = R(c1) R(c2) R(c3)`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.bvh.poses import PosedSkeleton, pose_skeleton
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
    joints, values = parsed.joints, parsed.values
    first = np.cumsum([0, *(len(joint.channels) for joint in joints)])
    names = [name for joint in joints for name in joint.channels]
    moved = {
        k: _local_position(joint, values[:, first[k] : first[k + 1]])
        for k, joint in enumerate(joints)
        if any(name.endswith("position") for name in joint.channels)
    }
    skeleton = PosedSkeleton(
        parents=np.array([joint.parent for joint in joints], dtype=np.int64),
        offsets=np.array([joint.offset for joint in joints], dtype=np.float64),
        moved=np.array(
            [list(moved).index(k) if k in moved else -1 for k in range(len(joints))],
            dtype=np.int64,
        ),
        first=first.astype(np.int64),
        axes=np.array(
            ["xyz".index(n[0]) if n.endswith("rotation") else -1 for n in names],
            dtype=np.int64,
        ),
    )
    places = np.array(list(moved.values())).reshape(-1, len(values), 3)
    return pose_skeleton(skeleton, values, places)


def _local_position(joint: BvhJoint, columns: Array) -> Array:
    """Return the position in the parent (t, 3).

    Writers disagree whether position channels replace the offset or add to it; below
    the root, values around zero add and all others replace.
    """
    offset = np.array(joint.offset)
    local_p = np.tile(offset, (len(columns), 1))
    moved = [i for i, name in enumerate(joint.channels) if name.endswith("position")]
    axes = ["xyz".index(joint.channels[i][0]) for i in moved]
    typical = np.median(columns[:, moved], axis=0)
    adds = joint.parent >= 0 and np.linalg.norm(typical) < np.linalg.norm(
        typical - offset[axes]
    )
    local_p[:, axes] = columns[:, moved] + (offset[axes] if adds else 0.0)
    return local_p
