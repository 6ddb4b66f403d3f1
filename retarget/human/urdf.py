"""URDF text of a human model of any size and mass."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.human.joints import HUMAN_MODELS, AxisJoint, segment_joints
from telexist.retarget.human.shapes import (
    MASS_FRACTIONS,
    Shape,
    principal_inertia,
    segment_shape,
)
from telexist.retarget.human_size import HumanSize
from telexist.retarget.segments import PARENT, SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["ADULT_MASS", "human_urdf"]

ADULT_MASS = 75.0  # [kg]

_AXES = {"x": "1 0 0", "y": "0 1 0", "z": "0 0 1"}
_COLORS = {"Right": "0.80 0.36 0.30 1", "Left": "0.27 0.47 0.75 1"}
_TRUNK_COLOR = "0.62 0.62 0.65 1"


def human_urdf(
    size: HumanSize, *, mass: float = ADULT_MASS, model: str = "human66"
) -> str:
    """Write the URDF of a person.

    The links carry the names of the segments, and between the axes of one joint lie
    massless links `<segment>_f1`, `_f2`. With all joints at zero every link frame is
    parallel to the pelvis frame: zero is the N-pose.

    Args:
        size: Joints of the person in N-pose.
        mass: Of the whole body [kg].
        model: `human66` (free ball joints) or `human48` (anatomical, with limits).

    Returns:
        URDF text.

    Raises:
        UnknownName: If there is no such model.
        BadInput: If the mass is not positive and finite.
    """
    if model not in HUMAN_MODELS:
        raise UnknownName("human model", model, HUMAN_MODELS)
    if not (math.isfinite(mass) and mass > 0.0):
        raise BadInput(f"a person's mass must be positive and finite, not {mass}")
    lines = ['<?xml version="1.0"?>', f'<robot name="{model}">', *_materials()]
    for segment in SEGMENTS:
        lines += _link(size, segment, mass * MASS_FRACTIONS[segment])
    for segment, joints in segment_joints(model).items():
        lines += _joint_chain(size, segment, joints)
    return "\n".join([*lines, "</robot>", ""])


def _materials() -> list[str]:
    colors = {**_COLORS, "Trunk": _TRUNK_COLOR}
    return [
        f'  <material name="{name}"><color rgba="{rgba}"/></material>'
        for name, rgba in colors.items()
    ]


def _numbers(values: ArrayLike) -> str:
    """Write numbers that read back to the same float, without a minus before zero."""
    return " ".join(repr(float(value) + 0.0) for value in np.ravel(values))


def _origin(position: Array, rotation: Array) -> str:
    return f'<origin xyz="{_numbers(position)}" rpy="{_numbers(_rpy(rotation))}"/>'


def _rpy(R: Array) -> tuple[float, float, float]:
    """Return roll, pitch, yaw with R = Rz(yaw) Ry(pitch) Rx(roll)."""
    pitch = math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0]))
    if math.hypot(R[0, 0], R[1, 0]) < 1e-9:
        return 0.0, pitch, math.atan2(-R[0, 1], R[1, 1])
    return math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])


def _link(size: HumanSize, segment: str, mass: float) -> list[str]:
    shape = segment_shape(size, segment, mass)
    origin = _origin(shape.center, shape.rotation)
    geometry = _geometry(shape)
    Ixx, Iyy, Izz = map(float, principal_inertia(shape, mass))
    color = next((side for side in _COLORS if segment.startswith(side)), "Trunk")
    return [
        f'  <link name="{segment}">',
        "    <inertial>",
        f"      {origin}",
        f'      <mass value="{mass!r}"/>',
        f'      <inertia ixx="{Ixx!r}" iyy="{Iyy!r}" izz="{Izz!r}" '
        'ixy="0" ixz="0" iyz="0"/>',
        "    </inertial>",
        f'    <visual>{origin}{geometry}<material name="{color}"/></visual>',
        f"    <collision>{origin}{geometry}</collision>",
        "  </link>",
    ]


def _geometry(shape: Shape) -> str:
    if shape.kind == "box":
        inner = f'<box size="{_numbers(shape.size)}"/>'
    elif shape.kind == "cylinder":
        radius, length = shape.size
        inner = f'<cylinder radius="{radius!r}" length="{length!r}"/>'
    else:
        inner = f'<sphere radius="{shape.size[0]!r}"/>'
    return f"<geometry>{inner}</geometry>"


def _joint_chain(
    size: HumanSize, segment: str, joints: Sequence[AxisJoint]
) -> list[str]:
    """Join a segment to its parent by revolute joints in one point."""
    parent = PARENT[segment]
    if parent is None:
        return []
    inner = [f"{segment}_f{i}" for i in range(1, len(joints))]
    chain = [parent, *inner, segment]
    offset = size.joints[segment] - size.joints[parent]
    lines = [f'  <link name="{name}"/>' for name in inner]
    for i, joint in enumerate(joints):
        shift = offset if i == 0 else np.zeros(3)
        lines += _joint(joint, chain[i], chain[i + 1], shift)
    return lines


def _joint(joint: AxisJoint, parent: str, child: str, shift: Array) -> list[str]:
    return [
        f'  <joint name="{joint.name}" type="revolute">',
        f'    <parent link="{parent}"/><child link="{child}"/>',
        f"    {_origin(shift, np.eye(3))}",
        f'    <axis xyz="{_AXES[joint.axis]}"/>',
        f'    <limit lower="{joint.lower!r}" upper="{joint.upper!r}" '
        f'velocity="{joint.velocity!r}" effort="{joint.effort!r}"/>',
        "  </joint>",
    ]
