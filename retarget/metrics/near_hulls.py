"""Which convex shapes may meet in which frames: what a plane parts needs no more work.

Two convex shapes with all corners of one on one side of a plane, and all of the other
beyond it, do not touch. The planes tried are those across the line between the middles
and those that lean over towards the corners found on the way; what is not parted by
one of them is left to the exact test.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from telexist.retarget.compiled import Ints, jit_internal, jit_release_gil
from telexist.retarget.link_hull import LinkHull
from telexist.retarget.so3 import Array

__all__ = ["HullStack", "lowest_points", "near_pairs", "stack_hulls"]

APART = 1e-4  # [m] between shapes before the exact test is left out: beyond rounding
PLANES = 8  # tried for a pair


class HullStack(NamedTuple):
    """Convex shapes as plain arrays.

    Attributes:
        corners: Of all shapes, one after the other, in the axes of their links (c, 3).
        first: Where each shape begins in `corners`, and where the last ends (h + 1,).
        middles: Mean of the corners (h, 3).
        radii: Of the balls around the middles that hold the shapes (h,) [m].
    """

    corners: Array
    first: Ints
    middles: Array
    radii: Array


def stack_hulls(hulls: Sequence[LinkHull]) -> HullStack:
    """Lay shapes out for compiled code."""
    middles = np.array([hull.vertices.mean(axis=0) for hull in hulls])
    radii = [
        np.linalg.norm(hull.vertices - middle, axis=1).max()
        for hull, middle in zip(hulls, middles, strict=True)
    ]
    counts = [len(hull.vertices) for hull in hulls]
    return HullStack(
        corners=np.ascontiguousarray(np.concatenate([h.vertices for h in hulls])),
        first=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        middles=middles,
        radii=np.array(radii),
    )


def near_pairs(
    hulls: HullStack, pairs: np.ndarray, R: Array, p: Array
) -> list[tuple[int, int]]:
    """Return frames and numbers of pairs that no plane parts, frame by frame.

    Args:
        hulls: The shapes.
        pairs: Which are looked at (k, 2).
        R: `world_R_link` of every shape (t, h, 3, 3).
        p: `world_p_link` of every shape (t, h, 3) [m].
    """
    near = np.zeros((len(R), len(pairs)), dtype=np.bool_)
    given = (np.ascontiguousarray(R), np.ascontiguousarray(p))
    _near_pairs(hulls, np.ascontiguousarray(pairs, dtype=np.int64), given, near)
    frames, numbers = np.nonzero(near)
    return list(zip(frames.tolist(), numbers.tolist(), strict=True))


def lowest_points(hulls: HullStack, R: Array, p: Array) -> Array:
    """Return the height of every shape's lowest corner (t, h) [m]."""
    heights = np.empty(R.shape[:2])
    given = (np.ascontiguousarray(R), np.ascontiguousarray(p))
    _lowest_points(hulls, given, heights)
    return heights


@jit_internal
def _farthest(corners: Array, pose: tuple[Array, Array], d: Array, out: Array) -> float:
    """Fill out with the corner that lies farthest along d; return how far."""
    R, p = pose
    x = R[0, 0] * d[0] + R[1, 0] * d[1] + R[2, 0] * d[2]
    y = R[0, 1] * d[0] + R[1, 1] * d[1] + R[2, 1] * d[2]
    z = R[0, 2] * d[0] + R[1, 2] * d[1] + R[2, 2] * d[2]
    best, most = 0, -np.inf
    for k in range(len(corners)):
        along = corners[k, 0] * x + corners[k, 1] * y + corners[k, 2] * z
        if along > most:
            best, most = k, along
    c = corners[best]
    for r in range(3):
        out[r] = p[r] + R[r, 0] * c[0] + R[r, 1] * c[1] + R[r, 2] * c[2]
    return most + p[0] * d[0] + p[1] * d[1] + p[2] * d[2]


@jit_internal
def _are_parted(
    one: tuple[Array, tuple[Array, Array]],
    other: tuple[Array, tuple[Array, Array]],
    line: Array,
    work: tuple[Array, Array, Array, Array],
) -> bool:
    """Whether one of a few planes parts two shapes; `line` leads from one to the other.

    The line is pulled towards what the corners say: a few steps of the search for the
    point of the shapes' difference that is nearest to zero.
    """
    d, back, a, b = work
    for _ in range(PLANES):
        length = np.sqrt(line[0] ** 2 + line[1] ** 2 + line[2] ** 2)
        if length < APART:
            return False
        for r in range(3):
            d[r] = line[r] / length
            back[r] = -d[r]
        reach = _farthest(one[0], one[1], d, a)
        from_there = -_farthest(other[0], other[1], back, b)
        if from_there - reach > APART:
            return True
        along, square = 0.0, 0.0
        for r in range(3):
            step = b[r] - a[r] - line[r]
            along -= line[r] * step
            square += step * step
        if square < APART * APART or along <= 0.0:
            return False
        share = min(1.0, along / square)
        for r in range(3):
            line[r] += share * (b[r] - a[r] - line[r])
    return False


@jit_release_gil
def _near_pairs(
    hulls: HullStack, pairs: Ints, given: tuple[Array, Array], near: np.ndarray
) -> None:
    R, p = given
    middles = np.empty((R.shape[1], 3))
    work = (np.empty(3), np.empty(3), np.empty(3), np.empty(3))
    line = np.empty(3)
    for t in range(len(R)):
        for h in range(R.shape[1]):
            c = hulls.middles[h]
            for r in range(3):
                middles[h, r] = p[t, h, r] + (
                    R[t, h, r, 0] * c[0] + R[t, h, r, 1] * c[1] + R[t, h, r, 2] * c[2]
                )
        for k in range(len(pairs)):
            i, j = pairs[k, 0], pairs[k, 1]
            square = 0.0
            for r in range(3):
                line[r] = middles[j, r] - middles[i, r]
                square += line[r] * line[r]
            reach = hulls.radii[i] + hulls.radii[j]
            if square >= reach * reach:
                continue
            one = (
                hulls.corners[hulls.first[i] : hulls.first[i + 1]],
                (R[t, i], p[t, i]),
            )
            other = (
                hulls.corners[hulls.first[j] : hulls.first[j + 1]],
                (R[t, j], p[t, j]),
            )
            near[t, k] = not _are_parted(one, other, line, work)


@jit_release_gil
def _lowest_points(
    hulls: HullStack, given: tuple[Array, Array], heights: Array
) -> None:
    R, p = given
    for t in range(R.shape[0]):
        for h in range(R.shape[1]):
            x, y, z = R[t, h, 2, 0], R[t, h, 2, 1], R[t, h, 2, 2]
            lowest = np.inf
            for k in range(hulls.first[h], hulls.first[h + 1]):
                c = hulls.corners[k]
                lowest = min(lowest, x * c[0] + y * c[1] + z * c[2])
            heights[t, h] = lowest + p[t, h, 2]
