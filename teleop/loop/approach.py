"""The way from where the robot is to where it shall be: minimum jerk over seconds."""

from __future__ import annotations

import numpy as np
from telexist.retarget.smoothing import minimum_jerk
from telexist.retarget.so3 import Array
from telexist.robots.drives import Bounds
from telexist.teleop.settings import EngageSettings

__all__ = ["Approach"]

PEAK = 1.875  # greatest speed of a minimum-jerk motion over its mean speed


class Approach:
    """A minimum-jerk way from one posture to another that may itself move.

    goal(t) = start + s(t) (target(t) - start), with s from 0 to 1 at rest at both ends.
    """

    def __init__(
        self, start: Array, target: Array, bounds: Bounds, settings: EngageSettings
    ) -> None:
        """Choose the duration from the distance.

        Args:
            start: Where the joints are (n,).
            target: Where they shall go (n,), now.
            bounds: Of the joints.
            settings: Shortest duration and share of the speed limits to use.
        """
        self._start = np.array(start)
        fastest = settings.approach_speed * bounds.velocity
        needed = PEAK * np.abs(target - start) / fastest
        self.duration = float(max(settings.approach, needed.max(initial=0.0)))
        self._passed = 0.0

    @property
    def over(self) -> bool:
        """Whether the target has been reached."""
        return self._passed >= self.duration

    def step(self, target: Array, dt: float) -> Array:
        """Return the goal (n,) after another `dt` [s]."""
        self._passed += dt
        share = float(minimum_jerk(self._passed / self.duration))
        return self._start + share * (target - self._start)
