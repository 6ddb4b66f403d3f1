"""Where the joints of a BVH skeleton are at every frame, in one compiled call."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from telexist.retarget.compiled import Ints, jit_release_gil
from telexist.retarget.so3 import Array

__all__ = ["PosedSkeleton", "pose_skeleton"]


class PosedSkeleton(NamedTuple):
    """A skeleton of j joints as plain arrays, parents first.

    Attributes:
        parents: (j,), -1 for a root.
        offsets: From the parent, in its axes (j, 3).
        moved: Which of the given places the joint has, -1 for its offset (j,).
        first: Where the channels of each joint begin, and where the last end (j + 1,).
        axes: About which axis each channel turns (c,), -1 where it moves instead.
    """

    parents: Ints
    offsets: Array
    moved: Ints
    first: Ints
    axes: Ints


def pose_skeleton(
    skeleton: PosedSkeleton, values: Array, places: Array
) -> tuple[Array, Array]:
    """Return positions (t, j, 3) and rotations (t, j, 3, 3) of all joints.

    Args:
        skeleton: The joints.
        values: Channel values (t, c), angles in degrees.
        places: In the parent's axes, of joints that move there (m, t, 3).
    """
    t, j = len(values), len(skeleton.parents)
    positions, rotations = np.empty((t, j, 3)), np.empty((t, j, 3, 3))
    given = (np.ascontiguousarray(values), np.ascontiguousarray(places))
    _pose_skeleton(skeleton, given, (positions, rotations))
    return positions, rotations


@jit_release_gil
def _pose_skeleton(
    s: PosedSkeleton, given: tuple[Array, Array], out: tuple[Array, Array]
) -> None:
    values, places = given
    positions, rotations = out
    own = np.empty((3, 3))
    for t in range(values.shape[0]):
        for j in range(s.parents.shape[0]):
            p, R = positions[t, j], rotations[t, j]
            above = s.parents[j]
            for r in range(3):
                for c in range(3):
                    own[r, c] = 1.0 if r == c else 0.0
            for k in range(s.first[j], s.first[j + 1]):
                axis = s.axes[k]
                if axis >= 0:
                    angle = values[t, k] * (np.pi / 180.0)
                    co, si = np.cos(angle), np.sin(angle)
                    b, d = (axis + 1) % 3, (axis + 2) % 3
                    for r in range(3):
                        x, y = own[r, b], own[r, d]
                        own[r, b] = co * x + si * y
                        own[r, d] = co * y - si * x
            for r in range(3):
                place = s.offsets[j, r]
                if s.moved[j] >= 0:
                    place = places[s.moved[j], t, r]
                p[r] = place
            if above < 0:
                for r in range(3):
                    for c in range(3):
                        R[r, c] = own[r, c]
                continue
            on_p, on_R = positions[t, above], rotations[t, above]
            x, y, z = p[0], p[1], p[2]
            for r in range(3):
                p[r] = on_p[r] + on_R[r, 0] * x + on_R[r, 1] * y + on_R[r, 2] * z
                for c in range(3):
                    R[r, c] = (
                        on_R[r, 0] * own[0, c]
                        + on_R[r, 1] * own[1, c]
                        + on_R[r, 2] * own[2, c]
                    )
