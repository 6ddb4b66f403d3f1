"""How far the computed centre of mass is from where the floor's forces say it is.

An IMU that is tilted by a tenth of a degree, a floor that is not level, or masses that
are not as modelled put the balance millimetres off. The floor's pressure knows better:
who stands still has the centre of mass over the centre of pressure. The difference is
averaged over seconds of standing and kept while walking.
"""

from __future__ import annotations

import numpy as np

from retarget.compiled import brief
from retarget.so3 import Array
from robots.actuators import GRAVITY
from teleop.controllers.measured import Measured

__all__ = ["ComBias"]

TIME = 2.0  # [s] of averaging
SURPRISE = 0.02  # [m] beyond which one reading does not count more: a push
LARGEST = 0.04  # [m]
LOADED = 0.3  # of body weight below which forces say nothing


class ComBias:
    """Learns the error of the computed centre of mass.

    Attributes:
        value: Computed less true, world axes (2,) [m].
    """

    def __init__(self, mass: float) -> None:
        """Start without an error.

        Args:
            mass: Of the robot [kg].
        """
        self._mass = mass
        self.value = np.zeros(2)
        axes = np.zeros((2, 3, 3))  # loads what is compiled before time matters
        _learn(
            self.value, np.zeros(3), np.zeros((2, 3)), axes, np.zeros((2, 6)), 1.0, 1.0
        )

    def reset(self) -> None:
        """Forget."""
        self.value = np.zeros(2)

    def step(self, measured: Measured, foot_wrenches: Array, dt: float) -> Array:
        """Take a reading and return the error (2,) [m].

        Args:
            measured: The robot; its centre of mass is the computed one.
            foot_wrenches: In sole axes (2, 6) [N], [N m].
            dt: Since the last reading [s].
        """
        self.value = _learn(
            self.value,
            measured.com,
            measured.sole_p,
            measured.sole_R,
            np.array(foot_wrenches, dtype=float, order="C"),
            LOADED * self._mass * GRAVITY,
            dt,
        )
        return self.value


@brief
def _learn(value, com, p, R, wrenches, least, dt):  # type: ignore[no-untyped-def]
    """Return the error (2,) after another reading.

    Args:
        value: Error so far (2,) [m].
        com: Centre of mass as computed (3,) [m].
        p: Middles of the soles (2, 3) [m].
        R: Axes of the soles (2, 3, 3).
        wrenches: On the soles, in their axes (2, 6).
        least: Force below which forces say nothing [N].
        dt: Since the last reading [s].
    """
    force, moment = np.zeros(3), np.zeros(2)
    for i in range(2):
        f, m = np.zeros(3), np.zeros(3)
        for a in range(3):
            for b in range(3):
                f[a] += R[i, a, b] * wrenches[i, b]
                m[a] += R[i, a, b] * wrenches[i, 3 + b]
        force += f
        # Moment about the origin of the floor's plane, for the pressure's centre.
        moment[0] += p[i, 0] * f[2] - p[i, 2] * f[0] - m[1]
        moment[1] += p[i, 1] * f[2] - p[i, 2] * f[1] + m[0]
    learnt = value.copy()
    if force[2] < least:
        return learnt
    floor = min(p[0, 2], p[1, 2])
    for a in range(2):
        cop = (moment[a] + floor * force[a]) / force[2]
        news = min(max(com[a] - cop - value[a], -SURPRISE), SURPRISE)
        moved = value[a] + dt / (dt + TIME) * news
        learnt[a] = min(max(moved, -LARGEST), LARGEST)
    return learnt
