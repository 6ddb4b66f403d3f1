"""Which robot link plays which human segment, and which joints stay still."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from telexist.robots.description import nearest_point
from telexist.robots.draft.anatomy import Anatomy
from telexist.robots.draft.body_tree import Body, BodyTree
from telexist.robots.draft.limb_parts import LimbParts

__all__ = ["LinkMap", "main_link", "map_links"]

HEAVY = 0.2  # of the heaviest link of a body: lighter ones are flanges and frames
ONE_JOINT = 0.1  # of a trunk's or neck's length: axes nearer belong to one joint
SPINE = {0: (), 1: ("L3",), 2: ("L5", "T12"), 3: ("L5", "L3", "T12")}


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkMap:
    """The result.

    Attributes:
        links: Human segment to robot link.
        hands: "left" and "right" to the last link of an arm.
        used: Joints that move mapped segments, each chain from the trunk outwards.
        locked: Joints that stay still: fingers, eyes, wheels, sliders, gears.
    """

    links: dict[str, str]
    hands: dict[str, str]
    used: tuple[str, ...]
    locked: tuple[str, ...]


def map_links(anatomy: Anatomy) -> LinkMap:
    """Choose a link for every human segment that the robot can play."""
    links, waist = _trunk(anatomy)
    links |= _head(anatomy)
    used = [*waist, *(body.name for body in anatomy.head)]
    hands = {}
    for side, arm in anatomy.arms.items():
        links |= _arm(anatomy.tree, side.capitalize(), arm)
        hands[side] = main_link(anatomy.tree, arm.bodies[-1])
        used += [body.name for body in arm.bodies]
    for side, leg in anatomy.legs.items():
        links |= _leg(anatomy.tree, side.capitalize(), leg)
        used += [body.name for body in leg.bodies]
    return LinkMap(
        links=links,
        hands=hands,
        used=tuple(used),
        locked=_locked(anatomy.tree, used),
    )


def _trunk(anatomy: Anatomy) -> tuple[dict[str, str], list[str]]:
    """Map pelvis, spine and chest; return the joints between them too."""
    links: dict[str, str] = {}
    pelvis, chest = anatomy.pelvis, anatomy.chest
    if pelvis is not None:
        links["Pelvis"] = _carrier(anatomy.tree, anatomy.legs["left"].bodies[0])
    if chest is None or chest is pelvis:
        return links, []
    joints, bodies = _between(pelvis, chest)
    length = float(np.linalg.norm(chest.com - (pelvis or chest).com))
    ends = _joint_ends(joints, ONE_JOINT * length)
    middle = ends[:-1]
    if len(middle) > len(SPINE) - 1:
        middle = [middle[0], middle[len(middle) // 2], middle[-1]]
    for segment, i in zip(SPINE[len(middle)], middle, strict=True):
        links[segment] = main_link(anatomy.tree, bodies[i])
    links["T8"] = _carrier(anatomy.tree, anatomy.arms["left"].bodies[0])
    return links, [body.name for body in joints]


def _between(pelvis: Body | None, chest: Body) -> tuple[list[Body], list[Body]]:
    """Return the joints from pelvis to chest, and the body beyond each.

    A joint is given by the body that it carries in the model, which is the one before
    it where the chest is nearer to the root than the pelvis.
    """
    down = list(chest.ancestors())
    if pelvis is None:
        return (moving := down[::-1][1:]), moving
    up = list(pelvis.ancestors())
    meeting = next(i for i, b in enumerate(up) if any(b is other for other in down))
    falling = down[: next(i for i, b in enumerate(down) if b is up[meeting])][::-1]
    rising = up[:meeting]
    return [*rising, *falling], [*up[1 : meeting + 1], *falling]


def _joint_ends(joints: Sequence[Body], near: float) -> list[int]:
    """Return the last index of each group of axes that act as one joint.

    Groups of a single axis are no joints of a spine: they go with the next group.
    """
    groups: list[list[int]] = []
    for i, body in enumerate(joints):
        group = [joints[k] for k in groups[-1]] if groups else []
        if group and _belongs(body, group, near):
            groups[-1].append(i)
        else:
            groups.append([i])
    ends = [group[-1] for group in groups if len(group) > 1]
    if groups and (not ends or ends[-1] != groups[-1][-1]):
        ends = [*ends[:-1], groups[-1][-1]]
    return ends


def _belongs(body: Body, group: Sequence[Body], near: float) -> bool:
    origins = np.array([b.origin for b in group])
    axes = np.array([b.axis for b in group])
    # Both points slide along their axes until they are nearest to each other.
    both = nearest_point(
        np.vstack([origins, body.origin]), np.vstack([axes, body.axis]), origins[0]
    )
    gaps = np.linalg.norm(np.cross(axes, both - origins), axis=1)
    own = float(np.linalg.norm(np.cross(body.axis, both - body.origin)))
    return max(own, float(gaps.max())) < near


def _head(anatomy: Anatomy) -> dict[str, str]:
    if not anatomy.head:
        return {}
    tree, head = anatomy.tree, anatomy.head
    length = float(np.linalg.norm(head[-1].com - head[0].origin))
    ends = _joint_ends(head, ONE_JOINT * length)
    links = {"Neck": main_link(tree, head[ends[0]])} if len(ends) > 1 else {}
    return links | {"Head": main_link(tree, head[-1])}


def _arm(tree: BodyTree, side: str, arm: LimbParts) -> dict[str, str]:
    links = {}
    if arm.girdle:
        links[f"{side}Shoulder"] = _before(arm.upper[0])
    links[f"{side}UpperArm"] = _before(arm.lower[0])
    if not arm.outer:
        return links | {f"{side}ForeArm": main_link(tree, arm.lower[-1])}
    links[f"{side}ForeArm"] = _before(arm.outer[0])
    return links | {f"{side}Hand": main_link(tree, arm.outer[-1])}


def _leg(tree: BodyTree, side: str, leg: LimbParts) -> dict[str, str]:
    links = {f"{side}UpperLeg": _before(leg.lower[0])}
    if not leg.outer:
        return links | {f"{side}LowerLeg": main_link(tree, leg.lower[-1])}
    links[f"{side}LowerLeg"] = _before(leg.outer[0])
    links[f"{side}Foot"] = main_link(tree, leg.outer[-1])
    if leg.toe:
        links[f"{side}Toe"] = main_link(tree, leg.toe[-1])
    return links


def _before(body: Body) -> str:
    """Return the link on which a body's joint sits."""
    return "" if body.joint is None else body.joint.parent


def main_link(tree: BodyTree, body: Body) -> str:
    """Return the first link of a body that is not a flange or a frame."""
    return _first_heavy(tree, body.links)


def _carrier(tree: BodyTree, limb: Body) -> str:
    """Return the link of the trunk that carries a limb, past mounts and flanges."""
    start = _before(limb)
    candidates = [start]
    for joint in tree.urdf.chain(start):
        if joint.kind != "fixed":
            break
        candidates.append(joint.parent)
    return _first_heavy(tree, candidates)


def _first_heavy(tree: BodyTree, links: Sequence[str]) -> str:
    masses = [tree.urdf.links[name].mass for name in links]
    enough = HEAVY * max(masses)
    return next(n for n, mass in zip(links, masses, strict=True) if mass >= enough)


def _locked(tree: BodyTree, used: Sequence[str]) -> tuple[str, ...]:
    """Return the joints that nobody needs; followers and their leaders stay free."""
    joints = tree.urdf.joints
    needed = set(used)
    for name in used:
        mimic = joints[name].mimic
        while mimic is not None:
            needed.add(mimic.leader)
            mimic = joints[mimic.leader].mimic
    return tuple(
        joint.name
        for joint in tree.urdf.moving_joints()
        if joint.name not in needed and joint.mimic is None
    )
