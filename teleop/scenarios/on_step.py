"""Whoever looks at the steps of a scenario, and how long that takes."""

from __future__ import annotations

from collections.abc import Callable

from telexist.robots.mujoco import Simulation
from telexist.teleop import clock

__all__ = ["OnStep", "TimedOnStep"]

OnStep = Callable[[Simulation, float], None]
"""Called after every control step with the world and the time [s]."""


class TimedOnStep:
    """Passes steps on.

    Attributes:
        took: Time spent there [s].
    """

    def __init__(self, on_step: OnStep | None) -> None:
        """Take whoever looks; None for nobody."""
        self._on_step, self.took = on_step, 0.0

    def __call__(self, simulation: Simulation, time: float) -> None:
        """Pass a step on."""
        if self._on_step is None:
            return
        begin = clock.now()
        self._on_step(simulation, time)
        self.took += clock.now() - begin
