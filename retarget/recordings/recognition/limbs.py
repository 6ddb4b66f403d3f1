"""Find arms and legs in a tree of points by their shape alone.

A limb is a chain of two long bones of similar, constant length with a short end behind
them; a pair is two limbs of equal shape that leave the same joint. Twist and helper
bones, fingers, toes and props do not fit the proportions and fall out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from telexist.retarget.recordings.recognition.skeleton import SourceSkeleton
from telexist.retarget.so3 import Array

__all__ = ["ARM", "LEG", "Limb", "LimbShape", "Pair", "SkeletonTree", "find_pairs"]

_SAMPLES = 120  # frames looked at; shapes do not change over a clip
_RIGID = 0.03  # relative change of a bone's length that is still one bone
_SKIPPED = 0.5  # cost of a joint inside a bone: twist bones exist but are rare
_KEPT = 12  # candidates per branch
_LONGEST = 40  # joints of a chain looked at
_WORST_END = 4.0  # a weapon in the hand must not hide the arm


@dataclass(frozen=True, slots=True, kw_only=True)
class LimbShape:
    """Expected proportions: value and tolerance of each, in parts of limb length.

    Attributes:
        ratio: Upper over lower bone; the tolerance is of its logarithm.
        root: Distance from the junction to the limb's first joint.
        end: Length of what follows the last joint.
        bare: Whether the last joint may be an end point: an arm without a hand.
    """

    ratio: tuple[float, float]
    root: tuple[float, float]
    end: tuple[float, float]
    bare: bool = False


LEG = LimbShape(ratio=(1.0, 0.25), root=(0.15, 0.15), end=(0.25, 0.15))
ARM = LimbShape(ratio=(1.15, 0.3), root=(0.35, 0.3), end=(0.3, 0.2), bare=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limb:
    """A limb in the tree.

    Attributes:
        path: Points from the junction's child to a leaf.
        joints: Indices of hip, knee, ankle or shoulder, elbow, wrist.
        lengths: Of the upper and the lower bone, file units.
        cost: Misfit to the shape, about 1 for each tolerance missed.
    """

    path: tuple[int, ...]
    joints: tuple[int, int, int]
    lengths: tuple[float, float]
    cost: float

    @property
    def length(self) -> float:
        """Length of both bones, file units."""
        return sum(self.lengths)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two limbs of equal shape that leave the same joint."""

    junction: int
    limbs: tuple[Limb, Limb]
    cost: float

    @property
    def length(self) -> float:
        """Mean length of the two limbs, file units."""
        return (self.limbs[0].length + self.limbs[1].length) / 2.0


class SkeletonTree:
    """A skeleton's points at a few frames, with its family relations."""

    def __init__(self, source: SourceSkeleton) -> None:
        """Sample the clip."""
        t = len(source.time)
        rows = np.unique(np.linspace(0, t - 1, _SAMPLES).astype(int))
        self.source = source
        self.points: Array = source.positions[rows]
        self.rotations: Array = source.rotations[rows]
        self.children = source.children()
        self.size = float(np.ptp(self.points, axis=1).max())
        self._spans: dict[tuple[int, int], tuple[float, float]] = {}

    def ancestors(self, point: int) -> list[int]:
        """Return the point itself, its parent and so on up to the root."""
        out = []
        while point >= 0:
            out.append(point)
            point = self.source.parents[point]
        return out

    def paths(self, point: int) -> Iterator[tuple[int, ...]]:
        """Yield the chains from a point to every leaf under it."""
        stack: list[tuple[int, ...]] = [(point,)]
        while stack:
            path = stack.pop()
            below = self.children[path[-1]]
            if not below:
                yield path
            stack.extend((*path, child) for child in below)

    def distance(self, a: int, b: int) -> float:
        """Return the mean distance of two points, file units."""
        return self._span(a, b)[0]

    def coincide(self, a: int, b: int) -> bool:
        """Return whether two points are always at the same place."""
        return self.distance(a, b) < 1e-4 * self.size

    def is_bone(self, a: int, b: int, least: float) -> bool:
        """Return whether two points keep a distance of at least `least`."""
        mean, change = self._span(a, b)
        return mean > 0.0 and mean >= least and change <= _RIGID * mean

    def _span(self, a: int, b: int) -> tuple[float, float]:
        """Return the mean distance of two points and how much it changes."""
        key = (a, b) if a < b else (b, a)
        if key not in self._spans:
            d = np.linalg.norm(self.points[:, a] - self.points[:, b], axis=-1)
            self._spans[key] = (float(d.mean()), float(np.ptp(d)))
        return self._spans[key]


def find_pairs(tree: SkeletonTree, shape: LimbShape) -> list[Pair]:
    """Return the pairs of limbs of a shape, best first."""
    pairs = []
    for junction, children in enumerate(tree.children):
        if len(children) < 2:
            continue
        limbs = [_limbs_under(tree, junction, child, shape) for child in children]
        for i, a in enumerate(limbs):
            for b in limbs[i + 1 :]:
                if a and b:
                    pairs.append(_best_pair(junction, a, b))
    return sorted(pairs, key=lambda pair: pair.cost)


def _best_pair(junction: int, left: list[Limb], right: list[Limb]) -> Pair:
    pairs = [
        Pair(junction=junction, limbs=(a, b), cost=a.cost + b.cost + _asymmetry(a, b))
        for a in left
        for b in right
    ]
    return min(pairs, key=lambda pair: pair.cost)


def _asymmetry(a: Limb, b: Limb) -> float:
    logs = np.log(np.array(a.lengths) / np.array(b.lengths))
    return float(np.sum((logs / 0.1) ** 2))


def _limbs_under(
    tree: SkeletonTree, junction: int, child: int, shape: LimbShape
) -> list[Limb]:
    """Return the limbs of best shape under one child of a junction, one per triple."""
    best: dict[tuple[int, int, int], Limb] = {}
    for path in tree.paths(child):
        for limb in _limbs_on_path(tree, junction, path, shape):
            old = best.get(limb.joints)
            if old is None or limb.cost < old.cost:
                best[limb.joints] = limb
    return sorted(best.values(), key=lambda limb: limb.cost)[:_KEPT]


def _knots(tree: SkeletonTree, path: tuple[int, ...]) -> list[int]:
    """Drop points at the same place as the next joint: that one moves the bone."""
    ends = tree.source.is_end
    return [
        a
        for a, b in zip(path, (*path[1:], -1), strict=True)
        if b < 0 or ends[b] or not tree.coincide(a, b)
    ]


def _limbs_on_path(
    tree: SkeletonTree, junction: int, path: tuple[int, ...], shape: LimbShape
) -> Iterator[Limb]:
    """Yield a limb for every triple of joints on a path with rigid bones between."""
    knots = _knots(tree, path)[:_LONGEST]
    steps = [tree.distance(a, b) for a, b in zip(knots[:-1], knots[1:], strict=True)]
    least = 0.02 * tree.size
    for j, k in combinations(range(1, len(knots)), 2):
        if tree.source.is_end[knots[k]] and not shape.bare:
            continue
        if not tree.is_bone(knots[j], knots[k], least):
            continue
        for i in range(j):
            if not tree.is_bone(knots[i], knots[j], least):
                continue
            joints = (knots[i], knots[j], knots[k])
            lengths = (tree.distance(*joints[:2]), tree.distance(*joints[1:]))
            outside = (tree.distance(junction, knots[i]), sum(steps[k:]))
            cost = _misfit(shape, lengths, outside) + _SKIPPED * (k - i - 2)
            yield Limb(path=path, joints=joints, lengths=lengths, cost=cost)


def _misfit(
    shape: LimbShape, lengths: tuple[float, float], outside: tuple[float, float]
) -> float:
    total = sum(lengths)
    ratio = np.log(lengths[0] / lengths[1] / shape.ratio[0]) / shape.ratio[1]
    at_root = (outside[0] / total - shape.root[0]) / shape.root[1]
    at_end = (outside[1] / total - shape.end[0]) / shape.end[1]
    return float(ratio**2 + at_root**2 + min(at_end**2, _WORST_END))
