"""What the recorder's thread has to say, told by the loop's thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from telexist.teleop.terms import Tick

__all__ = ["RecorderEvents"]


class RecorderEvents:
    """A sink that hands the recorder's reports to the session in the next turn."""

    def __init__(self, note: Callable[[str, str, float], None]) -> None:
        """Take who is told: kind, reason, time [s]."""
        self._note = note
        self._waiting: deque[tuple[str, str]] = deque(maxlen=100)

    def report(self, kind: str, reason: str) -> None:
        """Take a report, from any thread; returns at once."""
        self._waiting.append((kind, reason))

    def put(self, tick: Tick) -> None:
        """Tell what waits."""
        while self._waiting:
            kind, reason = self._waiting.popleft()
            self._note(kind, reason, tick.stamp)

    def close(self) -> None:
        """Do nothing: there is nothing to finish."""
