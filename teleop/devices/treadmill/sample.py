"""What a treadmill may say, whatever its make: finite, wrapped and humanly possible."""

from __future__ import annotations

import math

from telexist.teleop.devices.base import RefusedMessage
from telexist.teleop.terms import Treadmill

__all__ = ["MAX_HEIGHT", "MAX_SPEED", "treadmill_sample", "wrap"]

MAX_SPEED = 5.0  # [m/s]; nobody runs faster in a ring
MAX_HEIGHT = 1.0  # [m] of the pelvis from its standing height, crouched or jumping


def wrap(angle: float) -> float:
    """Return the angle in [-pi, pi] [rad]."""
    return math.remainder(angle, math.tau)


def treadmill_sample(
    *, yaw: float, speed: float, direction: float, height: float = 0.0
) -> Treadmill:
    """Build a sample from numbers that came from outside.

    Args:
        yaw: Heading of the ring, counter-clockwise [rad], any turn.
        speed: Of walking [m/s].
        direction: Relative to the ring, counter-clockwise [rad], any turn.
        height: Of the pelvis over its standing height [m].

    Raises:
        RefusedMessage: As "nan", or as "malformed" where nobody can do that.
    """
    values = (yaw, speed, direction, height)
    if not all(math.isfinite(value) for value in values):
        raise RefusedMessage("nan", f"treadmill says {values}")
    if not (0.0 <= speed <= MAX_SPEED and abs(height) <= MAX_HEIGHT):
        raise RefusedMessage("malformed", f"treadmill says {speed:g} m/s, {height:g} m")
    if max(abs(yaw), abs(direction)) > 1e4:  # [rad]; a thousand turns
        raise RefusedMessage(
            "malformed", f"treadmill says {yaw:g} and {direction:g} rad"
        )
    return Treadmill(
        yaw=wrap(yaw), speed=speed, direction=wrap(direction), height=height
    )
