"""Joints of the human models: 22 ball joints (66 DoF), or anatomical ones (48 DoF).

A ball joint is three revolute joints in a row, from the proximal segment outwards,
named `<joint>_rotx`, `_roty`, `_rotz` ([T] Table 3.3). Three axes lock where the
middle one stands at 90 degrees; the order of the axes is chosen for each joint so that
people rarely get there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from telexist.retarget.segments import SEGMENTS

__all__ = ["HUMAN_MODELS", "AxisJoint", "segment_joints"]

_FREE = 4.0 * math.pi  # [rad] two turns each way: never in the way
_FREE_VELOCITY = 100.0  # [rad/s] beyond any person
_VELOCITY = 25.0  # [rad/s] about the fastest that legs and arms turn in running
_EFFORT = 300.0  # [N m] about the largest knee and hip moments in running and lifting

_JOINT_NAMES = {
    "L5": "jL5S1",
    "L3": "jL4L3",
    "T12": "jL1T12",
    "T8": "jT9T8",
    "Neck": "jT1C7",
    "Head": "jC1Head",
    "Shoulder": "j{side}C7Shoulder",
    "UpperArm": "j{side}Shoulder",
    "ForeArm": "j{side}Elbow",
    "Hand": "j{side}Wrist",
    "UpperLeg": "j{side}Hip",
    "LowerLeg": "j{side}Knee",
    "Foot": "j{side}Ankle",
    "Toe": "j{side}BallFoot",
}

_ORDER = "yxz"  # bending may be large, side-bending in the middle is small
_SPECIAL_ORDERS = {
    # An arm points ahead, aside and up; with the turn about the upper arm in the middle
    # only a forearm that points straight across the body locks.
    "UpperArm": "yzx",
    "Shoulder": "xzy",
    "Hand": "xyz",
}

_Range = tuple[float, float]

# Ranges of motion [deg] of the right side, after the American Academy of Orthopaedic
# Surgeons and the American Medical Association as tabulated in Norkin and White,
# "Measurement of Joint Motion". Where the two differ the wider one is taken. A negative
# x turns the right limbs outwards, a negative y forwards, a positive z inwards.
_RANGES: Mapping[str, Mapping[str, _Range]] = MappingProxyType(
    {
        # Thoracolumbar: flexion 80, extension 30, side-bending 35, rotation 45, shared
        # between four joints, of which only the uppermost turns.
        "L5": {"y": (-10.0, 30.0), "x": (-10.0, 10.0)},
        "L3": {"y": (-8.0, 20.0), "x": (-10.0, 10.0)},
        "T12": {"y": (-6.0, 20.0), "x": (-10.0, 10.0)},
        "T8": {"y": (-6.0, 20.0), "x": (-12.0, 12.0), "z": (-45.0, 45.0)},
        # Neck: flexion 50, extension 60, side-bending 45, rotation 80.
        "Neck": {"y": (-45.0, 45.0), "x": (-35.0, 35.0), "z": (-80.0, 80.0)},
        "Head": {"y": (-25.0, 15.0), "x": (-10.0, 10.0)},
        # Shoulder girdle: elevation 40, depression 10.
        "Shoulder": {"x": (-40.0, 10.0)},
        # Flexion 180, extension 60; rotation inwards 90, outwards 90; abduction 180,
        # and adduction across the chest 45.
        "UpperArm": {"y": (-180.0, 60.0), "z": (-90.0, 90.0), "x": (-180.0, 45.0)},
        # Flexion 150, overextension 10; pronation 80, supination 80.
        "ForeArm": {"y": (-150.0, 10.0), "z": (-80.0, 80.0)},
        # Flexion 80, extension 70; towards the thumb 20, the little finger 30.
        "Hand": {"x": (-70.0, 80.0), "y": (-20.0, 30.0)},
        # Flexion 120, extension 30; abduction 45, adduction 30; rotation 45.
        "UpperLeg": {"y": (-120.0, 30.0), "x": (-45.0, 30.0), "z": (-45.0, 45.0)},
        # Flexion 150, overextension 5; the shank turns outwards 40, inwards 30.
        "LowerLeg": {"y": (-5.0, 150.0), "z": (-40.0, 30.0)},
        # Dorsiflexion 35 (under load; 20 free), plantar flexion 50; eversion 20,
        # inversion 35; the forefoot turns outwards and inwards 30.
        "Foot": {"y": (-35.0, 50.0), "x": (-20.0, 35.0), "z": (-30.0, 30.0)},
        # Toes: extension 70, flexion 45.
        "Toe": {"y": (-70.0, 45.0)},
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisJoint:
    """One revolute joint.

    Attributes:
        name: Such as `jRightKnee_roty`.
        axis: `x`, `y` or `z` of the parent's frame in N-pose.
        lower: Least angle [rad].
        upper: Greatest angle [rad].
        velocity: Greatest speed [rad/s].
        effort: Greatest torque [N m].
    """

    name: str
    axis: str
    lower: float
    upper: float
    velocity: float
    effort: float = _EFFORT


def _side_and_part(segment: str) -> tuple[str, str]:
    for side in ("Right", "Left"):
        if segment.startswith(side):
            return side, segment.removeprefix(side)
    return "", segment


def _free_joints(segment: str) -> tuple[AxisJoint, ...]:
    side, part = _side_and_part(segment)
    name = _JOINT_NAMES[part].format(side=side)
    return tuple(
        AxisJoint(
            name=f"{name}_rot{axis}",
            axis=axis,
            lower=-_FREE,
            upper=_FREE,
            velocity=_FREE_VELOCITY,
        )
        for axis in _SPECIAL_ORDERS.get(part, _ORDER)
    )


def _anatomical_joints(segment: str) -> tuple[AxisJoint, ...]:
    side, part = _side_and_part(segment)
    name = _JOINT_NAMES[part].format(side=side)
    joints = []
    for axis in _SPECIAL_ORDERS.get(part, _ORDER):
        if axis not in _RANGES[part]:
            continue
        lower, upper = (math.radians(bound) for bound in _RANGES[part][axis])
        if side == "Left" and axis != "y":  # mirrored at the plane x-z
            lower, upper = -upper, -lower
        joints.append(
            AxisJoint(
                name=f"{name}_rot{axis}",
                axis=axis,
                lower=lower,
                upper=upper,
                velocity=_VELOCITY,
            )
        )
    return tuple(joints)


HUMAN_MODELS = MappingProxyType(
    {"human48": _anatomical_joints, "human66": _free_joints}
)
"""Name of each human model and how it joins a segment to its parent."""


def segment_joints(model: str) -> Mapping[str, tuple[AxisJoint, ...]]:
    """Return the joints between each segment and its parent, proximal first.

    Args:
        model: A key of `HUMAN_MODELS`.
    """
    make = HUMAN_MODELS[model]
    return {segment: make(segment) for segment in SEGMENTS if segment != "Pelvis"}
