"""Find the person in a skeleton: by shape and motion, not by names.

The pair of limbs that fits a leg best and the pair that fits an arm best, together with
what lies between and above them, is the person. Left and right follow from where toes
point and knees and elbows bend. Names only help where these say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from telexist.retarget.errors import UnknownSkeleton
from telexist.retarget.recordings.recognition.all_frames import known_rig
from telexist.retarget.recordings.recognition.extremities import (
    foot_of,
    hand_of,
    head_of,
)
from telexist.retarget.recordings.recognition.limbs import (
    ARM,
    LEG,
    Limb,
    Pair,
    SkeletonTree,
    find_pairs,
)
from telexist.retarget.recordings.recognition.sides import (
    facing_evidence,
    side_by_names,
)
from telexist.retarget.recordings.recognition.skeleton import SourceSkeleton
from telexist.retarget.recordings.recognition.spine import spine_joints
from telexist.retarget.segments import SEGMENTS

__all__ = ["Person", "recognise"]

_WORST = 30.0  # total misfit; real recordings stay below 12
_UPRIGHT = 0.5  # cosine between trunk and legs that a person reaches at least once
_CLEAR = 0.05  # weaker evidence for the facing is no evidence

_REQUIRED = ("Pelvis",) + tuple(
    f"{side}{part}"
    for side in ("Left", "Right")
    for part in ("UpperLeg", "LowerLeg", "Foot", "UpperArm", "ForeArm", "Hand")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Where the person is in a skeleton.

    Attributes:
        joints: Segment name to the point at its origin, for the segments found.
        tips: Names of `human_size.TIPS` to the point there, as far as known.
        notes: What was found, one line each.
    """

    joints: Mapping[str, int]
    tips: Mapping[str, int]
    notes: tuple[str, ...] = ()


def recognise(source: SourceSkeleton, joints: Mapping[str, str]) -> Person:
    """Find the person in a skeleton.

    Args:
        source: The skeleton.
        joints: Segment name to point name, as far as the user states it.

    Raises:
        UnknownSkeleton: Saying what was found, what not, and how to map it.
    """
    tree = SkeletonTree(source)
    known = known_rig(source.names).joints
    stated = _stated(source, {**known, **source.joints, **joints})
    if all(name in stated for name in _REQUIRED):
        return _mapped_person(tree, stated)
    legs, arms = _best_person(tree)
    person = _assembled(tree, legs, arms)
    return replace(person, joints={**person.joints, **stated}) if stated else person


def _stated(source: SourceSkeleton, joints: Mapping[str, str]) -> dict[str, int]:
    for segment, name in joints.items():
        if name not in source.names:
            known = ", ".join(
                n for n, e in zip(source.names, source.is_end, strict=True) if not e
            )
            problem = f"no joint '{name}' for joints.{segment}; the file has: {known}"
            raise UnknownSkeleton(source.path, problem)
    return {segment: source.names.index(name) for segment, name in joints.items()}


def _best_person(tree: SkeletonTree) -> tuple[Pair, Pair]:
    """Return the pairs of legs and arms that together fit a person best."""
    legs, arms = find_pairs(tree, LEG), find_pairs(tree, ARM)
    best: tuple[float, Pair, Pair] | None = None
    for leg in legs[:20]:
        for arm in arms[:20]:
            cost = leg.cost + arm.cost + _relation(tree, leg, arm)
            if best is None or cost < best[0]:
                best = (cost, leg, arm)
    if best is None or best[0] > _WORST or not _stands(tree, best[1], best[2]):
        raise _unknown(tree, legs, arms)
    return best[1], best[2]


def _relation(tree: SkeletonTree, legs: Pair, arms: Pair) -> float:
    """Return the misfit between a pair of legs and a pair of arms."""
    above_arms = tree.ancestors(arms.junction)
    above_legs = tree.ancestors(legs.junction)
    if (
        legs.junction == arms.junction
        or above_arms[-1] != above_legs[-1]  # another person's
        or any(limb.path[0] in above_arms for limb in legs.limbs)
        or any(limb.path[0] in above_legs for limb in arms.limbs)
    ):
        return np.inf
    trunk = tree.distance(legs.limbs[0].joints[0], arms.limbs[0].joints[0])
    sizes = (np.log(legs.length / arms.length / 1.6) / 0.35) ** 2
    height = ((trunk / legs.length - 0.6) / 0.25) ** 2
    upside_down = 4.0 if arms.junction in above_legs else 0.0
    return float(sizes + height + upside_down)


def _stands(tree: SkeletonTree, legs: Pair, arms: Pair) -> bool:
    """Return whether trunk and legs ever form one line, as no animal's do."""
    postures = [tree.points]
    if tree.source.rest_positions is not None:
        postures.append(tree.source.rest_positions[None])
    for points in postures:
        hips, ankles, shoulders = (
            points[:, [limb.joints[i] for limb in pair.limbs]].mean(axis=1)
            for pair, i in ((legs, 0), (legs, 2), (arms, 0))
        )
        up, down = shoulders - hips, ankles - hips
        scale = np.linalg.norm(up, axis=1) * np.linalg.norm(down, axis=1)
        if np.any(np.sum(up * down, axis=1) < -_UPRIGHT * np.maximum(scale, 1e-12)):
            return True
    return False


def _unknown(tree: SkeletonTree, legs: list[Pair], arms: list[Pair]) -> UnknownSkeleton:
    def word(pairs: list[Pair]) -> str:
        if not pairs or pairs[0].cost > _WORST:
            return "none"
        names = tree.source.names
        return " and ".join(names[limb.joints[0]] for limb in pairs[0].limbs)

    problem = (
        "no whole person recognised; "
        f"best pair of legs: {word(legs)}; best pair of arms: {word(arms)}; "
        "together they do not stand like a person. Name the joints in a TOML file "
        'beside it, table [joints], e.g. LeftUpperArm = "joint"; needed: '
        + ", ".join(_REQUIRED)
    )
    return UnknownSkeleton(tree.source.path, problem)


def _assembled(tree: SkeletonTree, legs: Pair, arms: Pair) -> Person:
    spine = spine_joints(tree, legs.junction, arms.junction)
    head = head_of(tree, arms.junction, (legs, arms))
    limbs, notes = _sided(tree, legs, arms)
    joints = {"Pelvis": legs.junction, **head.joints, **spine}
    tips = dict(head.tips)
    for side in ("Left", "Right"):
        leg, arm = limbs[f"{side}Leg"], limbs[f"{side}Arm"]
        for parts, limb in (
            (("UpperLeg", "LowerLeg", "Foot"), leg),
            (("UpperArm", "ForeArm", "Hand"), arm),
        ):
            joints.update(
                {f"{side}{p}": k for p, k in zip(parts, limb.joints, strict=True)}
            )
        collar = _collar(tree, arm)
        if collar is not None:
            joints[f"{side}Shoulder"] = collar
        for found in (foot_of(tree, leg), hand_of(tree, arm)):
            joints.update({f"{side}{k}": v for k, v in found.joints.items()})
            tips.update({f"{side}{k}": v for k, v in found.tips.items()})
    return Person(
        joints=MappingProxyType(joints),
        tips=MappingProxyType(tips),
        notes=notes,
    )


def _collar(tree: SkeletonTree, arm: Limb) -> int | None:
    before = arm.path[: arm.path.index(arm.joints[0])]
    free = [p for p in before if not tree.coincide(p, arm.joints[0])]
    return free[-1] if free else None


def _sided(
    tree: SkeletonTree, legs: Pair, arms: Pair
) -> tuple[dict[str, Limb], tuple[str, ...]]:
    """Tell left from right."""
    evidence = facing_evidence(tree, legs, arms)
    named = side_by_names(tree.source.names, legs)
    notes: list[str] = []
    if abs(evidence) < _CLEAR and named == 0:
        problem = (
            "cannot tell left from right: no toes, straight knees, no names; "
            "name the joints in a TOML file beside it, table [joints]"
        )
        raise UnknownSkeleton(tree.source.path, problem)
    first_is_left = (evidence if abs(evidence) >= _CLEAR else named) > 0
    if named and (named > 0) != first_is_left:
        notes.append("left and right: names and shape disagree, the shape was believed")
    left, right = legs.limbs if first_is_left else legs.limbs[::-1]
    lateral = tree.points[:, left.joints[0]] - tree.points[:, right.joints[0]]
    across = (
        tree.points[:, arms.limbs[0].joints[0]]
        - tree.points[:, arms.limbs[1].joints[0]]
    )
    same = float(np.sum(lateral * across)) > 0.0
    left_arm, right_arm = arms.limbs if same else arms.limbs[::-1]
    limbs = {"LeftLeg": left, "RightLeg": right}
    return {**limbs, "LeftArm": left_arm, "RightArm": right_arm}, tuple(notes)


def _mapped_person(tree: SkeletonTree, stated: Mapping[str, int]) -> Person:
    """Build the person from a complete table of joints."""
    joints = {name: stated[name] for name in SEGMENTS if name in stated}
    if "T8" not in joints:
        up = tree.ancestors(stated["RightUpperArm"])
        chest = next((p for p in tree.ancestors(stated["LeftUpperArm"]) if p in up), -1)
        if chest >= 0:
            joints = {**spine_joints(tree, stated["Pelvis"], chest), **joints}
    tips: dict[str, int] = {}
    for side in ("Left", "Right"):
        for parts, finder in (
            (("UpperLeg", "LowerLeg", "Foot"), foot_of),
            (("UpperArm", "ForeArm", "Hand"), hand_of),
        ):
            i, j, k = (stated[f"{side}{part}"] for part in parts)
            limb = Limb(path=(i, j, k), joints=(i, j, k), lengths=(1.0, 1.0), cost=0.0)
            found = finder(tree, limb)
            joints = {**{f"{side}{p}": v for p, v in found.joints.items()}, **joints}
            tips.update({f"{side}{p}": v for p, v in found.tips.items()})
    return Person(joints=joints, tips=tips)
