"""Where a controller is asked to bring the robot."""

from __future__ import annotations

from dataclasses import dataclass

from telexist.retarget.so3 import Array
from telexist.teleop.terms.base_reference import BaseReference
from telexist.teleop.terms.path_reference import PathReference
from telexist.teleop.terms.walk_command import WalkCommand

__all__ = ["RobotReference"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotReference:
    """Where the operator wants the robot, smoothed and inside all bounds.

    Attributes:
        stamp: When it was computed [s].
        q: Joint positions (n,) [rad] or [m].
        dq: Joint velocities (n,).
        ddq: Joint accelerations (n,).
        planted: Whether the operator stands on the left and the right foot.
        walk: Where to walk.
        base: Where the operator's own steps bring the base; None where nobody asks.
        path: The way of these steps, to be walked by steps of the robot's own; None
            where nobody asks.
    """

    stamp: float
    q: Array
    dq: Array
    ddq: Array
    planted: tuple[bool, bool] = (True, True)
    walk: WalkCommand = WalkCommand()
    base: BaseReference | None = None
    path: PathReference | None = None
