"""Recognise the person in a robot: legs, arms, head, left, up and forward.

Only the tree, the axes, their limits and masses are looked at, never a name. Arms and
legs are pairs of mirrored limbs; legs hang away from the arms; hands and knees reach
further ahead than behind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadModel
from telexist.retarget.so3 import Array
from telexist.robots.description import nearest_point
from telexist.robots.draft.body_tree import Body, BodyTree, Chain
from telexist.robots.draft.limb_pairs import LimbPair, find_limb_pairs, snapped
from telexist.robots.draft.limb_parts import LimbParts, arm_parts, leg_parts

__all__ = ["Anatomy", "recognise"]

POSTURES = 256  # in which hands and knees are looked at
HEAD_SHARE = 0.3  # of the heaviest head body: a lighter last one is a camera or eye
NEAR_MIDDLE = 0.4  # of half the shoulder width: how far off the middle a head may sit
KNEE_VOTE, TOE_VOTE, ARM_VOTE, HIP_VOTE = 3.0, 1.0, 1.0, 0.5  # trust in each sign
UNSURE = 0.1  # a smaller sum of votes says little
DOWN = np.cos(np.radians(40.0))  # legs hang down at least so much


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Anatomy:
    """What was recognised. Directions are in root axes, in the zero posture.

    Attributes:
        tree: The robot.
        up: Unit vector (3,).
        forward: Unit vector (3,).
        legs: "left" and "right"; empty for a robot without legs.
        arms: "left" and "right"; empty for a robot without arms.
        pelvis: Body that carries the legs; None without legs.
        chest: Body that carries the arms; None without arms.
        head: Bodies from the first neck joint to the head; empty without.
        notes: What was uncertain.
    """

    tree: BodyTree
    up: Array
    forward: Array
    legs: Mapping[str, LimbParts]
    arms: Mapping[str, LimbParts]
    pelvis: Body | None
    chest: Body | None
    head: list[Body]
    notes: tuple[str, ...]

    @property
    def left(self) -> Array:
        """Unit vector to the robot's left (3,)."""
        return np.asarray(np.cross(self.up, self.forward))


def recognise(tree: BodyTree) -> Anatomy:
    """Recognise the person in a robot.

    Raises:
        BadModel: If there are neither arms nor legs; it says what was found.
    """
    found = find_limb_pairs(tree)
    pairs = [pair for pair in found if pair.alike == 2]
    crowds = [pair for pair in found if pair.alike > 2]
    limbs = _told_apart(pairs, crowds)
    if limbs is None:
        raise BadModel(tree.urdf.path, _nothing_found(tree, found))
    notes = []
    if crowds:
        count = crowds[0].alike
        notes.append(f"{count} limbs look alike: taken as a moving platform and locked")
    forward, lead = _forward(limbs)
    if lead < UNSURE:
        notes.append("which way it faces is uncertain: check base.forward")
    left = np.cross(limbs.up, forward)
    legs, arms = limbs.legs, limbs.arms
    return Anatomy(
        tree=tree,
        up=limbs.up,
        forward=forward,
        legs={} if legs is None else _sides(legs, left, leg_parts),
        arms={} if arms is None else _sides(arms, left, arm_parts),
        pelvis=None if legs is None else legs.body,
        chest=None if arms is None else arms.body,
        head=[] if arms is None else _head(tree, arms, limbs.up),
        notes=tuple(notes),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Limbs:
    """Which pair is which, and where up is (3,)."""

    legs: LimbPair | None
    arms: LimbPair | None
    up: Array


def _told_apart(pairs: Sequence[LimbPair], crowds: Sequence[LimbPair]) -> _Limbs | None:
    """Tell legs from arms; `crowds` are the legs of a walking or rolling platform."""
    if crowds:
        arms = next((p for p in pairs if p.body is not crowds[0].body), None)
        up = _across(-crowds[0].hanging, crowds[0].lateral)
        return None if arms is None else _Limbs(legs=None, arms=arms, up=up)
    if not pairs:
        return None
    first = pairs[0]
    second = next((p for p in pairs[1:] if _same_plane(p, first)), None)
    if second is None:
        return _single_pair(first)
    # Legs hang away from the arms: along the line from the arms' roots to their own.
    apart = second.root - first.root
    if _cosine(second.hanging, apart) < _cosine(first.hanging, -apart):
        first, second = second, first
    up = _across(-_down(second), second.lateral)
    return _Limbs(legs=second, arms=first, up=up)


def _single_pair(pair: LimbPair) -> _Limbs:
    """Tell arms from legs where there is one pair; z is up, or y if z is aside."""
    aside = abs(float(pair.lateral[2])) > 0.5
    z = np.array([0.0, 1.0, 0.0] if aside else [0.0, 0.0, 1.0])
    parts = arm_parts(pair.chains[0], pair.roots[0])
    above = [b.com @ z for b in pair.body.subtree() if not _in_pair(b, pair)]
    ends_lowest = max(pair.ends @ z) < min(above, default=np.inf)
    down = _across(_down(pair), pair.lateral)
    straight = _cosine(pair.hanging, down) > DOWN
    if straight and ends_lowest and len(parts.lower) == 1:
        return _Limbs(legs=pair, arms=None, up=-down)
    return _Limbs(legs=None, arms=pair, up=_across(z, pair.lateral))


def _in_pair(body: Body, pair: LimbPair) -> bool:
    starts = {id(chain[0]) for chain in pair.chains}
    return any(id(b) in starts for b in body.ancestors())


def _same_plane(a: LimbPair, b: LimbPair) -> bool:
    return abs(float(a.lateral @ b.lateral)) > np.cos(np.radians(15.0))


def _across(direction: Array, lateral: Array) -> Array:
    """Return the unit vector of a direction in the mirror plane, snapped to an axis."""
    square = direction - lateral * float(lateral @ direction)
    if np.linalg.norm(square) < 1e-6:  # legs of no length: any direction will do
        square = np.cross(lateral, np.roll(lateral, 1))
    unit = snapped(square / float(np.linalg.norm(square)))
    unit = unit - lateral * float(lateral @ unit)
    return np.asarray(unit / np.linalg.norm(unit))


def _cosine(a: Array, b: Array) -> float:
    return float(a @ b) / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-9)


def _forward(limbs: _Limbs) -> tuple[Array, float]:
    """Return where it faces (3,) and by what share of a limb's length that is so.

    Knees bend backwards, toes are ahead of ankles, and over all postures inside the
    limits hands and knees are, on average, ahead of shoulders and hips.
    """
    pair = limbs.legs or limbs.arms
    if pair is None:
        return np.array([1.0, 0.0, 0.0]), 0.0
    ahead = np.cross(pair.lateral, limbs.up)
    lead = 0.0
    if limbs.arms is not None:
        for bodies, root in zip(limbs.arms.chains, limbs.arms.roots, strict=True):
            lead += ARM_VOTE * _mean_lead(Chain(bodies), root, ahead)
    if limbs.legs is not None:
        for bodies, root in zip(limbs.legs.chains, limbs.legs.roots, strict=True):
            lead += _leg_lead(leg_parts(bodies, root), root, ahead)
    return (ahead if lead >= 0.0 else -ahead), abs(lead)


def _leg_lead(leg: LimbParts, root: Array, ahead: Array) -> float:
    shank = _ankle(leg) - leg.lower[0].origin
    length = max(float(np.linalg.norm(shank)), 1e-9)
    lead = TOE_VOTE * float(ahead @ (leg.bodies[-1].com - _ankle(leg))) / length
    if len(leg.lower) == 1:
        knee = Chain(leg.lower, _ankle(leg))
        lead -= KNEE_VOTE * _mean_lead(knee, leg.lower[0].origin, ahead)
    hip = Chain(leg.upper, leg.lower[0].origin)
    return lead + HIP_VOTE * _mean_lead(hip, root, ahead)


def _mean_lead(chain: Chain, root: Array, ahead: Array) -> float:
    """Return how far ahead of its root a chain's end is on average, over its reach."""
    _, _, ends = chain.axes_at(chain.samples(POSTURES))
    offsets = ends - root
    reach = max(float(np.linalg.norm(offsets, axis=1).max()), 1e-9)
    return float((offsets @ ahead).mean()) / reach


def _ankle(leg: LimbParts) -> Array:
    """Return the middle of the ankle (3,) [m]; the end of a leg without one."""
    if not leg.outer:
        return leg.bodies[-1].com
    origins = np.array([b.origin for b in leg.outer])
    return nearest_point(origins, np.array([b.axis for b in leg.outer]), origins[0])


def _down(legs: LimbPair) -> Array:
    """Return where legs hang (3,), from the hips to the ankles."""
    ankles = [
        _ankle(leg_parts(bodies, root))
        for bodies, root in zip(legs.chains, legs.roots, strict=True)
    ]
    return np.asarray(np.mean(ankles, axis=0) - legs.root)


def _sides(
    pair: LimbPair, left: Array, split: Callable[[Sequence[Body], Array], LimbParts]
) -> dict[str, LimbParts]:
    first_is_left = float(left @ pair.lateral) > 0.0
    order = (0, 1) if first_is_left else (1, 0)
    return {
        side: split(pair.chains[i], pair.roots[i])
        for side, i in zip(("left", "right"), order, strict=True)
    }


def _head(tree: BodyTree, arms: LimbPair, up: Array) -> list[Body]:
    """Find the neck and head: the heaviest chain on the chest's middle, going up."""
    half_width = 0.5 * abs(float(arms.lateral @ (arms.roots[0] - arms.roots[1])))
    best: list[Body] = []
    for child in arms.body.children:
        offset = child.subtree_com - arms.root
        aside = abs(float(arms.lateral @ offset)) > NEAR_MIDDLE * half_width
        if _in_pair(child, arms) or aside or float(up @ offset) < 0.0:
            continue
        chain = tree.main_chain(child)
        if not best or _mass(chain) > _mass(best):
            best = chain
    if not best:
        return []
    heaviest = max(body.mass for body in best)
    last = max(i for i, b in enumerate(best) if b.mass >= HEAD_SHARE * heaviest)
    return best[: last + 1]


def _mass(chain: Sequence[Body]) -> float:
    return sum(body.mass for body in chain)


def _nothing_found(tree: BodyTree, found: Sequence[LimbPair]) -> str:
    joints = len(tree.bodies) - 1
    if not found:
        what = "no two limbs that mirror each other"
    elif found[0].alike > 2:
        what = f"{found[0].alike} limbs that look alike and no arms"
    else:
        what = f"{len(found)} pairs of limbs"
    return (
        f"no humanoid recognised: {joints} turning joints, {what}; write [links] in a "
        "robot.toml by hand, e.g. T8, LeftUpperArm, LeftForeArm = names of its links"
    )
