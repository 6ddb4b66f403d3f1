"""A whole clip of targets in one compiled call."""

from __future__ import annotations

from typing import Any

from telexist.retarget.compiled import jit_release_gil
from telexist.retarget.ik.recursive_ik import take_step_towards
from telexist.retarget.so3 import Array

__all__ = ["follow_targets"]


@jit_release_gil
def follow_targets(
    parts: tuple[Any, ...], rotations: Array, places: Array, dt: float, q: Array
) -> bool:
    """Step towards the targets of every frame; write the joints of each.

    What `take_step_towards` does frame by frame, without returning to Python.

    Args:
        parts: A `Mechanism` as a plain tuple.
        rotations: Wanted orientations of its bodies (t, k, 3, 3).
        places: Wanted places of its points (t, m, 3) [m].
        dt: Length of a step [s].
        q: Joints after each step (t, n), to be filled.

    Returns:
        Whether every constrained problem on the way was solved.
    """
    solved = True
    for t in range(len(rotations)):
        solved &= take_step_towards(parts, rotations[t], places[t], dt)
        for i in range(q.shape[1]):
            q[t, i] = parts[0][i + 1].q
    return solved
