"""A walking command that a robot can follow: it grows and fades over a few steps."""

from __future__ import annotations

from telexist.teleop.terms import WalkCommand

__all__ = ["CommandRamp"]

FASTER, SLOWER = 0.1, 0.4  # [m/s^2] of a command that grows, that fades
TURNING = 1.0  # [rad/s^2]


class CommandRamp:
    """Follows a command at bounded rates.

    Attributes:
        value: The command to follow now.
    """

    def __init__(self) -> None:
        """Begin at rest."""
        self.value = WalkCommand()

    def reset(self) -> None:
        """Begin at rest again."""
        self.value = WalkCommand()

    def step(self, asked: WalkCommand, dt: float) -> WalkCommand:
        """Go on towards a command for dt [s] and return what to follow."""
        now = self.value
        if now != asked:
            self.value = WalkCommand(
                vx=_towards(now.vx, asked.vx, FASTER * dt, SLOWER * dt),
                vy=_towards(now.vy, asked.vy, FASTER * dt, SLOWER * dt),
                wz=_towards(now.wz, asked.wz, TURNING * dt, TURNING * dt),
            )
        return self.value


def _towards(now: float, asked: float, grow: float, fade: float) -> float:
    """Return a value that is nearer to another: away from 0 slowly, to it faster."""
    if now * asked < 0.0:  # through rest first
        asked = 0.0
    most = grow if abs(asked) > abs(now) else fade
    return now + min(max(asked - now, -most), most)
