"""What loop and watchdog tell each other, in memory that they share."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

__all__ = ["Heartbeats"]

_LOOP, _WATCHDOG, _CATEGORY, _END = range(4)


class Heartbeats:
    """When each was alive last [s], 0 before; readable by both at any time."""

    def __init__(self, context: Any) -> None:
        """Make room, in a context of `multiprocessing`."""
        self._raw = context.RawArray(ctypes.c_double, 4)
        self._values = np.frombuffer(self._raw, dtype=np.float64)

    def __getstate__(self) -> Any:
        """Return what another process needs."""
        return self._raw

    def __setstate__(self, raw: Any) -> None:
        """Look at the same memory in another process."""
        self._raw = raw
        self._values = np.frombuffer(raw, dtype=np.float64)

    @property
    def loop(self) -> float:
        """When the loop turned last [s]."""
        return float(self._values[_LOOP])

    @loop.setter
    def loop(self, now: float) -> None:
        self._values[_LOOP] = now

    @property
    def watchdog(self) -> float:
        """When the watchdog looked last [s]."""
        return float(self._values[_WATCHDOG])

    @watchdog.setter
    def watchdog(self, now: float) -> None:
        self._values[_WATCHDOG] = now

    @property
    def standing(self) -> bool:
        """Whether the watchdog can keep the robot on its feet."""
        return bool(self._values[_CATEGORY])

    @standing.setter
    def standing(self, ready: bool) -> None:
        self._values[_CATEGORY] = ready

    @property
    def ended(self) -> bool:
        """Whether the session has ended in order."""
        return bool(self._values[_END])

    def end(self) -> None:
        """Let the watchdog end: the robot has been let go."""
        self._values[_END] = 1.0
