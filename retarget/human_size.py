"""How large a person is, as the positions of the joints in N-pose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.segments import PARENT, SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["TIPS", "HumanSize"]

TIPS: Mapping[str, str] = MappingProxyType(
    {
        "HeadTop": "Head",
        "LeftHandTip": "LeftHand",
        "RightHandTip": "RightHand",
        "LeftHeel": "LeftFoot",
        "RightHeel": "RightFoot",
        "LeftToeTip": "LeftToe",
        "RightToeTip": "RightToe",
    }
)
"""Points that end a segment without being a joint, and the segment they belong to.
Heels and toe tips lie on the sole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanSize:
    """A person's joints and tips in N-pose, standing on the floor z = 0, facing +x.

    Attributes:
        joints: Origin of every one of the 23 segments (3,) [m]; pelvis over x = y = 0.
        tips: The points named in `TIPS` (3,) [m].
    """

    joints: Mapping[str, Array]
    tips: Mapping[str, Array]

    def __post_init__(self) -> None:
        """Copy, check and freeze the arrays."""
        object.__setattr__(self, "joints", _frozen_points(self.joints, SEGMENTS))
        object.__setattr__(self, "tips", _frozen_points(self.tips, tuple(TIPS)))

    @property
    def leg_length(self) -> float:
        """Height of the hip joints over the floor [m]."""
        hips = (self.joints["LeftUpperLeg"], self.joints["RightUpperLeg"])
        return float(np.mean([hip[2] for hip in hips]))

    @property
    def arm_length(self) -> float:
        """Shoulder to wrist along the bones, mean of both sides [m]."""
        total = 0.0
        for side in ("Left", "Right"):
            chain = [self.joints[f"{side}{p}"] for p in ("UpperArm", "ForeArm", "Hand")]
            total += sum(
                float(np.linalg.norm(b - a))
                for a, b in zip(chain[:-1], chain[1:], strict=True)
            )
        return total / 2.0

    @property
    def height(self) -> float:
        """Top of the head over the floor [m]."""
        return float(self.tips["HeadTop"][2])

    def positions(self, rotations: Array, pelvis: Array) -> Array:
        """Place all joints: forward kinematics of the rigid skeleton.

        Args:
            rotations: `world_R_segment` of all 23 segments (..., 23, 3, 3).
            pelvis: Position of the pelvis origin (..., 3) [m].

        Returns:
            Positions of the 23 segment origins (..., 23, 3) [m].
        """
        out = np.empty((*rotations.shape[:-3], len(SEGMENTS), 3))
        index = {name: i for i, name in enumerate(SEGMENTS)}
        for name in SEGMENTS:
            parent = PARENT[name]
            if parent is None:
                out[..., index[name], :] = pelvis
                continue
            offset = self.joints[name] - self.joints[parent]
            out[..., index[name], :] = (
                out[..., index[parent], :]
                + rotations[..., index[parent], :, :] @ offset
            )
        return out


def _frozen_points(
    points: Mapping[str, Array], names: tuple[str, ...]
) -> Mapping[str, Array]:
    missing = [name for name in names if name not in points]
    if missing:
        raise BadInput(f"a person's size lacks the points {', '.join(missing)}")
    frozen = {}
    for name in names:
        point = np.array(points[name], dtype=np.float64)
        if point.shape != (3,) or not np.all(np.isfinite(point)):
            raise BadInput(f"the point {name} of a person's size must be 3 numbers")
        point.setflags(write=False)
        frozen[name] = point
    return MappingProxyType(frozen)
