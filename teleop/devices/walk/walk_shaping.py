"""From sticks, keys and rings to walking commands: dead zones and gentle changes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from telexist.retarget.errors import BadInput
from telexist.teleop.terms import WalkCommand

__all__ = ["WalkLimits", "WalkRamp", "dead_zone"]


def dead_zone(value: float, dead: float, full: float = 1.0) -> float:
    """Return 0 inside the dead zone and from there linearly up to +-1 at `full`.

    A value that is not a number is 0.
    """
    size = abs(value)
    if not size > dead:
        return 0.0
    return math.copysign(min((size - dead) / (full - dead), 1.0), value)


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkLimits:
    """How fast to walk at full deflection, and how quickly to get there.

    Attributes:
        forward: Ahead and back [m/s].
        side: To either side [m/s].
        turn: Turning [rad/s].
        acceleration: Largest change of a speed in a second [m/s^2].
        turn_acceleration: The same for turning [rad/s^2].
    """

    forward: float = 0.4
    side: float = 0.2
    turn: float = 0.6
    acceleration: float = 0.8
    turn_acceleration: float = 2.0

    def __post_init__(self) -> None:
        """Refuse what is no speed.

        Raises:
            BadInput: Naming the value.
        """
        for name in ("forward", "side", "turn", "acceleration", "turn_acceleration"):
            value = getattr(self, name)
            if not (math.isfinite(value) and 0.0 <= value <= 10.0):
                raise BadInput(f"walk: {name} = {value}: choose 0 to 10")


class WalkRamp:
    """Follows deflections with bounded speed and bounded change of speed."""

    def __init__(self, limits: WalkLimits) -> None:
        self._limits = limits
        self._walk = WalkCommand()

    def reset(self) -> None:
        """Stand still at once."""
        self._walk = WalkCommand()

    def step(self, forward: float, side: float, turn: float, dt: float) -> WalkCommand:
        """Return the command `dt` seconds after the last one.

        Args:
            forward: Deflection ahead, -1 to 1.
            side: Deflection to the left, -1 to 1.
            turn: Deflection of turning left, -1 to 1.
            dt: Time since the last step [s].
        """
        limits, old = self._limits, self._walk
        change = limits.acceleration * max(dt, 0.0)
        turn_change = limits.turn_acceleration * max(dt, 0.0)
        self._walk = WalkCommand(
            vx=_towards(old.vx, limits.forward * _unit(forward), change),
            vy=_towards(old.vy, limits.side * _unit(side), change),
            wz=_towards(old.wz, limits.turn * _unit(turn), turn_change),
        )
        return self._walk


def _unit(value: float) -> float:
    return min(max(value, -1.0), 1.0) if math.isfinite(value) else 0.0


def _towards(value: float, target: float, change: float) -> float:
    return value + min(max(target - value, -change), change)
