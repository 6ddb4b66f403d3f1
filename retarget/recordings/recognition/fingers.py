"""The fingers of a recorded person: five chains beyond the wrist, by shape alone.

The thumb is the chain whose begin and direction agree least with the others'; from it
on the others are index to little finger, in the order in which they begin.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.recordings.recognition.skeleton import SourceSkeleton
from telexist.retarget.so3 import Array

__all__ = ["find_fingers"]

POINTS = 4  # of a finger: three joints and its tip
SAMPLES = 50  # frames that are looked at
NEAR = 1e-6  # of the hand's length: points at the same place are one


def find_fingers(source: SourceSkeleton, wrist: int) -> Array | None:
    """Return the points of a hand (5, 4), thumb first; None if it has no five fingers.

    Args:
        source: The skeleton.
        wrist: The point at the hand's origin.
    """
    rows = np.linspace(0, len(source.time) - 1, SAMPLES).astype(int)
    points = source.positions[rows]
    chains = [path[-POINTS:] for path in _paths(source, points, wrist)]
    chains = [chain for chain in chains if len(chain) == POINTS]
    if len(chains) != 5:
        return None
    found = np.array(chains)
    if len(np.unique(found)) < found.size:
        return None  # they share a joint: no fingers
    R = source.rotations[rows, wrist]
    seen = np.einsum(
        "tji,tfkj->tfki", R, points[:, found] - points[:, wrist, None, None]
    )
    bases = seen[:, :, 0].mean(axis=0)
    along = seen[:, :, -1] - seen[:, :, 0]
    thumb = _odd_one(bases, along)
    others = [k for k in range(5) if k != thumb]
    row = bases[others] - bases[others].mean(axis=0)
    axis = np.linalg.svd(row)[2][0]
    if axis @ (bases[thumb] - bases[others].mean(axis=0)) < 0.0:
        axis = -axis
    others.sort(key=lambda k: -float(bases[k] @ axis))
    return found[[thumb, *others]]


def _paths(source: SourceSkeleton, points: Array, wrist: int) -> list[list[int]]:
    """Return the ways from the wrist to every end, without points that coincide."""
    children = source.children()
    size = max(float(np.ptp(points[:, wrist], axis=0).max()), 1.0)
    paths: list[list[int]] = []
    waiting: list[tuple[int, list[int]]] = [(wrist, [])]
    while waiting:
        point, path = waiting.pop()
        if not children[point]:
            paths.append(path)
        for child in children[point]:
            apart = np.linalg.norm(points[:, child] - points[:, point], axis=-1).max()
            waiting.append((child, [*path, child] if apart > NEAR * size else path))
    return paths


def _odd_one(bases: Array, along: Array) -> int:
    """Return which of five fingers agrees least with the others."""
    far = np.linalg.norm(bases[:, None] - bases, axis=-1).sum(axis=1)
    unit = along / np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-12)
    agree = np.einsum("tfi,tgi->fg", unit, unit) / len(unit)
    return int(np.argmax(far / max(float(far.max()), 1e-12) - agree.sum(axis=1) / 4.0))
