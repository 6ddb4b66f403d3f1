"""The 23 segments of a person, how they hang together and where they point.

Order, names and joints are those of the Xsens model ([T] Tables 3.1 and 3.3). In the
neutral N-pose (upright, arms down, palms in, facing +x) every segment frame is the
identity; a segment's origin is its proximal joint.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = [
    "LIMBS",
    "NEUTRAL_DIRECTION",
    "PARENT",
    "SEGMENTS",
    "SEGMENT_INDEX",
    "SIDES",
]

SIDES = ("left", "right")

SEGMENTS = (
    "Pelvis",
    "L5",
    "L3",
    "T12",
    "T8",
    "Neck",
    "Head",
    "RightShoulder",
    "RightUpperArm",
    "RightForeArm",
    "RightHand",
    "LeftShoulder",
    "LeftUpperArm",
    "LeftForeArm",
    "LeftHand",
    "RightUpperLeg",
    "RightLowerLeg",
    "RightFoot",
    "RightToe",
    "LeftUpperLeg",
    "LeftLowerLeg",
    "LeftFoot",
    "LeftToe",
)

SEGMENT_INDEX: Mapping[str, int] = MappingProxyType(
    {name: index for index, name in enumerate(SEGMENTS)}
)


def _parents() -> dict[str, str | None]:
    parent: dict[str, str | None] = {
        "Pelvis": None,
        "L5": "Pelvis",
        "L3": "L5",
        "T12": "L3",
        "T8": "T12",
        "Neck": "T8",
        "Head": "Neck",
    }
    for side in ("Right", "Left"):
        parent[f"{side}Shoulder"] = "T8"
        parent[f"{side}UpperArm"] = f"{side}Shoulder"
        parent[f"{side}ForeArm"] = f"{side}UpperArm"
        parent[f"{side}Hand"] = f"{side}ForeArm"
        parent[f"{side}UpperLeg"] = "Pelvis"
        parent[f"{side}LowerLeg"] = f"{side}UpperLeg"
        parent[f"{side}Foot"] = f"{side}LowerLeg"
        parent[f"{side}Toe"] = f"{side}Foot"
    return parent


PARENT: Mapping[str, str | None] = MappingProxyType(_parents())
"""Proximal neighbour of each segment; the pelvis is the root."""


def _neutral_directions() -> dict[str, tuple[float, float, float]]:
    up, down, ahead = (0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0)
    directions = {
        name: up for name in ("Pelvis", "L5", "L3", "T12", "T8", "Neck", "Head")
    }
    for side, lateral in (("Right", -1.0), ("Left", 1.0)):
        directions[f"{side}Shoulder"] = (0.0, lateral, 0.0)
        for part in ("UpperArm", "ForeArm", "Hand", "UpperLeg", "LowerLeg"):
            directions[f"{side}{part}"] = down
        for part in ("Foot", "Toe"):
            directions[f"{side}{part}"] = ahead
    return directions


NEUTRAL_DIRECTION: Mapping[str, tuple[float, float, float]] = MappingProxyType(
    _neutral_directions()
)
"""Where each segment points in N-pose, world axes: x ahead, y left, z up."""

LIMBS: Mapping[str, str] = MappingProxyType(
    {
        f"{side}{part}": f"{side}{end}"
        for side in ("Left", "Right")
        for part, end in (
            ("UpperArm", "ForeArm"),
            ("ForeArm", "Hand"),
            ("UpperLeg", "LowerLeg"),
            ("LowerLeg", "Foot"),
        )
    }
)
"""Limb segments and the segment at their far end: the limb's direction is the line
between the two origins."""
