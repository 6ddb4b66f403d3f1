"""How far the computed centre of mass is from where the floor's forces say it is.

An IMU that is tilted by a tenth of a degree, a floor that is not level, or masses that
are not as modelled put the balance millimetres off. The floor's pressure knows better:
who stands still has the centre of mass over the centre of pressure. The difference is
averaged over seconds of standing and kept while walking.
"""

from __future__ import annotations

import numpy as np

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
        force, moment = np.zeros(3), np.zeros(2)
        for i in (0, 1):
            R, (x, y, z) = measured.sole_R[i], measured.sole_p[i]
            f, m = R @ foot_wrenches[i, :3], R @ foot_wrenches[i, 3:]
            force += f
            # Moment about the origin of the floor's plane, for the pressure's centre.
            moment += (x * f[2] - z * f[0] - m[1], y * f[2] - z * f[1] + m[0])
        if force[2] < LOADED * self._mass * GRAVITY:
            return self.value
        floor = measured.sole_p[:, 2].min()
        cop = (moment + floor * force[:2]) / force[2]
        seen = measured.com[:2] - cop
        news = np.clip(seen - self.value, -SURPRISE, SURPRISE)
        self.value = self.value + dt / (dt + TIME) * news
        self.value = np.clip(self.value, -LARGEST, LARGEST)
        return self.value
