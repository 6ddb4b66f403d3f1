"""Joint velocities of noisy encoders, with the accelerations that were asked for.

A Kalman filter of each joint with its steady gains: position and velocity are measured,
the acceleration is known but for what disturbs it.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["JointObserver"]

POSITION, VELOCITY = 1e-4, 0.02  # [rad], [rad/s] of the sensors' noise
DISTURBANCE = 1.5  # [rad/s^2] of accelerations that nobody asked for
ROUNDS = 2000


class JointObserver:
    """Follows joints.

    Attributes:
        q: Positions (n,) [rad].
        dq: Velocities (n,) [rad/s].
    """

    def __init__(self, q: Array, period: float) -> None:
        """Start at rest.

        Args:
            q: Where (n,) [rad].
            period: Between two readings [s].
        """
        self.q, self.dq = np.array(q, dtype=float), np.zeros(len(q))
        self._gain = _steady_gain(period)

    def step(self, q: Array, dq: Array, ddq: Array, dt: float) -> None:
        """Take a reading dt after the last one, at accelerations (n,) since."""
        before = self.q + dt * (self.dq + 0.5 * dt * ddq)
        faster = self.dq + dt * ddq
        off, more = q - before, dq - faster
        gain = self._gain
        self.q = before + gain[0, 0] * off + gain[0, 1] * more
        self.dq = faster + gain[1, 0] * off + gain[1, 1] * more


def _steady_gain(dt: float) -> Array:
    """Return the gain (2, 2) to which the filter comes."""
    F = np.array([[1.0, dt], [0.0, 1.0]])
    push = DISTURBANCE * np.array([0.5 * dt**2, dt])
    Q, R = np.outer(push, push), np.diag([POSITION**2, VELOCITY**2])
    P, gain = R.copy(), np.zeros((2, 2))
    for _ in range(ROUNDS):
        P = F @ P @ F.T + Q
        gain = P @ np.linalg.inv(P + R)
        P = P - gain @ P
    return gain
