"""A person with muscles: 23 segments on ball joints, wires, and branches between them.

156 degrees of freedom (pelvis 6, 22 ball joints, 14 branches of 6) and 342 wires.
Branches hang on nothing but wires, so wires close chains through them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from telexist.retarget.human.musculoskeletal.body_points import segment_point
from telexist.retarget.human.musculoskeletal.markers import body_markers
from telexist.retarget.human.musculoskeletal.muscles import (
    BRANCHES,
    MUSCLES,
    TENDONS,
    Muscle,
)
from telexist.retarget.human_size import HumanSize
from telexist.retarget.lm_pfd import Link, LinkModel, ViaPoint, Wire
from telexist.retarget.segments import PARENT, SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["Musculoskeleton", "musculoskeleton"]

STRAND_PITCH = 0.006  # of the stature, between strands of one muscle
BRANCH_PITCH = 0.002  # the same where strands meet
MUSCLE_STRETCH = 1.2  # length over the length in N-pose at which a muscle holds
TENDON_STRETCH = 1.02  # the same of a tendon
WIRE_WEIGHT = 0.1  # against 1 of a marker


@dataclass(frozen=True, slots=True, kw_only=True)
class Musculoskeleton:
    """A skeleton with wires, and the markers on it.

    Attributes:
        model: Links and wires.
        markers: Points by name.
    """

    model: LinkModel
    markers: Mapping[str, ViaPoint]


def musculoskeleton(size: HumanSize) -> Musculoskeleton:
    """Build a person with muscles; at rest in N-pose.

    Args:
        size: Joints of the person.
    """
    links = [_segment(size, name) for name in SEGMENTS]
    branches = {
        f"{side}{name}": _branch(size, side, name, text)
        for side in ("Right", "Left")
        for name, text in BRANCHES.items()
    }
    links += branches.values()
    wires = [
        wire
        for side in ("Right", "Left")
        for muscles, stretch in ((MUSCLES, MUSCLE_STRETCH), (TENDONS, TENDON_STRETCH))
        for muscle in muscles
        for wire in _wires(size, side, muscle, stretch)
    ]
    markers = {
        name: ViaPoint(link=point.segment, link_p_point=point.segment_p_point)
        for name, point in body_markers(size).items()
    }
    model = LinkModel(links=tuple(links), wires=tuple(wires))
    return Musculoskeleton(model=model, markers=markers)


def _segment(size: HumanSize, name: str) -> Link:
    parent = PARENT[name]
    if parent is None:
        return Link(name=name, joint="free", rest_p=size.joints[name])
    rest_p = size.joints[name] - size.joints[parent]
    return Link(name=name, parent=parent, joint="spherical", rest_p=rest_p)


def _branch(size: HumanSize, side: str, name: str, text: str) -> Link:
    point = segment_point(size, side, text)
    return Link(
        name=f"{side}{name}",
        parent=point.segment,
        joint="free",
        rest_p=point.segment_p_point,
    )


def _wires(size: HumanSize, side: str, muscle: Muscle, stretch: float) -> list[Wire]:
    wires = []
    for strand in range(muscle.strands):
        shift = strand - (muscle.strands - 1) / 2.0
        path = tuple(_via(size, side, text, shift) for text in muscle.path)
        places = np.array([_in_n_pose(size, point) for point in path])
        length = float(np.sum(np.linalg.norm(np.diff(places, axis=0), axis=1)))
        wires.append(
            Wire(
                name=f"{side} {muscle.name} {strand + 1}",
                path=path,
                length=stretch * length,
                weight=WIRE_WEIGHT,
            )
        )
    return wires


def _via(size: HumanSize, side: str, text: str, shift: float) -> ViaPoint:
    """Return a via-point of a strand that lies `shift` strands outwards."""
    if text in BRANCHES:
        left = 1.0 if side == "Left" else -1.0
        aside = left * shift * BRANCH_PITCH * size.height
        return ViaPoint(link=f"{side}{text}", link_p_point=np.array([0.0, aside, 0.0]))
    point = segment_point(size, side, text, outwards=shift * STRAND_PITCH)
    return ViaPoint(link=point.segment, link_p_point=point.segment_p_point)


def _in_n_pose(size: HumanSize, point: ViaPoint) -> Array:
    if point.link in size.joints:
        return size.joints[point.link] + point.link_p_point
    side = "Left" if point.link.startswith("Left") else "Right"
    base = segment_point(size, side, BRANCHES[point.link.removeprefix(side)])
    return size.joints[base.segment] + base.segment_p_point + point.link_p_point
