"""Which joints are legs, trunk, arms, head and fingers: found from the links' parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from telexist.robots.description.spec import RobotSpec
from telexist.robots.urdf import Urdf

__all__ = ["JointGroup", "joint_groups"]

JointGroup = Literal["legs", "torso", "arms", "head", "other"]


def joint_groups(spec: RobotSpec, urdf: Urdf) -> Mapping[str, JointGroup]:
    """Return the group of every moving joint.

    A joint that carries a sole is a leg's, one that carries the chest is the trunk's;
    what carries a hand or a head beyond those is an arm's or the head's.
    """
    groups: dict[str, JointGroup] = {j.name: "other" for j in urdf.moving_joints()}
    hands = list(spec.hands.values()) + [
        link for part, link in spec.links.items() if part.endswith(("Arm", "Hand"))
    ]
    parts: list[tuple[JointGroup, list[str]]] = [
        ("head", [spec.links[p] for p in ("Head", "Neck") if p in spec.links]),
        ("arms", hands),
        ("torso", [spec.links[p] for p in ("T8", "L5") if p in spec.links]),
        ("legs", [sole.link for sole in spec.soles.values()]),
    ]
    for group, links in parts:  # later parts overrule earlier ones
        for link in links:
            for joint in urdf.chain(link):
                if joint.name in groups:
                    groups[joint.name] = group
    return groups
