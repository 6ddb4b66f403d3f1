"""How far from the asked centre of pressure the robot really pivots, learnt from steps.

What the model does not know (friction in the joints, a heavier body, what the swing leg
does) shifts the pressure by millimetres in every step: dxi/dt = omega (xi - z - d)
where z was asked. A DCM that is measured as xi - d obeys the plan again. d is found by
following the pendulum through each single support and looking where it should have
ended; a single step that caught a push teaches little.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.parameters import SensingParameters

__all__ = ["PivotBias"]


class PivotBias:
    """Learns d, in axes that turn with the robot.

    Attributes:
        value: d (2,) [m], x ahead.
    """

    def __init__(
        self, omega: float, parameters: SensingParameters | None = None
    ) -> None:
        """Start without a bias.

        Args:
            omega: Of the pendulum [1/s].
            parameters: How fast it learns.
        """
        self._p = parameters or SensingParameters()
        self._omega = omega
        self.value: Array = np.zeros(2)

    def forget(self) -> None:
        """Begin anew."""
        self.value = np.zeros(2)

    def begin(self, dcm: Array) -> None:
        """Begin to follow a single support from the DCM (2,) less the bias [m]."""
        self._followed, self._time = dcm, 0.0

    def follow(self, zmp: Array, dt: float) -> None:
        """Go on for dt with the pressure at the place asked for (2,) [m]."""
        self._time += dt
        self._followed = zmp + np.exp(self._omega * dt) * (self._followed - zmp)

    def end(self, dcm: Array, axes: Array) -> None:
        """Learn from where the DCM less the bias has come to; robot's axes (2, 2)."""
        p = self._p
        if self._time * self._omega < p.pivot_least_time:
            return
        grown = np.exp(self._omega * self._time) - 1.0
        left = axes.T @ (self._followed - dcm) / grown
        innovation = np.clip(left, -p.pivot_surprise, p.pivot_surprise)
        value = self.value + p.pivot_share * innovation
        self.value = np.clip(value, -p.pivot_most, p.pivot_most)
