"""A spine of any number of joints onto the four segments L5, L3, T12 and T8.

T8 is the joint that carries the arms. The joints below it go to the segments of nearest
height. A segment without a joint of its own is placed at the joint above it and turns
half-way between its neighbours: the source bends there, at one place, so the positions
stay exact.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from telexist.retarget.recordings.recognition.limbs import SkeletonTree

__all__ = ["SPINE", "spine_joints"]

SPINE = ("L5", "L3", "T12", "T8")
_HEIGHT = {"L5": 0.24, "L3": 0.51, "T12": 0.75}  # from pelvis to T8, Xsens model


def spine_joints(tree: SkeletonTree, pelvis: int, chest: int) -> dict[str, int]:
    """Return the joints of the spine segments that the skeleton has.

    Args:
        tree: The skeleton.
        pelvis: The joint that carries the legs.
        chest: The joint that carries the arms.
    """
    spine = _between(tree, pelvis, chest)
    if not spine:
        return {}
    joints = {"T8": spine[-1]}
    names = tree.source.names
    if len(spine) > 1 and "neck" in names[spine[-1]].lower():
        # some rigs hang the arms on the neck, whose turning is not the chest's
        joints = {"Neck": spine[-1], "T8": spine[-2]}
        spine = spine[:-1]
    return {**joints, **_lower(tree, pelvis, spine)}


def _between(tree: SkeletonTree, pelvis: int, chest: int) -> tuple[int, ...]:
    """Return the joints from above the pelvis to the one that carries the arms."""
    down, up = tree.ancestors(pelvis), tree.ancestors(chest)
    shared = next((p for p in down if p in up), -1)
    below = down[: down.index(shared)] if shared >= 0 else down
    above = up[: up.index(shared)] if shared >= 0 else up
    middle = [shared] if shared == chest else []
    return tuple(p for p in (*below, *middle, *reversed(above)) if p != pelvis)


def _lower(tree: SkeletonTree, pelvis: int, spine: tuple[int, ...]) -> dict[str, int]:
    """Match the joints below the chest with L5, L3 and T12, in order."""
    steps = [
        tree.distance(a, b) for a, b in zip((pelvis, *spine[:-1]), spine, strict=True)
    ]
    heights = np.cumsum(steps)
    if heights[-1] <= 0.0:
        heights = np.arange(1.0, len(spine) + 1.0)
    heights = heights / heights[-1]
    count = min(len(spine) - 1, len(_HEIGHT))
    best: tuple[float, dict[str, int]] = (np.inf, {})
    for chosen in combinations(range(len(spine) - 1), count):
        for names in combinations(_HEIGHT, count):
            gaps = [heights[k] - _HEIGHT[n] for k, n in zip(chosen, names, strict=True)]
            cost = float(np.sum(np.square(gaps)))
            if cost < best[0]:
                matched = zip(names, chosen, strict=True)
                best = (cost, {name: spine[k] for name, k in matched})
    return best[1]
