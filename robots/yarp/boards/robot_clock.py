"""The robot's clock against ours: one offset, and whether it still holds."""

from __future__ import annotations

from statistics import median

__all__ = ["RobotClock"]

SAMPLES = 7  # that the offset is the median of
AHEAD = 0.1  # [s] a stamp may be in our future by so much, for jitter


class RobotClock:
    """Maps stamps of one board to our clock.

    The offset is measured once, as the median of arrival - stamp; from then on only
    ages are compared, so it does not matter what the robot's clock shows.
    """

    def __init__(self) -> None:
        """Know nothing yet."""
        self._offsets: list[float] = []
        self.offset: float | None = None

    def hear(self, stamp: float, arrival: float) -> None:
        """Take one message's stamp and when it came [s]."""
        if self.offset is None:
            self._offsets.append(arrival - stamp)
            if len(self._offsets) >= SAMPLES:
                self.offset = median(self._offsets)

    def ours(self, stamp: float) -> float:
        """Return a stamp on our clock [s]; as it is before the offset is known."""
        return stamp + (self.offset or 0.0)

    def jump(self, stamp: float, arrival: float) -> float:
        """Return by how much a stamp lies in our future [s]; 0 for one that may be."""
        ahead = self.ours(stamp) - arrival
        return ahead if self.offset is not None and ahead > AHEAD else 0.0

    def reset(self) -> None:
        """Measure the offset anew."""
        self._offsets.clear()
        self.offset = None
