"""When the next turn may begin: turns must not rise with the stream."""

from __future__ import annotations

from telexist.teleop.clock import now, sleep

__all__ = ["Pace"]

SPACING = 0.9  # periods between two turns with samples: faster ones are thinned
BURST = 3  # samples of an uneven stream that are served at once all the same


class _Budget:
    """Turns that may begin: one each `spacing` [s] in the mean, `burst` at once."""

    def __init__(self, spacing: float, burst: int) -> None:
        self._spacing, self._ahead = spacing, (burst - 1) * spacing
        self._due = float("-inf")

    def spend(self, began: float) -> None:
        """Count a turn that began at a time [s]."""
        self._due = max(self._due, began) + self._spacing

    @property
    def soonest(self) -> float:
        """When the next one may begin [s]."""
        return self._due - self._ahead


class Pace:
    """Serves samples at once, but in the mean at most at the controller's rate.

    A few that come close together are each served; of a stream that goes on faster,
    the newest is taken whenever a turn is due. Turns without samples are bounded
    likewise, at twice that rate, however often the loop is woken.
    """

    def __init__(self, period: float) -> None:
        """Take the time between two turns [s]."""
        self._period = period
        self._samples = _Budget(SPACING * period, BURST)
        self._turns = _Budget(0.5 * SPACING * period, 2 * BURST)

    def soonest(self, began: float, *, sampled: bool) -> float:
        """Return when the turn after this one may begin [s].

        Args:
            began: When this turn began [s].
            sampled: Whether it took a sample of the person.
        """
        self._turns.spend(began)
        if sampled:
            self._samples.spend(began)
        return max(self._turns.soonest, self._samples.soonest)

    def wait(self, began: float, *, sampled: bool) -> float:
        """Wait until the turn after this one may begin; return when it begins [s]."""
        early = self.soonest(began, sampled=sampled) - now()
        if 0.0 < early <= self._period:
            sleep(early)
        return now()
