"""Where the robot is asked to walk."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["WalkCommand"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkCommand:
    """Planar velocity asked of the robot, in its own heading.

    Attributes:
        vx: Ahead [m/s].
        vy: To the left [m/s].
        wz: Turning left [rad/s].
    """

    vx: float = 0.0
    vy: float = 0.0
    wz: float = 0.0
