"""Frames for YARP's transform server."""

from __future__ import annotations

import numpy as np
from telexist.retarget.errors import BadInput, BadMessage
from telexist.retarget.so3 import Array, quat_wxyz_from_rotation
from telexist.robots.yarp.wire import Bottle, Int8, Item

__all__ = ["FRAME_SERVER", "frame_items", "read_frames"]

FRAME_SERVER = "/frameTransformServer/frameTransformSet_nws_yarp/thrift"
"""Where frames are set; they are forgotten after 0.2 s."""
FIELDS = 11  # of a frame


def frame_items(names: tuple[str, str], R: Array, p: Array, time: float) -> Bottle:
    """Return the question that sets a frame.

    Args:
        names: Of the frame in which it is written, and its own.
        R: Rotation from its axes to those (3, 3).
        p: Its origin in those (3,) [m].
        time: On the robot's wall clock [s].

    Raises:
        BadInput: If a number is not finite.
    """
    w, x, y, z = quat_wxyz_from_rotation(R).tolist()
    numbers = [time, *np.asarray(p, dtype=np.float64).tolist(), x, y, z, w]
    if not np.isfinite(numbers).all():
        raise BadInput(f"the frame {names[1]} is not finite; not published")
    frame: list[Item] = [*names, numbers[0], Int8(0), *numbers[1:]]
    return ["setTransformRPC", frame]


def read_frames(items: Bottle) -> dict[tuple[str, str], tuple[Array, Array]]:
    """Return parent and name to origin (3,) [m] and quaternion wxyz (4,), of `tf:o`.

    Raises:
        BadMessage: If it is no list of frames.
    """
    listed = items[1] if len(items) == 2 else None
    if not isinstance(listed, list):
        raise BadMessage("no list of frames")
    found = {}
    for frame in listed:
        if not isinstance(frame, list) or len(frame) != FIELDS:
            raise BadMessage("a frame with other fields than are known")
        try:
            numbers = np.array(frame[4:], dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise BadMessage(f"a frame that is none: {error}") from error
        if not np.isfinite(numbers).all():
            raise BadMessage("a frame that is not finite")
        key = str(frame[0]), str(frame[1])
        found[key] = numbers[:3], numbers[[6, 3, 4, 5]]
    return found
