"""From a treadmill to a walking command: the robot goes where the person walks.

Speed and direction are relative to the ring, and the robot turns as fast as the ring
does. The heading counts from the first sample, whatever the ring says there. A ring
that leaps is a sensor that slipped: the turn of that sample is ignored and said to be a
jump. So is a turn during a silence, after which the heading goes on where it was.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

from telexist.retarget.errors import BadInput
from telexist.teleop.devices.treadmill.sample import wrap
from telexist.teleop.devices.walk import WalkLimits, WalkRamp
from telexist.teleop.terms import Treadmill, WalkCommand

__all__ = ["TreadmillWalk", "TreadmillWalkSettings", "WalkStep"]

JUMP = 0.15  # [rad] between two samples, if no ring turns so fast
JUMP_RATE = 3.0  # [rad/s]; 0.15 rad in 0.05 s
_STALE = 0.5  # [s] without a sample after which the turning starts anew


@dataclass(frozen=True, slots=True, kw_only=True)
class TreadmillWalkSettings:
    """How walking on a treadmill becomes walking of a robot.

    Attributes:
        scale: Speed of the robot per speed of the person.
        speed_dead_zone: Of the person's speed [m/s].
        turn_scale: Turning of the robot per turning of the ring.
        turn_dead_zone: Of the ring's turning [rad/s].
        window: Over which the ring's turning is averaged [s].
        limits: Largest speeds of the robot and of their change.
    """

    scale: float = 0.5
    speed_dead_zone: float = 0.1
    turn_scale: float = 1.0
    turn_dead_zone: float = 0.1
    window: float = 0.2
    limits: WalkLimits = WalkLimits()

    def __post_init__(self) -> None:
        """Refuse what cannot work.

        Raises:
            BadInput: Naming the value.
        """
        for name in ("scale", "speed_dead_zone", "turn_scale", "turn_dead_zone"):
            value = getattr(self, name)
            if not (math.isfinite(value) and 0.0 <= value <= 100.0):
                raise BadInput(f"treadmill: {name} = {value}: choose 0 to 100")
        if not 0.01 <= self.window <= 2.0:
            raise BadInput(f"treadmill: window = {self.window}: choose 0.01 to 2 s")


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkStep:
    """What follows from one sample.

    Attributes:
        walk: The command.
        heading: Of the ring since the first sample, without leaps [rad], in [-pi, pi].
        jump: By how much the ring leapt [rad]; None if it did not.
    """

    walk: WalkCommand
    heading: float = 0.0
    jump: float | None = None


class TreadmillWalk:
    """Turns samples of a treadmill into walking commands."""

    def __init__(self, settings: TreadmillWalkSettings | None = None) -> None:
        self._settings = settings if settings is not None else TreadmillWalkSettings()
        self._ramp = WalkRamp(self._settings.limits)
        self._turns: deque[tuple[float, float]] = deque()  # stamp, unwrapped heading
        self._last: tuple[float, float] | None = None  # stamp, yaw of the ring
        self._heading = 0.0  # unwrapped

    def reset(self) -> None:
        """Stand still; the heading of the next sample is zero."""
        self._last = None
        self._heading = 0.0

    def step(self, sample: Treadmill, stamp: float) -> WalkStep:
        """Return the command for a sample.

        Args:
            sample: What the treadmill says.
            stamp: When it said so [s].
        """
        before = self._last
        self._last = (stamp, sample.yaw)
        if before is None or not 0.0 < stamp - before[0] <= _STALE:
            return self._begin(stamp)
        dt = stamp - before[0]
        change = wrap(sample.yaw - before[1])
        jump = abs(change) > JUMP and abs(change) > JUMP_RATE * dt
        self._heading += 0.0 if jump else change
        self._turns.append((stamp, self._heading))
        return WalkStep(
            walk=self._command(sample, dt),
            heading=wrap(self._heading),
            jump=abs(change) if jump else None,
        )

    def _begin(self, stamp: float) -> WalkStep:
        """Stand still with the heading that was."""
        self._ramp.reset()
        self._turns.clear()
        self._turns.append((stamp, self._heading))
        return WalkStep(walk=WalkCommand(), heading=wrap(self._heading))

    def _command(self, sample: Treadmill, dt: float) -> WalkCommand:
        settings, limits = self._settings, self._settings.limits
        moving = sample.speed > settings.speed_dead_zone
        speed = settings.scale * sample.speed if moving else 0.0
        return self._ramp.step(
            _part(speed * math.cos(sample.direction), limits.forward),
            _part(speed * math.sin(sample.direction), limits.side),
            _part(self._turning(), limits.turn),
            dt,
        )

    def _turning(self) -> float:
        """Return the ring's mean turning over the window, beyond its dead zone."""
        newest = self._turns[-1][0]
        while len(self._turns) > 2 and newest - self._turns[1][0] > (
            self._settings.window
        ):
            self._turns.popleft()
        (start, yaw0), (end, yaw1) = self._turns[0], self._turns[-1]
        rate = (yaw1 - yaw0) / max(end - start, 1e-3)
        beyond = max(abs(rate) - self._settings.turn_dead_zone, 0.0)
        return math.copysign(self._settings.turn_scale * beyond, rate)


def _part(value: float, limit: float) -> float:
    return min(max(value / limit, -1.0), 1.0) if limit > 0.0 else 0.0
