"""Tell left from right: from the way toes point and knees and elbows bend."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from telexist.retarget.recordings.recognition.extremities import foot_of
from telexist.retarget.recordings.recognition.limbs import Limb, Pair, SkeletonTree
from telexist.retarget.so3 import Array

__all__ = ["facing_evidence", "side_by_names"]

_KNEE_WEIGHT = 3.0  # knees bend by tenths of a leg's length
_ELBOW_WEIGHT = 0.5  # elbows bend forward, but shoulders turn them anywhere


def facing_evidence(tree: SkeletonTree, legs: Pair, arms: Pair) -> float:
    """Return how clearly the first leg is the left one; negative for the right.

    If it is the left one, forward is `lateral x up`, with the lateral axis from the
    second hip to the first. Toes and knees are in front of it, elbows behind.
    """
    hips = [tree.points[:, limb.joints[0]] for limb in legs.limbs]
    shoulders = [tree.points[:, limb.joints[0]] for limb in arms.limbs]
    up = (shoulders[0] + shoulders[1] - hips[0] - hips[1]) / 2.0
    forward = np.cross(hips[0] - hips[1], up)
    forward /= np.maximum(np.linalg.norm(forward, axis=-1, keepdims=True), 1e-12)
    score = 0.0
    for leg in legs.limbs:
        score += _toes(tree, leg, forward) + _KNEE_WEIGHT * _bend(tree, leg, forward)
    for arm in arms.limbs:
        score -= _ELBOW_WEIGHT * _bend(tree, arm, forward)
    return score


def _along(vectors: Array, forward: Array) -> float:
    return float(np.sum(vectors * forward, axis=-1).mean())


def _toes(tree: SkeletonTree, leg: Limb, forward: Array) -> float:
    """Return the part of ankle to toe that points forward, in toe distances."""
    foot = foot_of(tree, leg)
    points = [*foot.tips.values(), *foot.joints.values()]
    if not points:
        return 0.0
    toe = tree.points[:, points[0]] - tree.points[:, leg.joints[2]]
    length = float(np.linalg.norm(toe, axis=-1).mean())
    return _along(toe, forward) / length if length > 0.03 * leg.length else 0.0


def _bend(tree: SkeletonTree, limb: Limb, forward: Array) -> float:
    """Return how far the middle joint stands before the line between the others."""
    first, middle, last = (tree.points[:, p] for p in limb.joints)
    return _along(middle - (first + last) / 2.0, forward) / limb.length


def side_by_names(names: Sequence[str], legs: Pair) -> int:
    """Return +1 if the names call the first leg left, -1 for right, 0 if unclear."""
    first, second = (
        sum(_side_of(names[p]) for p in limb.joints) for limb in legs.limbs
    )
    if first > 0 > second:
        return 1
    return -1 if first < 0 < second else 0


def _side_of(name: str) -> int:
    """Return +1 for a left name, -1 for a right one: a word, or a lone L or R."""
    words = [w.lower() for w in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
    left = any(w in ("l", "left", "lft") for w in words) or "left" in name.lower()
    right = any(w in ("r", "right", "rgt") for w in words) or "right" in name.lower()
    return int(left) - int(right)
