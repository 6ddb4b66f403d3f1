"""How the axes of a simulated board move: modes, references, positions in degrees."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence

from telexist.robots.yarp.simulated.board_table import SimulatedAxis

__all__ = ["AxisMotion"]

FAULTS = ("hwfa", "cal", "cfgn")
USUAL_SPEED = 20.0  # [deg/s] of position moves


class AxisMotion:
    """Joints that are where they were sent last; position moves take their time.

    As with real boards nothing is limited here: who sends must know what he does.

    Attributes:
        axes: Their table.
        modes: Control mode of each.
        interactions: Interaction mode of each.
        position: Where each is [deg].
        reference: What was streamed last to each [deg].
    """

    def __init__(self, axes: Sequence[SimulatedAxis], now: Callable[[], float]) -> None:
        """Stand at 0, or the nearest position inside the limits."""
        self.axes, self._now = tuple(axes), now
        self._lock = threading.RLock()
        self.position = [min(max(0.0, a.lower), a.upper) for a in axes]
        self.reference = list(self.position)
        self.modes = ["pos"] * len(axes)
        self.interactions = ["stif"] * len(axes)
        self._speeds = [USUAL_SPEED] * len(axes)
        self._goals: list[float | None] = [None] * len(axes)
        self._velocity = [0.0] * len(axes)
        self._time = now()

    def measure(self) -> list[float]:
        """Return where the axes are now [deg]."""
        with self._lock:
            self._advance()
            return list(self.position)

    def set_mode(self, j: int, mode: str) -> None:
        """Change a mode, as the firmware does: a fault is left by `fidl` alone."""
        with self._lock:
            self._advance()
            if mode == "fidl":
                self.modes[j] = "idl"
            elif self.modes[j] not in FAULTS:
                self.modes[j] = mode
            self._goals[j], self._velocity[j] = None, 0.0
            self.reference[j] = self.position[j]

    def stream(self, j: int, value: float) -> None:
        """Take a position-direct reference [deg]; skipped in any other mode."""
        with self._lock:
            if self.modes[j] == "posd":
                self.reference[j] = self.position[j] = value

    def drive(self, j: int, value: float) -> None:
        """Take a velocity reference [deg/s]; skipped in any other mode."""
        with self._lock:
            self._advance()
            if self.modes[j] == "vel":
                self._velocity[j] = value

    def set_speed(self, j: int, speed: float) -> None:
        """Choose how fast position moves are [deg/s]."""
        self._speeds[j] = abs(speed)

    def move(self, j: int, goal: float) -> None:
        """Begin a position move [deg]; skipped in any other mode."""
        with self._lock:
            self._advance()
            if self.modes[j] == "pos":
                self._goals[j] = goal

    def stop(self, j: int) -> None:
        """End a move where the axis is."""
        with self._lock:
            self._advance()
            self._goals[j], self._velocity[j] = None, 0.0

    @property
    def resting(self) -> bool:
        """Whether all position moves are over."""
        with self._lock:
            self._advance()
            return all(goal is None for goal in self._goals)

    def _advance(self) -> None:
        now = self._now()
        dt, self._time = max(now - self._time, 0.0), now
        for j, goal in enumerate(self._goals):
            if goal is not None:
                way = goal - self.position[j]
                step = min(abs(way), self._speeds[j] * dt)
                self.position[j] += math.copysign(step, way)
                if abs(goal - self.position[j]) < 1e-9:
                    self.position[j], self._goals[j] = goal, None
            elif self._velocity[j]:
                self.position[j] += self._velocity[j] * dt
