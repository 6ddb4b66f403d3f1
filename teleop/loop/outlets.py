"""Where the loop's ticks go: to sinks, of which none may hold up or end the loop."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from telexist.teleop.terms import Fault, Tick, TickSink

__all__ = ["Outlets"]

_log = logging.getLogger(__name__)


class Outlets:
    """Gives every tick to all sinks; one that fails is left out from then on.

    Attributes:
        sinks: Those that still take ticks.
    """

    def __init__(self, sinks: Sequence[TickSink], fault: Callable[..., None]) -> None:
        """Take the sinks, and who is told kind, reason and time [s] of a failure."""
        self.sinks = tuple(sinks)
        self._fault = fault

    def put(self, tick: Tick) -> None:
        """Give a tick to all."""
        for sink in self.sinks:
            try:
                sink.put(tick)
            except Exception as error:
                _log.exception("%s failed", type(sink).__name__)
                self.sinks = tuple(kept for kept in self.sinks if kept is not sink)
                reason = f"{type(sink).__name__}: {type(error).__name__}: {error}"
                self._fault(Fault.OUTLET_LOST, reason, tick.stamp)
