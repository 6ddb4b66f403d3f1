"""Whether the operator goes somewhere: the rule by which the one that walks leads."""

from __future__ import annotations

from collections import deque

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.terms import RobotReference

__all__ = ["Going"]

STILL = 1e-9  # [m/s] a command below this asks nobody to walk
STARTS = 0.1  # [s] of a walking command
WAY, WITHIN = 0.25, 1.0  # [m] of the operator's base within so many [s]: own steps
RESTS = 2.0  # [s] without either


class Going:
    """Looks at walking commands and at the way of the operator's base.

    Attributes:
        now: Whether the operator goes.
    """

    def __init__(self) -> None:
        """Begin at rest."""
        self.reset()

    def reset(self) -> None:
        """Rest."""
        self.now = False
        self._asked = self._rested = 0.0
        self._places: deque[tuple[float, Array]] = deque()
        self._time = 0.0

    def step(self, reference: RobotReference, dt: float) -> bool:
        """Take a reference; return whether the operator began or ended to go."""
        walk = reference.walk
        asks = max(abs(walk.vx), abs(walk.vy), abs(walk.wz)) > STILL
        self._asked = self._asked + dt if asks else 0.0
        self._time += dt
        goes = asks or self._way(reference) > WAY
        self._rested = 0.0 if goes else self._rested + dt
        before = self.now
        if self._asked >= STARTS or (goes and not asks):
            self.now = True
        elif self._rested >= RESTS:
            self.now = False
        return self.now is not before

    def _way(self, reference: RobotReference) -> float:
        """Return how far the operator's base came in the last second [m]."""
        if reference.base is None:
            return 0.0
        place = np.array(reference.base.world_p_base[:2])
        places = self._places
        places.append((self._time, place))
        while places[0][0] < self._time - WITHIN:
            places.popleft()
        return float(np.linalg.norm(place - places[0][1]))
