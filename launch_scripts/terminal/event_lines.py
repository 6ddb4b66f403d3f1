"""The events of a session on the terminal."""

from __future__ import annotations

from telexist.teleop.terms import Tick

__all__ = ["EventLines"]


class EventLines:
    """Prints every event as it comes, with the seconds since the session began."""

    def __init__(self) -> None:
        """Begin with the first tick."""
        self._began: float | None = None

    def put(self, tick: Tick) -> None:
        """Print the events of a tick."""
        if self._began is None:
            self._began = tick.stamp
        for event in tick.events:
            seconds = max(event.stamp - self._began, 0.0)
            line = f"[{event.state.value}] {event.kind}: {event.reason}"
            print(f"{seconds:8.3f} s  {line}", flush=True)

    def close(self) -> None:
        """Do nothing: there is nothing to finish."""
