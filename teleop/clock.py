"""The one clock of the program: seconds that only go forward."""

from __future__ import annotations

import time

__all__ = ["now", "sleep"]


def now() -> float:
    """Return the time of the host's monotonic clock [s]."""
    return time.perf_counter()


def sleep(duration: float) -> None:
    """Wait for `duration` [s]."""
    time.sleep(duration)
