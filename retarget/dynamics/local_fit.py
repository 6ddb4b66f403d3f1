"""Value and derivatives of a stream, read a stated lag behind its newest sample.

A cubic is fitted to the samples of the last two lags, by least squares, and read at the
middle: nearer to the end, derivatives are noise.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["MiddleFit", "LocalFit"]

ORDER = 3
LEAST = 6  # samples in the window
MEMORY = 1.0  # [s] of stamps from which the source's even pace is found
JITTER = 0.03  # [s] that stamps may be off an even pace
GAP = 0.1  # [s] without a sample after which the motion is begun anew


@dataclass(frozen=True, slots=True, kw_only=True)
class MiddleFit:
    """A stream at one moment: `time` [s], its lag [s], values and derivatives (m,)."""

    time: float
    lag: float
    value: Array
    first: Array
    second: Array


class LocalFit:
    """Keeps the newest samples."""

    def __init__(self, lag: float) -> None:
        """Start empty; the lag is in seconds."""
        self._lag = lag
        self._samples: deque[tuple[float, int, Array]] = deque(maxlen=2000)

    def reset(self) -> None:
        """Forget the samples."""
        self._samples.clear()

    @property
    def empty(self) -> bool:
        """Whether there is no sample yet."""
        return not self._samples

    def add(self, stamp: float, sequence: int, values: Array) -> None:
        """Take a sample; after a gap, or a step back in time, begin anew.

        Args:
            stamp: Arrival [s].
            sequence: Number at the source.
            values: (m,).
        """
        if self._samples:
            last_stamp, last_sequence, _ = self._samples[-1]
            if sequence == last_sequence and stamp - last_stamp < GAP:
                return
            if not 0.0 < stamp - last_stamp < GAP or sequence < last_sequence:
                self.reset()
        self._samples.append((stamp, sequence, values))
        while self._samples[0][0] < stamp - max(MEMORY, 4.0 * self._lag):
            self._samples.popleft()

    def read(self) -> MiddleFit | None:
        """Return the fit in the middle of the newest window; None before it is full."""
        stamps = np.array([sample[0] for sample in self._samples])
        if len(stamps) < LEAST or stamps[-1] - stamps[0] < 1.8 * self._lag:
            return None
        times = _even(stamps, np.array([sample[1] for sample in self._samples]))
        pace = (times[-1] - times[0]) / (len(times) - 1)
        first = np.searchsorted(times, times[-1] - 2.0 * self._lag - 0.4 * pace)
        first = min(int(first), len(times) - LEAST)
        window = times[first:]
        middle = 0.5 * (window[0] + window[-1])
        span = window[-1] - middle
        if span <= 0.0:
            return None
        powers = ((window - middle) / span)[:, None] ** np.arange(ORDER + 1)
        weights = np.linalg.pinv(powers)
        values = np.array([self._samples[k][2] for k in range(first, len(times))])
        c = weights[:3] @ values
        return MiddleFit(
            time=float(middle),
            lag=float(stamps[-1] - middle),
            value=c[0],
            first=c[1] / span,
            second=2.0 * c[2] / span**2,
        )


def _even(stamps: Array, sequence: Array) -> Array:
    """Return when the samples were taken, if they come at an even pace.

    Networks deliver unevenly; the numbers of the samples tell how they were taken.
    """
    numbers = sequence - sequence[0]
    if np.any(np.diff(numbers) <= 0):
        return stamps
    pace = np.polynomial.polynomial.polyfit(numbers, stamps, 1)
    even = pace[0] + pace[1] * numbers
    if pace[1] <= 0.0 or np.abs(even - stamps).max() > JITTER:
        return stamps
    return np.asarray(even, dtype=np.float64)
