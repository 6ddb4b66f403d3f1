"""What every recording is before a person is recognised in it: points that move.

A reader fills a `SourceSkeleton` in the file's own axes and units; `recognise.py` finds
the person in it and `human_motion.py` turns it into a `HumanClip`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.so3 import Array

__all__ = ["SourceSkeleton"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSkeleton:
    """A moving skeleton in its own axes, units and names.

    Attributes:
        path: The file, for messages.
        names: Names of the j points; joints first or mixed with their end points.
        parents: Index of each point's parent, smaller than its own; -1 for roots.
        time: Increasing (t,) [s].
        positions: Points in the file's axes and units (t, j, 3).
        rotations: `file_R_point` (t, j, 3, 3); an end point has its parent's.
        rest_positions: The skeleton's own rest posture (j, 3), or None if it has none.
        rest_rotations: `file_R_point` in the rest posture (j, 3, 3); identity if None.
        is_end: Whether the point only ends a bone and has no rotation of its own (j,).
        unit: Length of one unit [m] where the format states it, otherwise None.
        up: The axis that points up ("x", "-y", ...) where the format states it.
        joints: Segment name to point name, as far as the format fixes it.
        notes: What the reader found, one line each.
    """

    path: str
    names: tuple[str, ...]
    parents: tuple[int, ...]
    time: Array
    positions: Array
    rotations: Array
    rest_positions: Array | None = None
    rest_rotations: Array | None = None
    is_end: tuple[bool, ...] = ()
    unit: float | None = None
    up: str | None = None
    joints: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the shapes, complete the defaults and freeze the arrays."""
        t, j = len(self.time), len(self.names)
        put = object.__setattr__
        if not self.is_end:
            put(self, "is_end", (False,) * j)
        if self.rest_positions is not None and self.rest_rotations is None:
            put(self, "rest_rotations", np.broadcast_to(np.eye(3), (j, 3, 3)))
        shapes = {
            "time": (t,),
            "positions": (t, j, 3),
            "rotations": (t, j, 3, 3),
            "rest_positions": (j, 3),
            "rest_rotations": (j, 3, 3),
        }
        for name, shape in shapes.items():
            value = getattr(self, name)
            if value is not None:
                put(self, name, _frozen(value, shape, self.path, name))
        for index, parent in enumerate(self.parents):
            if not -1 <= parent < index:
                raise BadRecording(self.path, f"point {index} precedes its parent")

    def children(self) -> list[list[int]]:
        """Return the children of every point."""
        out: list[list[int]] = [[] for _ in self.names]
        for index, parent in enumerate(self.parents):
            if parent >= 0:
                out[parent].append(index)
        return out


def _frozen(value: Array, shape: tuple[int, ...], path: str, name: str) -> Array:
    array = np.ascontiguousarray(value, dtype=np.float64)
    if array.shape != shape:
        problem = f"{name} has shape {array.shape}, expected {shape}"
        raise BadRecording(path, problem)
    if not np.isfinite(array).all():
        raise BadRecording(path, f"{name} holds a value that is not finite")
    array = array.view()
    array.setflags(write=False)
    return array
