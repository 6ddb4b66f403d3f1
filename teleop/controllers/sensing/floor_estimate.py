"""Height and tilt of the floor, from the feet that stand on it."""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.parameters import SensingParameters
from telexist.teleop.controllers.terms import Measured

__all__ = ["FloorEstimate"]


class FloorEstimate:
    """A plane through the stance foot.

    Attributes:
        normal: (3,).
        tilt: Shortest rotation from level to the floor (3, 3).
        height: Below the centre of mass, smoothed [m].
    """

    def __init__(self, parameters: SensingParameters | None = None) -> None:
        """Begin with a level floor."""
        self._p = parameters or SensingParameters()
        self.normal = np.array([0.0, 0.0, 1.0])
        self.tilt = np.eye(3)
        self.height = 0.0
        self._through = np.zeros(3)

    def start(self, measured: Measured, stance: int) -> None:
        """Begin to walk where the feet stand; the tilt known so far is kept."""
        self.height = float(measured.sole_p[:, 2].mean())
        self._through = measured.sole_p[stance]

    def step(
        self, measured: Measured, stance: int, dt: float, *, both_stand: bool
    ) -> None:
        """Look at the stance foot; its tilt counts only while both feet stand.

        On one foot the sole may tip, and the floor with it.
        """
        q = self._p
        if both_stand and measured.load[stance] > q.floor_load:
            seen = measured.sole_up[stance]
            normal = self.normal + dt / (dt + q.tilt_time) * (seen - self.normal)
            self.normal = normal / np.linalg.norm(normal)
            self.tilt = _tilt_of(self.normal)
        self._through = measured.sole_p[stance]
        under = self.at(measured.com[:2])
        self.height += dt / (dt + q.height_time) * (under - self.height)

    def at(self, place: Array) -> float:
        """Return the height of the floor at a place (2,) [m]."""
        p, (x, y, z) = self._through, self.normal
        return float(p[2] - (x * (place[0] - p[0]) + y * (place[1] - p[1])) / z)


def _tilt_of(normal: Array) -> Array:
    x, y, z = normal
    k = 1.0 / (1.0 + z)
    return np.array(
        [
            [1.0 - k * x * x, -k * x * y, x],
            [-k * x * y, 1.0 - k * y * y, y],
            [-x, -y, z],
        ]
    )
