"""When a source's samples were taken, on our clock, from how fast the fastest came.

A stream that goes one way cannot be pinged. The sample that was underway the shortest
maps the source's clock to ours, and every other one is as much older as it was slower:
a line that stalls and then delivers everything at once brings old samples.
"""

from __future__ import annotations

from collections import deque

__all__ = ["SourceClock"]

WINDOW = 10.0  # [s]; a clock that drifts by 50 ppm is off by 0.5 ms after it
LEAP = 1.0  # [s] by which a source's time leaps when it was set or started anew


class SourceClock:
    """Follows one source's clock."""

    def __init__(self) -> None:
        """Know nothing."""
        self._ways: deque[tuple[float, float]] = deque()
        self._last: float | None = None

    def ours(self, theirs: float, arrival: float) -> float:
        """Return when a sample was taken [s], never later than it arrived.

        Args:
            theirs: When, on the source's clock [s].
            arrival: When it came, on ours [s].
        """
        way = arrival - theirs
        if self._last is not None and theirs < self._last - LEAP:
            self._ways.clear()
        self._last = theirs
        while self._ways and arrival - self._ways[0][0] > WINDOW:
            self._ways.popleft()
        while self._ways and self._ways[-1][1] >= way:  # never the least again
            self._ways.pop()
        self._ways.append((arrival, way))
        return theirs + self._ways[0][1]
