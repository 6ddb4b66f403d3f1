"""A person from the bones of Rokoko Studio, with fingers.

Every bone's frame lies as in the T-pose of Studio's own figure; divided by that, a bone
is the identity in T-pose.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from telexist.retarget.segments import SIDES
from telexist.retarget.so3 import Array, rotation_from_quat_wxyz
from telexist.teleop.devices.base import fill_segments, from_unity

__all__ = [
    "FINGER_BONES",
    "STUDIO_BONE",
    "T_POSE_QUATS",
    "studio_hands",
    "studio_person",
]

_LIMBS = {
    "Shoulder": "Shoulder",
    "UpperArm": "UpperArm",
    "ForeArm": "LowerArm",
    "Hand": "Hand",
    "UpperLeg": "UpLeg",
    "LowerLeg": "Leg",
    "Foot": "Foot",
    "Toe": "Toe",
}
STUDIO_BONE: Mapping[str, str] = MappingProxyType(
    {
        "Pelvis": "hip",
        "L5": "spine",
        "T8": "chest",
        "Neck": "neck",
        "Head": "head",
        **{
            f"{side.capitalize()}{part}": f"{side}{bone}"
            for side in SIDES
            for part, bone in _LIMBS.items()
        },
    }
)
"""Segment to bone."""

_H = 0.5**0.5
_LEFT_ARM, _RIGHT_ARM = (-0.5, -0.5, 0.5, -0.5), (0.5, -0.5, 0.5, 0.5)
T_POSE_QUATS: Mapping[str, tuple[float, float, float, float]] = MappingProxyType(
    {
        "Pelvis": (0.0, 0.0, 0.0, 1.0),
        **dict.fromkeys(("L5", "T8", "Neck", "Head"), (0.0, 0.0, 1.0, 0.0)),
        "LeftShoulder": (0.0, 0.0, _H, -_H),
        "RightShoulder": (0.0, 0.0, _H, _H),
        **{f"Left{part}": _LEFT_ARM for part in ("UpperArm", "ForeArm", "Hand")},
        **{f"Right{part}": _RIGHT_ARM for part in ("UpperArm", "ForeArm", "Hand")},
        **{f"Left{part}": (0.0, _H, 0.0, _H) for part in ("UpperLeg", "LowerLeg")},
        **{f"Right{part}": (0.0, -_H, 0.0, _H) for part in ("UpperLeg", "LowerLeg")},
        **{f"Left{part}": (0.0, _H, -_H, 0.0) for part in ("Foot", "Toe")},
        **{f"Right{part}": (0.0, -_H, _H, 0.0) for part in ("Foot", "Toe")},
    }
)
"""Segment to its bone's quaternion xyzw in T-pose, in Unity's axes."""

_CHAIN = ("Proximal", "Medial", "Distal", "Tip")
FINGER_BONES: Mapping[int, str] = MappingProxyType(
    {
        knuckle + k: f"{finger}{part}"
        for finger, knuckle in (
            ("Thumb", 1),
            ("Index", 6),
            ("Middle", 11),
            ("Ring", 16),
            ("Little", 21),
        )
        for k, part in enumerate(_CHAIN)
    }
)
"""WebXR joint of a hand to Studio's bone; metacarpals have none."""
_POINTS = 25


def studio_person(bones: Mapping[str, Array]) -> dict[str, tuple[Array, Array]]:
    """Return segment to rotation and position, in our axes, the identity in T-pose."""
    placed = {}
    for segment, bone in STUDIO_BONE.items():
        if bone in bones:
            R = _rotation(bones[bone][3:]) @ _rotation(T_POSE_QUATS[segment]).T
            placed[segment] = from_unity(R, bones[bone][:3])
    return fill_segments(placed)


def studio_hands(bones: Mapping[str, Array]) -> Array | None:
    """Return the points of both hands (2, 25, 3) [m]; None without gloves.

    A metacarpal, of which nobody makes use, is where its knuckle is.
    """
    hands = np.full((len(SIDES), _POINTS, 3), np.nan)
    for s, side in enumerate(SIDES):
        needed = [f"{side}Hand", *(f"{side}{bone}" for bone in FINGER_BONES.values())]
        if any(bone not in bones for bone in needed):
            continue
        hands[s, 0] = bones[f"{side}Hand"][:3]
        for k, bone in FINGER_BONES.items():
            hands[s, k] = bones[f"{side}{bone}"][:3]
        for k in range(1, _POINTS):
            if k not in FINGER_BONES:
                hands[s, k] = hands[s, k + 1]
    if np.isnan(hands).all():
        return None
    _, points = from_unity(np.eye(3), hands)
    return points


def _rotation(quat_xyzw: Array | tuple[float, ...]) -> Array:
    x, y, z, w = quat_xyzw
    return rotation_from_quat_wxyz(np.array([w, x, y, z]))
