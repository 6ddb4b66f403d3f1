"""The one clock of the program: seconds that only go forward."""

from __future__ import annotations

import threading
import time

__all__ = ["Waker", "date_text", "now", "sleep", "wall_time"]


def now() -> float:
    """Return the time of the host's monotonic clock [s]."""
    return time.perf_counter()


def sleep(duration: float) -> None:
    """Wait for `duration` [s]."""
    time.sleep(duration)


def wall_time() -> float:
    """Return the date and time as seconds since 1970, UTC; it may jump."""
    return time.time()


def date_text(seconds: float, form: str = "%Y-%m-%d %H:%M:%S") -> str:
    """Return a `wall_time` as text, UTC."""
    return time.strftime(form, time.gmtime(seconds))


class Waker:
    """Lets the loop sleep until its next turn, or until somebody wakes it."""

    def __init__(self) -> None:
        """Start awake of nothing."""
        self._event = threading.Event()

    def wake(self) -> None:
        """Wake the loop; any thread may call this, and it returns at once."""
        self._event.set()

    def clear(self) -> None:
        """Forget earlier calls: what they were about is being read now."""
        self._event.clear()

    def wait(self, until: float) -> None:
        """Sleep until a time [s], or until woken."""
        left = until - now()
        if left > 0.0:
            self._event.wait(left)
