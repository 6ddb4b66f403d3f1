"""Unity's bones to our segments: forward kinematics along the bones that are sent.

A bone hangs on the nearest bone above it that is sent, as it does in Unity. Segments
without a bone are filled in as far as `fill_segments` can.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.devices.base import fill_segments, limb_length
from telexist.teleop.devices.vmc.messages import VmcPose

__all__ = ["BONES", "BONE_PARENT", "SEGMENT_BONE", "PlacedSegments", "place_segments"]


def _bone_parents() -> dict[str, str | None]:
    parents: dict[str, str | None] = {
        "Hips": None,
        "Spine": "Hips",
        "Chest": "Spine",
        "UpperChest": "Chest",
        "Neck": "UpperChest",
        "Head": "Neck",
    }
    for side in ("Left", "Right"):
        chain = ("UpperChest", "Shoulder", "UpperArm", "LowerArm", "Hand")
        legs = ("Hips", "UpperLeg", "LowerLeg", "Foot", "Toes")
        for top, *parts in (chain, legs):
            above = top
            for part in parts:
                parents[f"{side}{part}"] = above
                above = f"{side}{part}"
    return parents


BONE_PARENT: Mapping[str, str | None] = MappingProxyType(_bone_parents())
"""Bone to the bone above it; parents come before their children."""

BONES = frozenset(BONE_PARENT)


def _segment_bones() -> dict[str, str]:
    bones = {
        "Pelvis": "Hips",
        "L5": "Spine",
        "T12": "Chest",
        "T8": "UpperChest",
        "Neck": "Neck",
        "Head": "Head",
    }
    for side in ("Left", "Right"):
        for part in ("Shoulder", "UpperArm", "Hand", "UpperLeg", "LowerLeg", "Foot"):
            bones[f"{side}{part}"] = f"{side}{part}"
        bones[f"{side}ForeArm"] = f"{side}LowerArm"
        bones[f"{side}Toe"] = f"{side}Toes"
    return bones


SEGMENT_BONE: Mapping[str, str] = MappingProxyType(_segment_bones())
"""Segment to its bone; L3 has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedSegments:
    """Segments in the world.

    Attributes:
        segments: Names of the s segments, order of `SEGMENTS`.
        rotations: `world_R_segment` (s, 3, 3).
        positions: Origins (s, 3) [m]; None if the bones came without their lengths.
    """

    segments: tuple[str, ...]
    rotations: Array
    positions: Array | None


def place_segments(
    bones: Mapping[str, VmcPose], root: VmcPose | None
) -> PlacedSegments:
    """Return the segments in the world.

    Args:
        bones: Bone to its pose in the frame of its parent; one at least.
        root: Pose of the whole person in the world; None is the world itself.
    """
    world = _place_bones(bones, root)
    placed = fill_segments(
        {
            segment: world[bone]
            for segment, bone in SEGMENT_BONE.items()
            if bone in world
        }
    )
    segments = tuple(placed)
    positions = np.stack([placed[name][1] for name in segments])
    length = limb_length(segments, positions)
    return PlacedSegments(
        segments=segments,
        rotations=np.stack([placed[name][0] for name in segments]),
        positions=None if length is not None and length < 1e-3 else positions,
    )


def _place_bones(
    bones: Mapping[str, VmcPose], root: VmcPose | None
) -> dict[str, tuple[Array, Array]]:
    """Return rotation and position of every bone in the world."""
    R0, p0 = (
        (np.eye(3), np.zeros(3)) if root is None else (root.rotation, root.position)
    )
    world: dict[str, tuple[Array, Array]] = {}
    for bone, above in BONE_PARENT.items():
        pose = bones.get(bone)
        if pose is None:
            continue
        while above is not None and above not in world:
            above = BONE_PARENT[above]
        R, p = (R0, p0) if above is None else world[above]
        world[bone] = (R @ pose.rotation, p + R @ pose.position)
    return world
