"""Segments that a skeleton has no bone for, from their neighbours.

Where the spine, a shoulder or a toe has no bone of its own, its segment turns with its
parent. On the spine those without a bone share the way to the next bone above;
elsewhere a segment begins at its parent's origin. An arm, a hand or a leg without bones
is left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from telexist.retarget.segments import PARENT, SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["fill_segments"]

_SPINE = ("Pelvis", "L5", "L3", "T12", "T8", "Neck", "Head")
_FILLED = frozenset(
    {*_SPINE[1:-1]}
    | {f"{side}{part}" for side in ("Left", "Right") for part in ("Shoulder", "Toe")}
)


def fill_segments(
    placed: Mapping[str, tuple[Array, Array]],
) -> dict[str, tuple[Array, Array]]:
    """Return rotation and origin of every segment that is placed or can be filled.

    Args:
        placed: Segment to `world_R_segment` (3, 3) and its origin (3,).

    Returns:
        The same with more, in the order of `SEGMENTS`.
    """
    filled: dict[str, tuple[Array, Array]] = {}
    for name in SEGMENTS:
        parent = PARENT[name]
        if name in placed:
            filled[name] = placed[name]
        elif parent in filled and name in _FILLED:
            R, p = filled[parent]
            filled[name] = (R, _begin(name, p, placed))
    return filled


def _begin(
    name: str, parent: Array, placed: Mapping[str, tuple[Array, Array]]
) -> Array:
    if name not in _SPINE:
        return parent
    above = _SPINE[_SPINE.index(name) + 1 :]
    for steps, other in enumerate(above, start=2):
        if other in placed:
            return parent + (placed[other][1] - parent) / steps
    return parent
