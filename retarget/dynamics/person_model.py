"""A person's body as the estimator needs it: 23 rigid links, their joints and masses.

The same person as `human_urdf` writes, without the massless links between the axes of
one joint: an axis is fixed in the segment that the axes before it have turned.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.human import (
    HUMAN_MODELS,
    MASS_FRACTIONS,
    principal_inertia,
    segment_joints,
    segment_shape,
)
from telexist.retarget.human_size import HumanSize
from telexist.retarget.segments import PARENT, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import Array, hat

__all__ = ["MOST_AXES", "PersonModel", "person_model"]

MOST_AXES = 3  # of one joint


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonModel:
    """23 links in the order of `SEGMENTS`; n axes in the same order, proximal first.

    Attributes:
        size: The person's joints and tips in N-pose.
        mass: Of the whole body [kg].
        joint_names: The n axes, such as `jRightKnee_roty`.
        parent: Link that carries each link (23,), -1 of the pelvis.
        offset: `parent_p_link` (23, 3) [m].
        axes: Which of x, y, z each axis of a link's joint is (23, 3), -1 for none.
        first: Place of a link's first axis among the n (23,).
        link_mass: (23,) [kg].
        com: `link_p_com` (23, 3) [m].
        inertia: Spatial, about the link's origin, force first (23, 6, 6).
    """

    size: HumanSize
    mass: float
    joint_names: tuple[str, ...]
    parent: NDArray[np.int64]
    offset: Array
    axes: NDArray[np.int64]
    first: NDArray[np.int64]
    link_mass: Array
    com: Array
    inertia: Array

    @property
    def n(self) -> int:
        """Number of axes."""
        return len(self.joint_names)

    def axes_of(self, segment: str) -> slice:
        """Return where the axes of a segment's joint stand among the n."""
        link = SEGMENT_INDEX[segment]
        start = int(self.first[link])
        return slice(start, start + int(np.sum(self.axes[link] >= 0)))


def person_model(
    size: HumanSize, mass: float, *, model: str = "human66"
) -> PersonModel:
    """Build the model of a person of this size and mass.

    Args:
        size: Joints of the person in N-pose.
        mass: Of the whole body [kg].
        model: `human66` (ball joints) or `human48` (anatomical axes).

    Raises:
        UnknownName: If there is no such model.
        BadInput: If the mass is not positive and finite.
    """
    if model not in HUMAN_MODELS:
        raise UnknownName("human model", model, HUMAN_MODELS)
    if not (math.isfinite(mass) and mass > 0.0):
        raise BadInput(f"a person's mass must be positive and finite, not {mass}")
    n = len(SEGMENTS)
    names: list[str] = []
    axes, first = np.full((n, MOST_AXES), -1), np.zeros(n, dtype=np.int64)
    joints = segment_joints(model)
    for link, segment in enumerate(SEGMENTS):
        first[link] = len(names)
        for k, joint in enumerate(joints.get(segment, ())):
            axes[link, k] = "xyz".index(joint.axis)
            names.append(joint.name)
    parents = [PARENT[segment] for segment in SEGMENTS]
    above = [size.joints["Pelvis" if name is None else name] for name in parents]
    bodies = [_rigid_body(size, name, mass * MASS_FRACTIONS[name]) for name in SEGMENTS]
    return PersonModel(
        size=size,
        mass=mass,
        joint_names=tuple(names),
        parent=np.array(
            [-1 if name is None else SEGMENT_INDEX[name] for name in parents]
        ),
        offset=np.array([size.joints[name] for name in SEGMENTS]) - np.array(above),
        axes=axes,
        first=first,
        link_mass=np.array([mass * MASS_FRACTIONS[name] for name in SEGMENTS]),
        com=np.array([com for com, _ in bodies]),
        inertia=np.array([inertia for _, inertia in bodies]),
    )


def _rigid_body(size: HumanSize, segment: str, mass: float) -> tuple[Array, Array]:
    """Return the centre of mass (3,) and the spatial inertia (6, 6) of a link."""
    shape = segment_shape(size, segment, mass)
    R, com = shape.rotation, shape.center
    about_com = R @ np.diag(principal_inertia(shape, mass)) @ R.T
    C = hat(com)
    M = np.zeros((6, 6))
    M[:3, :3] = mass * np.eye(3)
    M[:3, 3:], M[3:, :3] = -mass * C, mass * C
    M[3:, 3:] = about_com - mass * C @ C
    return com, M
