"""Pose a person: legs by analytic inverse kinematics, the rest by joint angles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from telexist.retarget.human import MASS_FRACTIONS, segment_shape
from telexist.retarget.human_size import HumanSize
from telexist.retarget.segments import PARENT, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import Array, rotation_x, rotation_y, rotation_z

__all__ = ["LegPose", "center_of_mass", "leg_pose", "segment_rotations"]

_STRAIGHT = 1e-14  # [m] below this the leg is straight and the rest is rounding


@dataclass(frozen=True, slots=True, kw_only=True)
class LegPose:
    """Orientation of a leg's two bones; the knee bends about their common y axis.

    Attributes:
        thigh: `world_R_thigh` (t, 3, 3).
        shank: `world_R_shank` (t, 3, 3).
    """

    thigh: Array
    shank: Array


def leg_pose(
    hip: Array, ankle: Array, ahead: Array, bones: tuple[float, float]
) -> LegPose:
    """Bend a knee so that the leg reaches from hip to ankle.

    A leg that is too short stays straight and points at the ankle.

    Args:
        hip: Position of the hip (t, 3) [m].
        ankle: Position of the ankle (t, 3) [m].
        ahead: Where the knee points, roughly (t, 3).
        bones: Lengths of thigh and shank [m].
    """
    thigh, shank = bones
    reach = np.linalg.norm(hip - ankle, axis=-1)
    up = (hip - ankle) / reach[:, None]
    left = np.cross(up, ahead)
    left = left / np.linalg.norm(left, axis=-1, keepdims=True)
    straight = np.stack([np.cross(left, up), left, up], axis=-1)
    slack = np.maximum(thigh + shank - reach, 0.0)
    slack = np.where(slack < _STRAIGHT, 0.0, slack)
    hip_angle = _corner(slack, shank - thigh, reach, thigh)
    ankle_angle = _corner(slack, thigh - shank, reach, shank)
    return LegPose(
        thigh=straight @ rotation_y(-hip_angle),
        shank=straight @ rotation_y(ankle_angle),
    )


def _corner(slack: Array, longer: float, reach: Array, bone: float) -> Array:
    """Return the triangle's angle between `reach` and `bone` (law of cosines).

    Written as 4 reach bone sin^2(angle / 2) = slack (reach + longer), which keeps its
    digits where the leg is nearly straight.
    """
    square = slack * np.maximum(reach + longer, 0.0) / (4.0 * reach * bone)
    return 2.0 * np.arcsin(np.sqrt(np.clip(square, 0.0, 1.0)))


def segment_rotations(pelvis: Array, angles: Mapping[str, Array]) -> Array:
    """Chain joint angles outwards from the pelvis.

    Args:
        pelvis: `world_R_pelvis` (t, 3, 3).
        angles: For a segment, the turns (t, 3) [rad] about y, x, z in this order from
            its parent's axes to its own; segments that are missing follow their parent.

    Returns:
        `world_R_segment` (t, 23, 3, 3).
    """
    rotations = np.empty((len(pelvis), len(SEGMENTS), 3, 3))
    for i, name in enumerate(SEGMENTS):
        parent = PARENT[name]
        R = pelvis if parent is None else rotations[:, SEGMENT_INDEX[parent]]
        if name in angles:
            y, x, z = angles[name].T
            R = R @ rotation_y(y) @ rotation_x(x) @ rotation_z(z)
        rotations[:, i] = R
    return rotations


def center_of_mass(size: HumanSize, rotations: Array, positions: Array) -> Array:
    """Return the centre of mass of the body ([T] Table 3.1), shape (t, 3) [m]."""
    total = np.zeros((len(positions), 3))
    for i, name in enumerate(SEGMENTS):
        share = MASS_FRACTIONS[name]
        center = segment_shape(size, name, share).center
        total = total + share * (positions[:, i] + rotations[:, i] @ center)
    return total
