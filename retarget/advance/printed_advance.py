"""The law of the thesis as it is printed, (9.4) and (9.10), for comparison.

    rate = clip((v . dx + eps) / (|dx|^2 + eps), 1, upper)                  (9.10)
    a = d2x rate^2 + dx psi'' - K_D e - K_P E + max(0, f . n / m) n          (9.4)

psi'' is the rate's derivative, one step late and low-passed, as the thesis' remark
proposes. Its loop has gain 1: the hand runs ahead with nobody near.
"""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.advance.advance_law import AdvanceLaw
from telexist.retarget.advance.path_point import PathPoint
from telexist.retarget.advance.trajectory_advance import Advanced
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array

__all__ = ["PrintedAdvance"]

FILTER = 0.05  # [s] of the derivative of the rate
NOWHERE = 1e-9  # [m/s] of a path that does not move


class PrintedAdvance:
    """Goes along a path as the thesis prints it.

    Attributes:
        psi: The path's parameter [s].
        rate: Of psi against time, at least 1.
    """

    def __init__(
        self, law: AdvanceLaw, *, speed: float, hand_mass: float, psi: float = 0.0
    ) -> None:
        """Stand at a place of the path.

        Args:
            law: Its greatest rate, gains and `smallest` are used.
            speed: Greatest |dx| of the path [m/s].
            hand_mass: That the force moves along the path [kg].
            psi: Where to begin [s].

        Raises:
            BadInput: If the speed or the mass is not above 0.
        """
        if not (0.0 < speed < math.inf and 0.0 < hand_mass < math.inf):
            raise BadInput(f"speed {speed} m/s and mass {hand_mass} kg must be above 0")
        self.law, self.psi, self.rate = law, psi, 1.0
        self._mass, self._growth = hand_mass, 0.0
        self._eps = (law.smallest * speed) ** 2

    def step(
        self, point: PathPoint, place: Array, velocity: Array, force: Array, dt: float
    ) -> Advanced:
        """Take a reading, go on for dt and return what to ask for."""
        law, speed = self.law, math.sqrt(float(point.dx @ point.dx))
        n = point.dx / speed if speed > NOWHERE else np.zeros(3)
        help = max(0.0, float(n @ force))
        square = float(point.dx @ point.dx)
        rate = (float(velocity @ point.dx) + self._eps) / (square + self._eps)
        rate = min(max(rate, 1.0), law.upper)
        change = (rate - self.rate) / dt
        self._growth += dt / (dt + FILTER) * (change - self._growth)
        self.rate = rate
        e, error = velocity - point.dx * rate, place - point.x
        acceleration = (
            point.d2x * rate**2
            + point.dx * self._growth
            - law.damping * e
            - law.stiffness * error
            + help / self._mass * n
        )
        self.psi += rate * dt
        return Advanced(
            acceleration=acceleration,
            rate=rate,
            help=help,
            energy=0.5 * float(e @ e) + 0.5 * law.stiffness * float(error @ error),
            error=error,
        )
