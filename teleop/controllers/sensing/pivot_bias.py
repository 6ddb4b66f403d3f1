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

__all__ = ["PivotBias"]

SHARE = 0.2  # of what one step teaches
SURPRISE = 0.01  # [m] beyond which a step teaches no more
LARGEST = 0.04  # [m]
SOON = 0.5  # [1/omega] of single support below which a step teaches nothing


class PivotBias:
    """Learns d, in axes that turn with the robot.

    Attributes:
        value: d (2,) [m], x ahead.
    """

    def __init__(self, omega: float) -> None:
        """Start without a bias.

        Args:
            omega: Of the pendulum [1/s].
        """
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
        if self._time * self._omega < SOON:
            return
        grown = np.exp(self._omega * self._time) - 1.0
        left = axes.T @ (self._followed - dcm) / grown
        innovation = np.clip(left, -SURPRISE, SURPRISE)
        self.value = np.clip(self.value + SHARE * innovation, -LARGEST, LARGEST)
