"""A person's frame as plain arrays over all 23 segments."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.human_size import HumanSize
from telexist.retarget.segments import SEGMENTS, SIDES
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array

__all__ = ["FrameArrays", "frame_arrays"]


class FrameArrays(NamedTuple):
    """One frame; rows of segments that are not shown mean nothing.

    Attributes:
        shown: Which segments the source provides (23,).
        placed: Whether the source provides positions.
        R: `world_R_segment` (23, 3, 3).
        w: Angular velocities (23, 3) [rad/s].
        p: Origins (23, 3) [m].
        v: Velocities of the origins (23, 3) [m/s].
    """

    shown: NDArray[np.bool_]
    placed: bool
    R: Array
    w: Array
    p: Array
    v: Array


def frame_arrays(frame: HumanFrame, size: HumanSize) -> FrameArrays:
    """Lay a frame out over all segments.

    A whole body without positions is placed by the person's size, its lowest foot on
    the floor.
    """
    if frame.segments == SEGMENTS:
        R, w, shown = frame.rotations, frame.angular_velocities, _ALL
        p, v = frame.positions, frame.linear_velocities
        if p is None:
            p = _read_only(_placed(R, size))
        return FrameArrays(shown, True, R, w, p, _ZEROS if v is None else v)
    index = [SEGMENTS.index(name) for name in frame.segments]
    shown = np.zeros(len(SEGMENTS), dtype=np.bool_)
    shown[index] = True
    R = np.tile(np.eye(3), (len(SEGMENTS), 1, 1))
    w, p, v = (np.zeros((len(SEGMENTS), 3)) for _ in range(3))
    R[index], w[index] = frame.rotations, frame.angular_velocities
    placed = frame.positions is not None
    if frame.positions is not None:
        p[index] = frame.positions
    if frame.linear_velocities is not None:
        v[index] = frame.linear_velocities
    R, w, p, v = (_read_only(array) for array in (R, w, p, v))
    return FrameArrays(shown, placed, R, w, p, v)


def _read_only(array: Array) -> Array:
    """Make an array like those of signals: others would be compiled for once more."""
    array.setflags(write=False)
    return array


_ALL = np.ones(len(SEGMENTS), dtype=np.bool_)
_ZEROS = _read_only(np.zeros((len(SEGMENTS), 3)))


def _placed(R: Array, size: HumanSize) -> Array:
    positions = size.positions(R, np.zeros(3))
    lowest = np.inf
    for side in SIDES:
        name = side.capitalize()
        k = SEGMENTS.index(f"{name}Foot")
        for tip in (size.tips[f"{name}Heel"], size.joints[f"{name}Toe"] * (1, 1, 0)):
            point = positions[k] + R[k] @ (tip - size.joints[f"{name}Foot"])
            lowest = min(lowest, float(point[2]))
    return positions - np.array([0.0, 0.0, lowest])
