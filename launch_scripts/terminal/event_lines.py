"""The events of a session on the terminal."""

from __future__ import annotations

from collections.abc import Callable

from telexist.retarget.printable import printable
from telexist.teleop.terms import Tick

__all__ = ["EventLines"]


class EventLines:
    """Says every event as it comes, with the seconds since the session began."""

    def __init__(self, say: Callable[[str], None]) -> None:
        """Begin with the first tick; `say` takes a line and returns at once."""
        self._say = say
        self._began: float | None = None

    def put(self, tick: Tick) -> None:
        """Say the events of a tick."""
        if self._began is None:
            self._began = tick.stamp
        for event in tick.events:
            seconds = max(event.stamp - self._began, 0.0)
            line = f"[{event.state.value}] {event.kind}: {event.reason}"
            self._say(f"{seconds:8.3f} s  {printable(line)}")

    def close(self) -> None:
        """Do nothing: there is nothing to finish."""
