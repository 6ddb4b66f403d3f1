"""A point that follows a goal which may jump: speed and acceleration are bounded."""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import jit_hold_gil
from telexist.retarget.so3 import Array

__all__ = ["BoundedFollower"]


class BoundedFollower:
    """Critically damped pursuit of a goal, cut to a greatest speed and acceleration.

    A goal that moves within the bounds is followed without lag, since its velocity is
    followed too; one that jumps is reached by acceleration, even speed and braking.

    Attributes:
        p: Where the point is (k,).
        v: Its velocity (k,).
        a: Its acceleration (k,) in the last step.
    """

    def __init__(
        self, p: Array, *, stiffness: float, speed: Array, acceleration: Array
    ) -> None:
        """Start at rest.

        Args:
            p: Where (k,).
            stiffness: Of the pursuit [1/s^2].
            speed: Greatest of each entry (k,).
            acceleration: Greatest of each entry (k,); braking from the greatest speed
                does not overshoot if speed <= 4 acceleration / sqrt(stiffness).
        """
        self._kp, self._kd = stiffness, 2.0 * float(np.sqrt(stiffness))
        self._speed, self._acceleration = np.array(speed), np.array(acceleration)
        self.reset(p)

    def reset(self, p: Array) -> None:
        """Stand still at p (k,)."""
        self.p = np.array(p, dtype=float)
        self.v, self.a = np.zeros_like(self.p), np.zeros_like(self.p)

    def step(self, goal: Array, velocity: Array, dt: float) -> None:
        """Go on for dt [s] towards a goal (k,) that moves with a velocity (k,)."""
        self.p, self.v, self.a = _pursue(
            self.p,
            self.v,
            goal,
            velocity,
            self._kp,
            self._kd,
            self._speed,
            self._acceleration,
            dt,
        )


@jit_hold_gil
def _pursue(
    p: Array,
    v: Array,
    goal: Array,
    velocity: Array,
    kp: float,
    kd: float,
    speed: Array,
    acceleration: Array,
    dt: float,
) -> tuple[Array, Array, Array]:
    """Return place, velocity and acceleration (k,) each after dt [s]."""
    k = len(p)
    next_p, next_v, a = np.empty(k), np.empty(k), np.empty(k)
    for i in range(k):
        asked = kp * (goal[i] - p[i]) + kd * (velocity[i] - v[i])
        asked = min(max(asked, -acceleration[i]), acceleration[i])
        next_v[i] = min(max(v[i] + dt * asked, -speed[i]), speed[i])
        a[i] = (next_v[i] - v[i]) / dt
        next_p[i] = p[i] + 0.5 * dt * (v[i] + next_v[i])
    return next_p, next_v, a
