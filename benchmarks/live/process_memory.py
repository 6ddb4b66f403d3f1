"""How much memory this process and its children hold; Linux."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
from telexist.teleop import clock

__all__ = ["MemoryWatch", "resident_mb"]

_PERIOD = 1.0  # [s] between two looks
_PROC = Path("/proc")


def resident_mb(process: int, without: int = 0) -> float:
    """Return the resident memory of a process and its descendants [MB].

    Args:
        process: Its number.
        without: A descendant that does not count, with all of its own.
    """
    if process == without:
        return 0.0
    try:
        pages = int((_PROC / str(process) / "statm").read_text().split()[1])
        shared = int((_PROC / str(process) / "statm").read_text().split()[2])
        children = [
            int(child)
            for task in (_PROC / str(process) / "task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except (OSError, ValueError, IndexError):  # it has just ended
        return 0.0
    own = (pages - shared) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return own + sum(resident_mb(child, without) for child in children)


class MemoryWatch:
    """Looks once a second, in a thread of its own."""

    def __init__(self) -> None:
        """Prepare; nothing is looked at yet."""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._without = 0
        self._times: list[float] = []
        self._found: list[float] = []

    def start(self, without: int = 0) -> None:
        """Begin; a child process may be left out."""
        self._without = without
        self._thread.start()

    def stop(self) -> None:
        """End; may be called twice."""
        self._stop.set()
        self._thread.join()

    def every(self, seconds: float) -> list[float]:
        """Return what was found, once in so many seconds [MB]."""
        return [round(value, 2) for value in self._found[:: max(1, round(seconds))]]

    def growth_mb(self, since: float) -> float:
        """Return the growth from a time [s] to the end, five looks averaged [MB]."""
        times, found = np.array(self._times), np.array(self._found)
        first = found[times >= since][:5]
        return float(np.median(found[-6:-1]) - np.median(first))

    def _look(self) -> None:
        began = clock.now()
        while not self._stop.wait(_PERIOD):
            self._times.append(clock.now() - began)
            self._found.append(resident_mb(os.getpid(), self._without))
