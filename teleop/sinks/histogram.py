"""Percentiles of a stream of durations, in memory that does not grow."""

from __future__ import annotations

import math

import numpy as np

__all__ = ["Histogram"]

SHORTEST = 1e-6  # [s]
PER_DECADE = 200  # bins: 1.2 % wide
DECADES = 8  # up to 100 s
LAST = PER_DECADE * DECADES  # bin, for all that is longer


class Histogram:
    """Counts durations in bins of equal ratio.

    Attributes:
        count: How many there were.
        worst: The longest [s].
    """

    def __init__(self) -> None:
        """Start empty."""
        self._bins = [0] * (LAST + 1)
        self.count = 0
        self.worst = 0.0

    def add(self, duration: float) -> None:
        """Count one duration [s]."""
        where = 0
        if duration > SHORTEST:
            where = int(PER_DECADE * math.log10(duration / SHORTEST))
        self._bins[min(where, LAST)] += 1
        self.count += 1
        if duration > self.worst:
            self.worst = duration

    def percentile(self, share: float) -> float:
        """Return the duration below which `share` [%] lie [s]; nan if there is none."""
        if not self.count:
            return math.nan
        wanted = share / 100.0 * self.count
        index = int(np.searchsorted(np.cumsum(self._bins), wanted))
        middle: float = SHORTEST * 10.0 ** ((index + 0.5) / PER_DECADE)
        return min(middle, self.worst)
