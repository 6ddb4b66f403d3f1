"""Find what lies beyond the limbs: toes, finger tips, neck and head."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from telexist.retarget.recordings.recognition.limbs import Limb, Pair, SkeletonTree
from telexist.retarget.so3 import Array, log_so3

__all__ = ["Extremity", "foot_of", "hand_of", "head_of"]

_STILL = np.deg2rad(0.5)  # a last joint that turns less only marks the end of a bone
_LONGEST_HAND = 0.9  # of the forearm; what reaches further is held in the hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Extremity:
    """Joints and end points found; names lack the side."""

    joints: Mapping[str, int] = field(default_factory=dict)
    tips: Mapping[str, int] = field(default_factory=dict)


def _leaves(tree: SkeletonTree, point: int) -> list[tuple[int, ...]]:
    """Return the paths to the leaves that do not coincide with the point."""
    paths = (path for path in tree.paths(point) if len(path) > 1)
    return [path for path in paths if not tree.coincide(point, path[-1])]


def _offsets(tree: SkeletonTree, start: int, end: int) -> Array:
    return tree.points[:, end] - tree.points[:, start]


def _unit(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.maximum(lengths, 1e-12)


def foot_of(tree: SkeletonTree, leg: Limb) -> Extremity:
    """Find the toe joint and the toe tip: what stands off the shank the furthest."""
    _, knee, ankle = leg.joints
    shank = _unit(_offsets(tree, knee, ankle))
    best: tuple[int, ...] = ()
    reach = 0.0
    for path in _leaves(tree, ankle):
        foot = _offsets(tree, ankle, path[-1])
        across = foot - np.sum(foot * shank, axis=-1, keepdims=True) * shank
        distance = float(np.linalg.norm(across, axis=-1).mean())
        if distance > reach:
            best, reach = path, distance
    if not best:
        return Extremity()
    ends = tree.source.is_end
    toes = [
        p
        for p in best[1:]
        if not ends[p] and not tree.coincide(ankle, p) and tree.children[p]
    ]
    joints = {"Toe": toes[0]} if toes else {}
    tip = {} if toes and tree.coincide(toes[0], best[-1]) else {"ToeTip": best[-1]}
    return Extremity(joints=joints, tips=tip)


def hand_of(tree: SkeletonTree, arm: Limb) -> Extremity:
    """Find the tip of the hand: the furthest point in line with the forearm."""
    _, elbow, wrist = arm.joints
    forearm = _offsets(tree, elbow, wrist)
    longest = _LONGEST_HAND * float(np.linalg.norm(forearm, axis=-1).mean())
    best, reach = -1, 0.0
    for path in _leaves(tree, wrist):
        hand = _offsets(tree, wrist, path[-1])
        if float(np.linalg.norm(hand, axis=-1).mean()) > longest:
            continue
        along = float(np.sum(hand * _unit(forearm), axis=-1).mean())
        if along > reach:
            best, reach = path[-1], along
    return Extremity(tips={"HandTip": best} if best >= 0 else {})


def head_of(tree: SkeletonTree, chest: int, pairs: tuple[Pair, Pair]) -> Extremity:
    """Find neck and head: the chain that rises highest above the chest."""
    legs, arms = pairs
    taken = {limb.path[0] for pair in pairs for limb in pair.limbs}
    taken.update(tree.ancestors(legs.junction))
    hips = tree.points[:, [limb.joints[0] for limb in legs.limbs]].mean(axis=1)
    shoulders = tree.points[:, [limb.joints[0] for limb in arms.limbs]].mean(axis=1)
    up = _unit(shoulders - hips)
    best: tuple[int, ...] = ()
    height = 0.0
    for child in tree.children[chest]:
        if child in taken:
            continue
        for path in tree.paths(child):
            rise = float(np.sum((tree.points[:, path[-1]] - hips) * up, axis=-1).mean())
            if rise > height:
                best, height = path, rise
    chain = _head_chain(tree, best)
    if not chain:
        return Extremity()
    joints = {"Head": chain[-1]}
    if len(chain) > 1:
        joints["Neck"] = chain[0]
    tip = {} if tree.coincide(chain[-1], best[-1]) else {"HeadTop": best[-1]}
    return Extremity(joints=joints, tips=tip)


def _head_chain(tree: SkeletonTree, path: tuple[int, ...]) -> list[int]:
    """Return the joints of neck and head: without face and end points."""
    ends = tree.source.is_end
    chain = [p for p in path if not ends[p]]
    for i, point in enumerate(chain):
        if sum(not ends[child] for child in tree.children[point]) > 1:
            chain = chain[: i + 1]  # eyes, jaw and hair hang on the head
            break
    while len(chain) > 1 and _is_still(tree, chain[-1]):
        if len(chain) == 2 and _leaves(tree, chain[-1]):
            break  # neck and head, held still
        chain.pop()
    return chain


def _is_still(tree: SkeletonTree, point: int) -> bool:
    """Return whether a joint never turns against its parent."""
    parent = tree.source.parents[point]
    relative = np.swapaxes(tree.rotations[:, parent], -1, -2) @ tree.rotations[:, point]
    turned = log_so3(relative @ relative[0].T)
    return bool(np.linalg.norm(turned, axis=-1).max() < _STILL)
