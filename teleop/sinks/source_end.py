"""Ends, or holds, a session whose recording is over."""

from __future__ import annotations

from collections.abc import Callable

from telexist.teleop.devices.base import Device
from telexist.teleop.terms import Request, State, Tick

__all__ = ["SourceEnd"]


class SourceEnd:
    """A sink that holds the robot once its source has nothing more to say.

    Only recordings that are played once come to an end.
    """

    def __init__(
        self,
        source: Device,
        ask: Callable[[Request], None],
        end: Callable[[], None] | None,
    ) -> None:
        """Prepare.

        Args:
            source: The one that shows the operator.
            ask: Takes requests.
            end: Ends the session once the robot has come to rest; None lets it go on.
        """
        self._source, self._ask, self._end = source, ask, end
        self._over = self._logged = False

    def put(self, tick: Tick) -> None:
        """Hold and end when the recording is over."""
        if self._logged or not self._source.finished:
            return
        if not self._over:  # its last sample is read in the turn to come
            self._over = True
            return
        self._logged = True
        if tick.state not in (State.HOLDING, State.STOPPED):
            self._ask(Request.HOLD)
        if self._end is not None:
            self._end()

    def close(self) -> None:
        """Do nothing: there is nothing to finish."""
