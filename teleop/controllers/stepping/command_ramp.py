"""A walking command that a robot can follow: it grows and fades over a few steps."""

from __future__ import annotations

from telexist.teleop.controllers.parameters import GaitParameters
from telexist.teleop.terms import WalkCommand

__all__ = ["CommandRamp"]


class CommandRamp:
    """Follows a command at bounded rates.

    Attributes:
        value: The command to follow now.
    """

    def __init__(self, gait: GaitParameters | None = None) -> None:
        """Begin at rest."""
        self._p = gait or GaitParameters()
        self.value = WalkCommand()

    def reset(self) -> None:
        """Begin at rest again."""
        self.value = WalkCommand()

    def step(self, asked: WalkCommand, dt: float) -> WalkCommand:
        """Go on towards a command for dt [s] and return what to follow."""
        now, p = self.value, self._p
        grow, fade = p.acceleration * dt, p.deceleration * dt
        turn = p.turn_acceleration * dt
        if now != asked:
            self.value = WalkCommand(
                vx=_towards(now.vx, asked.vx, grow, fade),
                vy=_towards(now.vy, asked.vy, grow, fade),
                wz=_towards(now.wz, asked.wz, turn, turn),
            )
        return self.value


def _towards(now: float, asked: float, grow: float, fade: float) -> float:
    """Return a value that is nearer to another: away from 0 slowly, to it faster."""
    if now * asked < 0.0:  # through rest first
        asked = 0.0
    most = grow if abs(asked) > abs(now) else fade
    return now + min(max(asked - now, -most), most)
