"""Mass, shape and inertia of each of the 23 links of the human model.

Masses are fractions of the body mass ([T] Table 3.1); the shapes of that table are
fitted between the joints of a `HumanSize`; inertias follow from the shapes
([T] Table 3.2).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from telexist.retarget.human_size import HumanSize
from telexist.retarget.segments import LIMBS
from telexist.retarget.so3 import Array, shortest_rotation

__all__ = ["MASS_FRACTIONS", "Shape", "principal_inertia", "segment_shape"]


def _mass_fractions() -> dict[str, float]:
    """Return [T] Table 3.1; its RightToe 0.015 is a misprint of 0.0015 (sum 1)."""
    fractions = {
        "Pelvis": 0.08,
        "L5": 0.102,
        "L3": 0.102,
        "T12": 0.102,
        "T8": 0.04,
        "Neck": 0.012,
        "Head": 0.036,
    }
    paired = {
        "Shoulder": 0.031,
        "UpperArm": 0.030,
        "ForeArm": 0.020,
        "Hand": 0.006,
        "UpperLeg": 0.125,
        "LowerLeg": 0.0365,
        "Foot": 0.013,
        "Toe": 0.0015,
    }
    for side in ("Right", "Left"):
        fractions.update({f"{side}{part}": value for part, value in paired.items()})
    return fractions


MASS_FRACTIONS: Mapping[str, float] = MappingProxyType(_mass_fractions())
"""Share of the body mass of each segment; they sum to 1."""

DENSITY = 1050.0  # [kg/m^3] of the body; gives the cylinders their radius
MIN_LENGTH = 0.01  # [m] keeps the inertia of a segment of no length positive

# Fractions of the stature, for the dimensions that the joints do not tell.
_TRUNK_WIDTH, _TRUNK_DEPTH = 0.17, 0.115
_HAND_BREADTH, _HAND_THICKNESS = 0.045, 0.018
_FOOT_BREADTH = 0.055

_TRUNK_END = {"Pelvis": "L5", "L5": "L3", "L3": "T12", "T12": "T8", "T8": "Neck"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A solid of even density, in its link's frame.

    Attributes:
        kind: `box`, `cylinder` or `sphere`.
        size: Edges along x, y, z; or radius and length (axis z); or radius [m].
        center: Centre of the solid, `link_p_shape` (3,) [m].
        rotation: Axes of the solid, `link_R_shape` (3, 3).
    """

    kind: str
    size: tuple[float, ...]
    center: Array
    rotation: Array


def principal_inertia(shape: Shape, mass: float) -> Array:
    """Return the moments of inertia about the solid's own axes, [T] Table 3.2.

    The table's cylinder lies along y; ours lies along its own z.

    Args:
        shape: The solid.
        mass: Its mass [kg].

    Returns:
        Ixx, Iyy, Izz (3,) [kg m^2].
    """
    if shape.kind == "box":
        square = np.square(shape.size)
        return mass / 12.0 * (square.sum() - square)
    if shape.kind == "cylinder":
        radius, length = shape.size
        across = mass / 12.0 * (3.0 * radius**2 + length**2)
        return np.array([across, across, mass / 2.0 * radius**2])
    return np.full(3, 2.0 / 5.0 * mass * shape.size[0] ** 2)


def segment_shape(size: HumanSize, segment: str, mass: float) -> Shape:
    """Fit the solid of one segment between its joints.

    Args:
        size: The person's joints and tips.
        segment: One of `SEGMENTS`.
        mass: Of this segment [kg].

    Returns:
        The solid in the segment's frame.
    """
    origin = size.joints[segment]
    if segment in _TRUNK_END:
        end = size.joints[_TRUNK_END[segment]]
        width, depth = _TRUNK_WIDTH * size.height, _TRUNK_DEPTH * size.height
        return _box(origin, (depth, width, _length(end - origin)), (origin + end) / 2)
    if segment == "Head":
        return _head(size)
    if segment.endswith("Hand"):
        return _hand(size, segment)
    if segment.endswith(("Foot", "Toe")):
        return _foot_part(size, segment)
    return _cylinder(_far_end(size, segment) - origin, mass)


def _far_end(size: HumanSize, segment: str) -> Array:
    if segment == "Neck":
        return size.joints["Head"]
    if segment.endswith("Shoulder"):
        return size.joints[segment.replace("Shoulder", "UpperArm")]
    return size.joints[LIMBS[segment]]


def _length(vector: Array) -> float:
    return max(float(np.linalg.norm(vector)), MIN_LENGTH)


def _box(origin: Array, edges: tuple[float, float, float], center: Array) -> Shape:
    return Shape(kind="box", size=edges, center=center - origin, rotation=np.eye(3))


def _cylinder(bone: Array, mass: float) -> Shape:
    """Lay a cylinder along the bone, as thick as the mass demands."""
    length = _length(bone)
    radius = math.sqrt(mass / (DENSITY * math.pi * length))
    long_enough = float(np.linalg.norm(bone)) > 1e-6
    rotation = shortest_rotation([0.0, 0.0, 1.0], bone) if long_enough else np.eye(3)
    return Shape(
        kind="cylinder", size=(radius, length), center=bone / 2, rotation=rotation
    )


def _head(size: HumanSize) -> Shape:
    up = size.tips["HeadTop"] - size.joints["Head"]
    return Shape(
        kind="sphere", size=(_length(up) / 2,), center=up / 2, rotation=np.eye(3)
    )


def _hand(size: HumanSize, segment: str) -> Shape:
    """Make a box from wrist to finger tips; its broad side faces the body."""
    wrist, tip = size.joints[segment], size.tips[f"{segment}Tip"]
    breadth, thickness = _HAND_BREADTH * size.height, _HAND_THICKNESS * size.height
    return _box(wrist, (breadth, thickness, _length(tip - wrist)), (wrist + tip) / 2)


def _foot_part(size: HumanSize, segment: str) -> Shape:
    """Make a box from heel to ball, or ball to toe tip, that stands on the floor."""
    side = segment.removesuffix("Foot").removesuffix("Toe")
    joint, ball = size.joints[segment], size.joints[f"{side}Toe"]
    ends = (
        (size.tips[f"{side}Heel"], ball)
        if segment.endswith("Foot")
        else (ball, size.tips[f"{side}ToeTip"])
    )
    back, front = (float(end[0]) for end in ends)
    height = max(float(joint[2]), MIN_LENGTH)
    edges = (max(front - back, MIN_LENGTH), _FOOT_BREADTH * size.height, height)
    center = np.array([(back + front) / 2, joint[1], height / 2])
    return _box(joint, edges, center)
