"""Which way a robot's palms face, from its fingers or the shape of its hands.

Fingers bend about axes that lie across the palm, and towards it. A hand whose fingers
do not move is still broad across the palm and thin through it. Where only that line is
known (a gripper with two equal jaws), the palm may face either way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.draft.anatomy import Anatomy
from telexist.robots.draft.body_tree import Body, BodyTree
from telexist.robots.draft.link_map import main_link
from telexist.robots.draft.shape_points import body_points

__all__ = ["Palm", "find_palms"]

ONE_SIDED = 0.2  # [rad] by which a finger's two ranges must differ to tell its palm
FLAT = 1.8  # times broader than thin: a hand whose shape tells
MIN_POINTS = 6
CLEAR = 0.5  # of the fingers' bending must agree


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Palm:
    """How a hand bends; directions in the axes of `link`.

    Attributes:
        link: Link of the hand.
        across: Line about which the fingers bend, broad side of the hand (3,); of
            either sign, towards the thumb where that sticks out.
        facing: Where the palm faces (3,); None where that is not to be seen.
    """

    link: str
    across: Array
    facing: Array | None


def find_palms(anatomy: Anatomy) -> Mapping[str, Palm]:
    """Find the palms, "left" and "right", of hands that have fingers."""
    palms = {}
    for side, arm in anatomy.arms.items():
        palm = _palm(anatomy.tree, arm.bodies[-1])
        if palm is not None:
            palms[side] = palm
    return palms


def _palm(tree: BodyTree, hand: Body) -> Palm | None:
    fingers = [b for child in hand.children for b in child.subtree()]
    outwards = hand.com - hand.origin
    axes = [*(b.axis for b in fingers), *_jaw_axes(tree, hand, outwards)]
    across = _main_line(np.array(axes)) if axes else _broad_side(tree, hand)
    if across is None:
        return None
    link = main_link(tree, hand)
    link_R_root = tree.pose_of[link].R.T
    facing = _facing(fingers)
    return Palm(
        link=link,
        across=link_R_root @ across,
        facing=None if facing is None else link_R_root @ facing,
    )


def _main_line(vectors: Array) -> Array:
    """Return the line along which vectors of either sign (k, 3) mostly lie (3,)."""
    line = np.linalg.eigh(vectors.T @ vectors)[1][:, -1]
    return np.asarray(line * np.sign(line[np.argmax(np.abs(line))]))


def _broad_side(tree: BodyTree, hand: Body) -> Array | None:
    """Return the line along which a flat hand is broad, towards its thumb (3,)."""
    points = body_points(tree, hand)
    if points is None:
        points = np.array([tree.pose_of[link].p for link in hand.links])
    if len(points) < MIN_POINTS:
        return None
    outwards = points.mean(axis=0) - hand.origin
    outwards = outwards / max(float(np.linalg.norm(outwards)), 1e-9)
    spread = points - points.mean(axis=0)
    spread = spread - np.outer(spread @ outwards, outwards)
    across = _main_line(spread)
    broad = float(np.std(spread @ across))
    thin = float(np.std(spread @ np.cross(outwards, across)))
    if broad < FLAT * max(thin, 1e-4):
        return None
    tail = float(np.mean((spread @ across) ** 3))
    return across if tail >= 0.0 else -across


def _jaw_axes(tree: BodyTree, hand: Body, outwards: Array) -> Iterator[Array]:
    """Yield the axes that lie across sliding jaws, which close like fingers."""
    for joint in tree.urdf.joints.values():
        if joint.kind == "prismatic" and joint.parent in hand.links:
            slide = tree.pose_of[joint.child].R @ joint.axis
            across = np.cross(slide, outwards)
            length = float(np.linalg.norm(across))
            if length > 1e-6:
                yield across / length


def _facing(fingers: list[Body]) -> Array | None:
    """Return where fingertips go when the fingers close, if they agree (3,)."""
    ways = []
    for finger in fingers:
        lower, upper = finger.limits
        if abs(upper + lower) < ONE_SIDED:
            continue
        way = np.sign(upper + lower) * np.cross(
            finger.axis, finger.subtree_com - finger.origin
        )
        length = float(np.linalg.norm(way))
        if length > 1e-6:
            ways.append(way / length)
    if not ways:
        return None
    mean = np.mean(ways, axis=0)
    agreement = float(np.linalg.norm(mean))
    return np.asarray(mean / agreement) if agreement > CLEAR else None
