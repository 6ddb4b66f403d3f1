"""What pushes the robot: acceleration that neither floor nor own motion explains.

With a the base's acceleration as the IMU feels it, f the floor's forces as the soles
feel them, m the mass, and a*, f* what the whole-body programme asked for,

    push = (a - a*) - (f - f*) / m:

a body that does what was asked moves its base against its centre of mass by a* - f*/m
without any push. Readings are averaged over some milliseconds, and what may be noise, or
a joint that lags, counts as nothing.
"""

from __future__ import annotations

import numpy as np

from retarget.compiled import brief
from retarget.so3 import Array
from robots.actuators import GRAVITY
from robots.interface import RobotState

__all__ = ["PushEstimate"]

TIME = 0.008  # [s] over which readings are averaged
LEAST, SURE = 0.1, 0.2  # body weights below which it may be noise, above which not


class PushEstimate:
    """Follows the push.

    Attributes:
        value: Horizontal force in body weights (2,), world axes; 0 if it may be noise.
    """

    def __init__(self, mass: float) -> None:
        """Start without a push.

        Args:
            mass: Of the robot [kg].
        """
        self._weight = mass * GRAVITY
        self.reset()
        axes, zero = np.zeros((2, 3, 3)), np.zeros(3)
        _felt(np.eye(3), zero, axes, np.zeros((2, 6)), 1.0)  # loads what is compiled

    def reset(self) -> None:
        """Forget."""
        self._seen, self.value = np.zeros(2), np.zeros(2)
        self._asked = np.zeros(2)

    def expect(self, base_acc: Array, wrenches: Array) -> None:
        """Take what is asked for until the next reading.

        Args:
            base_acc: Acceleration of the base's origin, world axes (3,) [m/s^2].
            wrenches: On the soles, world axes (2, 6) [N], [N m].
        """
        force = wrenches[:, :2].sum(axis=0) / self._weight
        self._asked = base_acc[:2] / GRAVITY - force

    def step(
        self, state: RobotState, world_R_base: Array, sole_R: Array, dt: float
    ) -> Array:
        """Take a reading and return the push (2,).

        Args:
            state: What the sensors say.
            world_R_base: Orientation of the base (3, 3).
            sole_R: Axes of the soles (2, 3, 3).
            dt: Since the last reading [s].
        """
        felt = _felt(
            np.array(world_R_base, order="C"),
            np.array(state.imu_acceleration, order="C"),
            np.array(sole_R, order="C"),
            np.array(state.foot_wrenches, order="C"),
            self._weight,
        )
        news = felt - self._asked
        self._seen = self._seen + dt / (dt + TIME) * (news - self._seen)
        size = float(np.hypot(*self._seen))
        share = min(max((size - LEAST) / (SURE - LEAST), 0.0), 1.0)
        self.value = share * self._seen
        return self.value


@brief
def _felt(R, specific, soles, wrenches, weight):  # type: ignore[no-untyped-def]
    """Return the base's acceleration less the floor's forces (2,), in body weights."""
    found = np.zeros(2)
    for a in range(2):
        for b in range(3):
            found[a] += R[a, b] * specific[b] / GRAVITY
            for i in range(2):
                found[a] -= soles[i, a, b] * wrenches[i, b] / weight
    return found
