"""A person from Motive's skeleton, or from rigid bodies that somebody wears.

Motive's world is y up and right-handed; in T-pose, facing z, the bones' frames are
parallel to it. Its bones are named as Motive's own convention, FBX or BVH have it, with
or without the name of the skeleton before.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from telexist.retarget.errors import UnknownName
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.so3 import Array, rotation_from_quat_wxyz
from telexist.teleop.devices.optitrack.natnet import Models, ModelSkeleton

__all__ = [
    "MOTIVE_BONE",
    "from_motive",
    "require_segments",
    "segments_of_bodies",
    "segments_of_bones",
]

_OURS_R_MOTIVE = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])

_LIMBS = {
    "Shoulder": ("Shoulder", "Shoulder"),
    "UpperArm": ("UArm", "Arm"),
    "ForeArm": ("FArm", "ForeArm"),
    "Hand": ("Hand", "Hand"),
    "UpperLeg": ("Thigh", "UpLeg"),
    "LowerLeg": ("Shin", "Leg"),
    "Foot": ("Foot", "Foot"),
    "Toe": ("Toe", "ToeBase"),
}
MOTIVE_BONE: Mapping[str, str] = MappingProxyType(
    {
        "Pelvis": "Hip",
        "L5": "Ab",
        "T8": "Chest",
        "Neck": "Neck",
        "Head": "Head",
        **{
            f"{side}{part}": f"{side[0]}{names[0]}"
            for side in ("Left", "Right")
            for part, names in _LIMBS.items()
        },
    }
)
"""Segment to the bone in Motive's own names."""

_FBX = {
    "hips": "Pelvis",
    "spine": "L5",
    "spine1": "T8",
    **{
        f"{side}{names[1]}".casefold(): f"{side}{part}"
        for side in ("Left", "Right")
        for part, names in _LIMBS.items()
    },
}
_BVH = {
    "chest": "L5",
    "chest2": "T8",
    **{
        f"{side}{name}".casefold(): f"{side}{part}"
        for side in ("Left", "Right")
        for part, name in (
            ("Shoulder", "Collar"),
            ("UpperArm", "Shoulder"),
            ("ForeArm", "Elbow"),
            ("Hand", "Wrist"),
            ("UpperLeg", "Hip"),
            ("LowerLeg", "Knee"),
            ("Foot", "Ankle"),
            ("Toe", "Toe"),
        )
    },
}
_CENTRE = {"neck": "Neck", "head": "Head"}
_NAMES = tuple(
    {**_CENTRE, **names}
    for names in (
        {bone.casefold(): segment for segment, bone in MOTIVE_BONE.items()},
        _FBX,
        {"hips": "Pelvis", **_BVH},
    )
)


def from_motive(pose: Array) -> tuple[Array, Array]:
    """Return rotation (3, 3) and position (3,) of a pose (7,) in our axes."""
    C = _OURS_R_MOTIVE
    R = rotation_from_quat_wxyz(pose[[6, 3, 4, 5]])
    return C @ R @ C.T, C @ pose[:3]


def segments_of_bones(skeleton: ModelSkeleton) -> dict[int, str]:
    """Return the id of a bone to the segment that it is, as far as names tell.

    Of Motive's three ways to name bones the one counts that knows the most of them. The
    bone without a parent is the pelvis: some versions call it as the skeleton.
    """
    tables = []
    for names in _NAMES:
        found = {
            bone.number: names[_plain(bone.name, skeleton.name)]
            for bone in skeleton.bones
            if _plain(bone.name, skeleton.name) in names
        }
        for bone in skeleton.bones:
            if bone.parent == 0 and "Pelvis" not in found.values():
                found[bone.number] = "Pelvis"
        tables.append(found)
    return max(tables, key=len)


def segments_of_bodies(models: Models, table: Mapping[str, str]) -> dict[int, str]:
    """Return the id of a rigid body to the segment that it is worn on.

    Raises:
        UnknownName: If the user's table has a body that Motive has not.
    """
    numbers = {body.name: body.number for body in models.bodies}
    for name in table:
        if name not in numbers:
            raise UnknownName("rigid body of Motive", name, numbers)
    return {numbers[name]: segment for name, segment in table.items()}


def require_segments(table: Mapping[str, str]) -> None:
    """Refuse a table with a segment that nobody has.

    Raises:
        UnknownName: If there is one.
    """
    for segment in table.values():
        if segment not in SEGMENTS:
            raise UnknownName("segment", segment, SEGMENTS)


def _plain(name: str, skeleton: str) -> str:
    """Return a bone's name without the skeleton's before it."""
    folded, prefix = name.casefold(), skeleton.casefold()
    for mark in ("_", ":"):
        folded = folded.removeprefix(f"{prefix}{mark}")
    return folded.rpartition(":")[2]
