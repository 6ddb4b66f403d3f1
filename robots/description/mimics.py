"""Joints that follow others: chains of followers resolved to their leaders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from telexist.retarget.robot_body import Mimic
from telexist.robots.urdf import Urdf

__all__ = ["Following", "resolve_mimics"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """Who follows whom, and who stands still.

    Attributes:
        mimics: Followers of moving joints; no leader among them is a follower.
        locked: Joint to the position at which it is welded: those asked for, and the
            followers of joints that do not move.
    """

    mimics: tuple[Mimic, ...]
    locked: Mapping[str, float]


def resolve_mimics(urdf: Urdf, locked: Mapping[str, float]) -> Following:
    """Resolve the mimic joints of a model of which some joints are locked."""
    mimics = []
    welded = dict(locked)
    for joint in urdf.moving_joints():
        if joint.mimic is None or joint.name in locked:
            continue
        a, b = joint.mimic.multiplier, joint.mimic.offset
        leader = urdf.joints[joint.mimic.leader]
        while leader.mimic is not None and leader.name not in locked:
            a, b = a * leader.mimic.multiplier, a * leader.mimic.offset + b
            leader = urdf.joints[leader.mimic.leader]
        if leader.name in locked or not leader.moves or a == 0.0:
            position = locked.get(leader.name, 0.0)
            welded[joint.name] = a * position + b
        else:
            mimics.append(
                Mimic(joint=joint.name, leader=leader.name, multiplier=a, offset=b)
            )
    return Following(mimics=tuple(mimics), locked=welded)
