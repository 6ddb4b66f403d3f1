"""The one clock of the program: seconds that only go forward."""

from __future__ import annotations

import time

__all__ = ["date_text", "now", "sleep", "wall_time"]


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
