"""The way of the robot's pictures: captured, sent, on the page, decoded, drawn."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

__all__ = ["STAGES", "PictureTimes"]

STAGES = ("render", "way", "decode", "draw")
"""Capture to sent, to the page, to decoded there, to drawn in the headset."""
MOST = 2000  # pictures that are remembered
LONGEST = 60.0  # [s] of a stage that tells anything


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureTimes:
    """How old pictures were when they were drawn; any thread may read and write.

    Attributes:
        ways: Durations of the stages of each picture [s].
    """

    ways: deque[tuple[float, ...]]
    lock: threading.Lock

    @classmethod
    def new(cls) -> PictureTimes:
        """Return one without pictures."""
        return cls(ways=deque(maxlen=MOST), lock=threading.Lock())

    def add(self, times: tuple[float, ...]) -> None:
        """Take when a picture was captured, sent, got, decoded and drawn [s]."""
        stages = tuple(b - a for a, b in zip(times, times[1:], strict=False))
        if len(stages) == len(STAGES) and max(map(abs, stages)) <= LONGEST:
            with self.lock:
                self.ways.append(stages)

    def summary(self) -> Mapping[str, float]:
        """Return count, and p50 and p99 of the whole way and each stage [s]."""
        with self.lock:
            ways = np.array(self.ways).reshape(-1, len(STAGES))
        found = {"count": float(len(ways))}
        if not len(ways):
            return found
        for name, times in (
            ("whole", ways.sum(axis=1)),
            *zip(STAGES, ways.T, strict=True),
        ):
            found[f"{name} p50"] = float(np.quantile(times, 0.5))
            found[f"{name} p99"] = float(np.quantile(times, 0.99))
        return found
