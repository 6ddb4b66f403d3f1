"""The one clock of the program: seconds that only go forward."""

from __future__ import annotations

import contextlib
import datetime
import threading
import time

__all__ = ["Waker", "date", "date_text", "now", "sleep", "wall_time"]


def now() -> float:
    """Return the time of the host's monotonic clock [s]."""
    return time.perf_counter()


def sleep(duration: float) -> None:
    """Wait for `duration` [s]."""
    time.sleep(duration)


def wall_time() -> float:
    """Return the date and time as seconds since 1970, UTC; it may jump."""
    return time.time()


def date(seconds: float) -> datetime.datetime:
    """Return a `wall_time` as a date, UTC."""
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)


def date_text(seconds: float, form: str = "%Y-%m-%d %H:%M:%S") -> str:
    """Return a `wall_time` as text, UTC."""
    return time.strftime(form, time.gmtime(seconds))


class Waker:
    """Lets the loop sleep until its next turn, or until somebody wakes it.

    A lock that is free from the call until the loop hears it: one hand-over between
    two threads, where an event takes two.
    """

    def __init__(self) -> None:
        """Start awake of nothing."""
        self._quiet = threading.Lock()
        self._quiet.acquire()

    def wake(self) -> None:
        """Wake the loop; any thread may call this, and it returns at once."""
        with contextlib.suppress(RuntimeError):  # it was woken already
            self._quiet.release()

    def clear(self) -> None:
        """Forget earlier calls: what they were about is being read now."""
        self._quiet.acquire(blocking=False)

    def wait(self, until: float) -> None:
        """Sleep until a time [s], or until woken; not at all if woken already."""
        left = until - now()
        if left > 0.0:
            self._quiet.acquire(timeout=left)
