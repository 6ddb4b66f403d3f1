"""A person as a mannequin of bones with flesh on them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from telexist.retarget.human_size import TIPS, HumanSize
from telexist.retarget.pictures.solids import PaintedSolid, ball, capsule, wrapped
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array

__all__ = ["human_solids"]

ADULT = 1.75  # [m] height of the person for whom the radii below are given

LIMB_BONES: Mapping[tuple[str, str], tuple[float, float]] = MappingProxyType(
    {
        ("UpperArm", "ForeArm"): (0.050, 0.040),
        ("ForeArm", "Hand"): (0.040, 0.030),
        ("Hand", "HandTip"): (0.036, 0.022),
        ("UpperLeg", "LowerLeg"): (0.082, 0.055),
        ("LowerLeg", "Foot"): (0.056, 0.038),
        ("Foot", "Heel"): (0.040, 0.030),
        ("Foot", "Toe"): (0.038, 0.032),
        ("Toe", "ToeTip"): (0.032, 0.018),
    }
)
"""Bones of one side from point to point, and their radii at both ends [m]."""

TRUNK_PARTS: tuple[Mapping[str, float], ...] = (
    MappingProxyType({"Pelvis": 0.088, "LeftUpperLeg": 0.084, "RightUpperLeg": 0.084}),
    MappingProxyType({"Pelvis": 0.088, "L3": 0.092, "T12": 0.094}),
    MappingProxyType(
        {"T12": 0.094, "T8": 0.100, "LeftUpperArm": 0.058, "RightUpperArm": 0.058}
    ),
    MappingProxyType({"T8": 0.080, "Neck": 0.050}),
    MappingProxyType({"Neck": 0.048, "Head": 0.048}),
)
"""Hips, belly, chest and neck: balls at these joints, of these radii [m], wrapped."""


def human_solids(
    size: HumanSize, rotations: Array, positions: Array
) -> list[PaintedSolid]:
    """Build the figure of a person.

    Args:
        size: The person's joints and tips in N-pose.
        rotations: `world_R_segment` (23, 3, 3).
        positions: Origins of the segments (23, 3) [m].
    """
    points = {name: positions[i] for name, i in SEGMENT_INDEX.items()}
    for tip, segment in TIPS.items():
        i = SEGMENT_INDEX[segment]
        offset = size.tips[tip] - size.joints[segment]
        points[tip] = positions[i] + rotations[i] @ offset
    unit = size.height / ADULT
    solids = [
        wrapped([(points[name], unit * r) for name, r in part.items()], "")
        for part in TRUNK_PARTS
    ]
    for side in ("Left", "Right"):
        solids += [
            capsule(
                points[side + a],
                points[side + b],
                (unit * r[0], unit * r[1]),
                side.lower(),
            )
            for (a, b), r in LIMB_BONES.items()
        ]
    return solids + _head(points, rotations[SEGMENT_INDEX["Head"]], unit)


def _head(
    points: Mapping[str, Array], world_R_head: Array, unit: float
) -> list[PaintedSolid]:
    """Return skull and nose; the nose shows where the person looks."""
    radius = 0.088 * unit
    top = points["HeadTop"] - world_R_head[:, 2] * radius
    low = points["Head"] + 0.45 * (top - points["Head"])
    nose = 0.5 * (top + low) + world_R_head[:, 0] * radius
    return [
        capsule(low, top, (0.9 * radius, radius), ""),
        ball(nose, 0.28 * radius, "face"),
    ]
