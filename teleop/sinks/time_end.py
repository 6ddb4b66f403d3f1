"""Ends a session when its time is over, with the robot at rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from telexist.teleop.terms import Request, State, Tick

__all__ = ["TimeEnd"]

AT_REST = (State.IDLE, State.CALIBRATED)


class _End(Protocol):
    def __call__(self, after: float | None = None) -> None:
        """End within `after` [s]; None: when the joints have come to rest."""


class TimeEnd:
    """A sink that holds the robot after some time, and ends the session then."""

    def __init__(
        self, duration: float, ask: Callable[[Request], None], end: _End
    ) -> None:
        """Prepare.

        Args:
            duration: From the first turn [s].
            ask: Takes requests.
            end: Ends the session.
        """
        self._duration, self._ask, self._end = duration, ask, end
        self._due: float | None = None
        self._logged = False

    def put(self, tick: Tick) -> None:
        """Hold and end when it is time."""
        if self._due is None:
            self._due = tick.stamp + self._duration
        if self._logged or tick.stamp < self._due:
            return
        self._logged = True
        if tick.state in (State.ENGAGING, State.ACTIVE):
            self._ask(Request.HOLD)
        self._end(0.0 if tick.state in AT_REST else None)

    def close(self) -> None:
        """Do nothing: there is nothing to finish."""
