"""Minimum-jerk motion in time: blends of weights and references, and quintics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.smoothing import minimum_jerk
from telexist.retarget.so3 import Array

__all__ = ["Blend", "QuinticPoint", "at_rest", "quintic_step"]


class Blend:
    """A number that goes to its target by minimum jerk and may be sent on any time.

    Attributes:
        value: Now.
    """

    def __init__(self, value: float, duration: float) -> None:
        """Start at rest.

        Args:
            value: Where.
            duration: Of a whole transition [s].
        """
        self._duration = duration
        self.reset(value)

    def reset(self, value: float) -> None:
        """Rest at a value."""
        self.value = value
        self._start, self._target = value, value
        self._elapsed = self._duration

    def step(self, target: float, dt: float) -> float:
        """Go on for dt [s] towards a target and return the value."""
        if target != self._target:
            self._start, self._target, self._elapsed = self.value, target, 0.0
        self._elapsed = min(self._elapsed + dt, self._duration)
        share = float(minimum_jerk(self._elapsed / self._duration))
        self.value = self._start + share * (self._target - self._start)
        return self.value


@dataclass(frozen=True, slots=True)
class QuinticPoint:
    """Position, velocity and acceleration (k,) of a moving point."""

    p: Array
    v: Array
    a: Array


def quintic_step(
    now: QuinticPoint, goal: QuinticPoint, remaining: float, dt: float
) -> QuinticPoint:
    """Go on for dt along the quintic that meets a goal after a remaining time.

    Asking again every dt with the same goal follows one quintic, which is the
    minimum-jerk motion; the goal may move in between without a jump.

    Args:
        now: Where the point is.
        goal: Where it is to be.
        remaining: Until then [s], above 0.
        dt: Step [s].
    """
    T = max(remaining, dt)
    t = min(dt, T)
    # p(t) = p0 + v0 t + a0 t^2/2 + c3 t^3 + c4 t^4 + c5 t^5
    dp = goal.p - now.p - T * now.v - 0.5 * T * T * now.a
    dv = goal.v - now.v - T * now.a
    da = goal.a - now.a
    c3 = (10.0 * dp - 4.0 * T * dv + 0.5 * T * T * da) / T**3
    c4 = (-15.0 * dp + 7.0 * T * dv - T * T * da) / T**4
    c5 = (6.0 * dp - 3.0 * T * dv + 0.5 * T * T * da) / T**5
    return QuinticPoint(
        now.p + t * (now.v + t * (0.5 * now.a + t * (c3 + t * (c4 + t * c5)))),
        now.v + t * (now.a + t * (3.0 * c3 + t * (4.0 * c4 + 5.0 * t * c5))),
        now.a + t * (6.0 * c3 + t * (12.0 * c4 + 20.0 * t * c5)),
    )


def at_rest(p: Array) -> QuinticPoint:
    """Return a point that stands still."""
    return QuinticPoint(np.array(p), np.zeros_like(p), np.zeros_like(p))
