"""The events of a session, a line each, as they come."""

from __future__ import annotations

from teleop.tick import Tick

__all__ = ["EventLines"]


class EventLines:
    """Prints every event as it comes."""

    def put(self, tick: Tick) -> None:
        """Print the events of a tick."""
        for event in tick.events:
            print(f"[{event.state.value}] {event.kind}: {event.reason}", flush=True)

    def close(self) -> None:
        """Do nothing: there is nothing to finish."""
