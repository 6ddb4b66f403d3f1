"""The One-Euro filter: slow points are smoothed much, fast ones hardly.

Casiez, Roussel, Vogel, "1 Euro filter", CHI 2012: a low-pass whose cut-off rises with
the speed of what it filters.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["OneEuro"]

STILL = 1.5  # [Hz] cut-off of what does not move
PER_SPEED = 40.0  # [Hz per m/s] how it rises
SPEED = 2.0  # [Hz] cut-off of the speed


class OneEuro:
    """Filters points (k, 3) [m], each by its own speed."""

    def __init__(self) -> None:
        """Begin with the first points that come."""
        self._points: Array | None = None
        self._speed: Array = np.zeros(0)

    def reset(self) -> None:
        """Forget what was."""
        self._points = None

    def step(self, points: Array, dt: float) -> Array:
        """Return the filtered points after `dt` [s], above 0."""
        if self._points is None:
            self._speed = np.zeros_like(points)
            self._points = points
            return points
        change = (points - self._points) / dt
        self._speed = self._speed + _share(SPEED, dt) * (change - self._speed)
        fast = np.sqrt((self._speed * self._speed).sum(axis=1, keepdims=True))
        share = _share(STILL + PER_SPEED * fast, dt)
        self._points = self._points + share * (points - self._points)
        return self._points


def _share(cut_off: Array | float, dt: float) -> Array:
    """Return how much of a new sample a low-pass takes."""
    turn = 2.0 * np.pi * dt * np.asarray(cut_off)
    return np.asarray(turn / (1.0 + turn))
