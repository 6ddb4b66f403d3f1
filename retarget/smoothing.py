"""Minimum-jerk motion: a filter for live references and a blend between two values.

The filter is the third-order linear system whose step response comes closest, in the
least squares, to a minimum-jerk motion of duration T with an overshoot of 0.5 %:

    T^3 x''' = c0 (u - x) - c1 T x' - c2 T^2 x''

(A triple pole, as some robots use, stays four times farther from minimum jerk.) A slow
signal comes out late by c1 / c0 T = 0.51 T. The filter is sampled exactly for an input
held constant over each step, whatever the step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array

__all__ = ["MinimumJerkFilter", "minimum_jerk"]

COEFFICIENTS = (81.1056, 41.4251, 7.7431)  # c0, c1, c2
MIN_TIME = 1e-3  # [s] shorter smoothing than this is none


def minimum_jerk(fraction: ArrayLike) -> Array:
    """Return 10 s^3 - 15 s^4 + 6 s^5: from 0 to 1, at rest at both ends.

    Args:
        fraction: Share of the duration that has passed; clipped to [0, 1].
    """
    s = np.clip(np.asarray(fraction, dtype=np.float64), 0.0, 1.0)
    return s**3 * (10.0 + s * (6.0 * s - 15.0))


def _modes() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return poles (3,), eigenvectors (3, 3) and their inverse for T = 1 s."""
    c0, c1, c2 = COEFFICIENTS
    system = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [-c0, -c1, -c2]])
    poles, vectors = np.linalg.eig(system)
    return poles, vectors, np.linalg.inv(vectors)


class MinimumJerkFilter:
    """Smooths n signals, each with its own smoothing time.

    Attributes:
        x: Values (n,).
        dx: First derivatives (n,) [1/s].
        ddx: Second derivatives (n,) [1/s^2].
    """

    def __init__(self, times: ArrayLike) -> None:
        """Prepare; `reset` must come before the first `step`.

        Args:
            times: Smoothing time of each signal (n,) [s]; below 1 ms the signal
                passes unsmoothed.

        Raises:
            BadInput: If a time is negative or not finite.
        """
        self._poles, self._vectors, self._inverse = _modes()
        self.times = times
        n = len(self._times)
        self.x, self.dx, self.ddx = np.zeros(n), np.zeros(n), np.zeros(n)

    @property
    def times(self) -> Array:
        """Smoothing times (n,) [s]; may be changed at any moment without a jump."""
        return self._times

    @times.setter
    def times(self, times: ArrayLike) -> None:
        values = np.array(times, dtype=np.float64)
        if values.ndim != 1 or not np.isfinite(values).all() or (values < 0.0).any():
            raise BadInput(f"smoothing times must be numbers of 0 s or more: {times!r}")
        self._times = values
        self._direct = values < MIN_TIME
        self._any_direct = bool(self._direct.any())
        self._scale = np.where(self._direct, 1.0, values)
        self._square = self._scale * self._scale
        # Few joint groups have a time of their own: each is computed once.
        self._groups, self._group = np.unique(self._scale, return_inverse=True)

    def reset(self, x: ArrayLike) -> None:
        """Start at rest at x (n,)."""
        self.x = np.array(x, dtype=np.float64)
        self.dx, self.ddx = np.zeros_like(self.x), np.zeros_like(self.x)

    def step(self, target: Array, dt: float) -> Array:
        """Advance by `dt` towards a target that is constant meanwhile.

        Args:
            target: Where the signals should go (n,).
            dt: Duration of the step [s], above 0.

        Returns:
            The new values (n,); derivatives are in `dx` and `ddx`.
        """
        T, normal = self._scale, np.empty((3, len(target)))
        np.subtract(self.x, target, out=normal[0])
        np.multiply(self.dx, T, out=normal[1])
        np.multiply(self.ddx * T, T, out=normal[2])
        decay = np.exp(np.multiply.outer(self._poles, dt / self._groups))
        modes = decay[:, self._group] * (self._inverse @ normal)
        after = (self._vectors @ modes).real
        x, dx, ddx = after[0] + target, after[1] / T, after[2] / self._square
        if self._any_direct:
            speed = (target - self.x) / dt
            x = np.where(self._direct, target, x)
            ddx = np.where(self._direct, (speed - self.dx) / dt, ddx)
            dx = np.where(self._direct, speed, dx)
        self.x, self.dx, self.ddx = x, dx, ddx
        return x
