"""What time it is on the other side: from pings, of which the fastest are believed.

A ping leaves at t0 and is back at t2, between which the other side said t1: its clock
is ahead by t1 - (t0 + t2) / 2, give or take half the round trip. The fastest fifth of
the pings in the last `WINDOW` are the least wrong, and their mean is less wrong than
any: where both ways tremble alike, the fastest one alone may have been late one way and
early the other. Drift asks for new pings.
"""

from __future__ import annotations

from collections import deque

__all__ = ["PeerClock"]

WINDOW = 15.0  # [s]
MOST = 400  # pings that are remembered
BELIEVED = 5  # of so many pings the fastest one
LONGEST = 2.0  # [s] of a round trip that tells anything


class PeerClock:
    """Maps the other side's times to ours.

    Attributes:
        round_trip: Of the fastest ping [s]; inf before the first.
    """

    def __init__(self) -> None:
        """Know nothing."""
        self._pings: deque[tuple[float, float, float]] = deque(maxlen=MOST)
        self.round_trip = float("inf")
        self._ahead: float | None = None

    @property
    def known(self) -> bool:
        """Whether a ping has come back."""
        return self._ahead is not None

    def add(self, sent: float, theirs: float, back: float) -> None:
        """Take a ping that was sent and came back [s], and what they said meanwhile."""
        trip = back - sent
        if not 0.0 <= trip <= LONGEST:
            return
        while self._pings and back - self._pings[0][0] > WINDOW:
            self._pings.popleft()
        self._pings.append((back, trip, theirs - 0.5 * (sent + back)))
        fastest = sorted((trip, ahead) for _, trip, ahead in self._pings)
        best = fastest[: max(1, len(fastest) // BELIEVED)]
        self.round_trip = best[0][0]
        self._ahead = sum(ahead for _, ahead in best) / len(best)

    def ours(self, theirs: float) -> float:
        """Return one of their times on our clock [s]; -inf before the first ping."""
        return float("-inf") if self._ahead is None else theirs - self._ahead

    def theirs(self, ours: float) -> float:
        """Return one of our times on their clock [s]; -inf before the first ping."""
        return float("-inf") if self._ahead is None else ours + self._ahead
