"""A session shown again: its turns handed to a sink when they are due."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from telexist.teleop import clock
from telexist.teleop.terms import Tick, TickSink

__all__ = ["play_ticks"]

LONGEST_GAP = 2.0  # [s] a pause in a session, or a damaged time, is cut to this


def play_ticks(ticks: Iterable[Tick], sink: TickSink, speed: float = 1.0) -> int:
    """Give turns to a sink in their own time; return how many there were.

    Args:
        ticks: In order.
        sink: Who wants them.
        speed: 2 plays twice as fast.
    """
    due, last, count = clock.now(), None, 0
    for tick in ticks:
        gap = 0.0 if last is None else tick.stamp - last
        if np.isfinite(tick.stamp):
            last = tick.stamp
            due += min(max(gap, 0.0), LONGEST_GAP) / speed
        wait = due - clock.now()
        if wait > 0.0:
            clock.sleep(wait)
        sink.put(tick)
        count += 1
    return count
