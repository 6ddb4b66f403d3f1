"""The way that the operator has gone with steps of their own."""

from __future__ import annotations

from dataclasses import dataclass

from telexist.retarget.so3 import Array

__all__ = ["PathReference"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PathReference:
    """Where the operator is, from where the path begins, in the robot's size.

    Attributes:
        place: Ahead and to the left of the place and heading of the begin (2,) [m].
        yaw: Heading, to the left of that of the begin; turns are counted [rad].
        stepping: Whether the operator is on the way; else both feet stay.
    """

    place: Array
    yaw: float
    stepping: bool
