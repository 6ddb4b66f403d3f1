"""When the next turn may begin: turns must not rise with the stream."""

from __future__ import annotations

from telexist.teleop.clock import now, sleep

__all__ = ["Pace"]

SPACING = 0.9  # periods from a sample's turn to the next one's: faster ones are thinned


class Pace:
    """Serves samples at once, but at most at the controller's rate.

    Between two turns with samples lies most of a period, and no more than one turn in
    between: whatever arrives, and however often the loop is woken.
    """

    def __init__(self, period: float) -> None:
        """Take the time between two turns [s]."""
        self._period = period
        self._sampled = self._before = float("-inf")

    def soonest(self, began: float, *, sampled: bool) -> float:
        """Return when the turn after this one may begin [s].

        Args:
            began: When this turn began [s].
            sampled: Whether it took a sample of the person.
        """
        if sampled:
            self._sampled = began
        soonest = max(self._sampled, self._before) + SPACING * self._period
        self._before = began
        return soonest

    def wait(self, began: float, *, sampled: bool) -> float:
        """Wait until the turn after this one may begin; return when it begins [s]."""
        early = self.soonest(began, sampled=sampled) - now()
        if 0.0 < early <= self._period:
            sleep(early)
        return now()
