"""Pairs of limbs that mirror each other: legs and arms are found among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.description import nearest_point
from telexist.robots.draft.body_tree import Body, BodyTree

__all__ = ["LimbPair", "find_limb_pairs", "snapped"]

SNAP = np.cos(np.radians(12.0))  # nearer to a base axis than this: that axis is meant
SAME_AXIS = np.cos(np.radians(10.0))  # mirrored axes of a pair agree to this
SAME_PLACE = 0.05  # of the limb's reach
MATCHED = 0.8  # of the joints must have their mirror image
MIN_JOINTS = 3
MAX_TOOL_JOINTS = 3  # by which one limb may be longer than the other
MIN_REACH = 0.3  # of the longest limb's: shorter pairs are fingers, eyes, ears, wheels
MIN_SHARE = 0.2  # of the robot's size: the fingers of a single arm are no arms


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LimbPair:
    """Two limbs on the same body, mirror images of each other.

    Attributes:
        body: The body that carries both.
        chains: Bodies of each limb, from the first joint outwards; not yet left, right.
        lateral: Unit vector across the mirror plane, towards the first limb (3,).
        roots: Where each limb starts: nearest to its first axes (2, 3) [m].
        ends: Centre of mass of each limb's last body (2, 3) [m].
        reach: Length of one limb [m].
        alike: How many limbs of this body look like these; 2 for a person.
    """

    body: Body
    chains: tuple[list[Body], list[Body]]
    lateral: Array
    roots: Array
    ends: Array
    reach: float
    alike: int = 2

    @property
    def root(self) -> Array:
        """Point between the two roots (3,) [m]."""
        return np.asarray(self.roots.mean(axis=0))

    @property
    def hanging(self) -> Array:
        """From the roots to the ends (3,) [m]."""
        return np.asarray(self.ends.mean(axis=0) - self.root)


def find_limb_pairs(tree: BodyTree) -> list[LimbPair]:
    """Find the mirrored limbs of a robot, longest first; no limb is in two pairs."""
    found = []
    for body in tree.bodies:
        chains = [tree.main_chain(child) for child in body.children]
        long = [chain for chain in chains if len(chain) >= MIN_JOINTS]
        for first, second in combinations(long, 2):
            pair = _pair(body, first, second)
            if pair is not None:
                found.append(pair)
    found.sort(key=lambda pair: -pair.reach)
    origins = np.array([body.origin for body in tree.bodies])
    least = MIN_SHARE * float(np.ptp(origins, axis=0).max(initial=0.0))
    found = [p for p in found if p.reach > max(MIN_REACH * found[0].reach, least)]
    return _outermost(found)


def _outermost(found: Sequence[LimbPair]) -> list[LimbPair]:
    """Keep pairs that share no limb and are not inside another's; count look-alikes."""
    kept: list[LimbPair] = []
    for pair in found:
        inside = {id(b) for k in kept for c in k.chains for b in c[0].subtree()}
        starts = [chain[0] for chain in pair.chains]
        if any(id(b) in inside for b in (*starts, pair.body)):
            continue
        others = [p for p in found if p.body is pair.body and _touches(p, starts)]
        limbs = {id(c[0]) for p in others for c in p.chains}
        kept.append(
            LimbPair(
                body=pair.body,
                chains=pair.chains,
                lateral=pair.lateral,
                roots=pair.roots,
                ends=pair.ends,
                reach=pair.reach,
                alike=len(limbs),
            )
        )
    return kept


def _touches(pair: LimbPair, starts: Sequence[Body]) -> bool:
    return any(chain[0] is start for chain in pair.chains for start in starts)


def _pair(body: Body, first: list[Body], second: list[Body]) -> LimbPair | None:
    """Return two limbs as a pair if they mirror each other across some plane.

    What one limb has more than the other at its end is a hand or tool of its own.
    """
    common = min(len(first), len(second))
    if first[0].reach <= 0.0 or len(first) + len(second) > 2 * common + MAX_TOOL_JOINTS:
        return None
    first, second = first[:common], second[:common]
    by_mass = first[0].subtree_com, second[0].subtree_com
    by_joints = _mean_origin(first), _mean_origin(second)
    for ours, theirs in (by_mass, by_joints):
        lateral = _mirror_normal(first, second, ours, theirs)
        if lateral is not None:
            chains = first, second
            return LimbPair(
                body=body,
                chains=chains,
                lateral=lateral,
                roots=np.array([_root(chain) for chain in chains]),
                ends=np.array([chain[-1].com for chain in chains]),
                reach=first[0].reach,
            )
    return None


def _mean_origin(chain: Sequence[Body]) -> Array:
    return np.asarray(np.mean([body.origin for body in chain], axis=0))


def _mirror_normal(
    first: Sequence[Body], second: Sequence[Body], ours: Array, theirs: Array
) -> Array | None:
    """Return the normal of the plane between two points if limbs mirror across it."""
    gap, reach = ours - theirs, first[0].reach
    if np.linalg.norm(gap) < 1e-3 * reach:
        return None
    lateral = snapped(gap / np.linalg.norm(gap))
    middle = 0.5 * (ours + theirs)
    matches = [
        _mirrored(a, b, lateral, middle, SAME_PLACE * reach)
        for a, b in zip(first, second, strict=True)
    ]
    return lateral if np.mean(matches) >= MATCHED else None


def snapped(direction: Array) -> Array:
    """Return the base axis that a unit vector nearly is, else the vector (3,)."""
    best = int(np.argmax(np.abs(direction)))
    if abs(direction[best]) < SNAP:
        return direction
    axis = np.zeros(3)
    axis[best] = np.sign(direction[best])
    return axis


def _mirrored(a: Body, b: Body, lateral: Array, middle: Array, near: float) -> bool:
    """Whether b's axis is the mirror image of a's; as lines: origins slide on them."""
    axis = a.axis - 2.0 * lateral * float(lateral @ a.axis)
    offset = a.origin - middle
    origin = middle + offset - 2.0 * lateral * float(lateral @ offset)
    if abs(float(axis @ b.axis)) < SAME_AXIS:
        return False
    return float(np.linalg.norm(np.cross(b.axis, origin - b.origin))) < near


def _root(chain: Sequence[Body]) -> Array:
    first = chain[:3]
    origins = np.array([body.origin for body in first])
    axes = np.array([body.axis for body in first])
    return nearest_point(origins, axes, origins[-1])
