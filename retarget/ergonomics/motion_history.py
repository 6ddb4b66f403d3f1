"""What a posture was during the last minute: held, repeated, or changed in a moment."""

from __future__ import annotations

from collections import deque

import numpy as np
from telexist.retarget.ergonomics.body_angles import BodyAngles
from telexist.retarget.ergonomics.settings import ErgonomicSettings
from telexist.retarget.so3 import Array

__all__ = ["MotionHistory"]

MINUTE = 60.0  # [s]
OFTEN = 4  # repetitions a minute, beyond which both publications count one more
PACE = 0.1  # [s] between two samples that are kept
MOMENT = 1.0  # [s] within which a change is rapid
_ARMS, _BODY = slice(0, 4), slice(4, 6)


class MotionHistory:
    """Keeps the angles of arms and body."""

    def __init__(self, settings: ErgonomicSettings) -> None:
        """Begin without a past."""
        self._settings = settings
        self._kept: deque[tuple[float, Array]] = deque()
        self._turned: list[deque[float]] = [deque() for _ in range(6)]
        self._edge = np.zeros(6)  # the last turning point, or the extreme since
        self._rising = np.zeros(6, dtype=int)
        self._began = 0.0

    def add(self, time: float, angles: BodyAngles) -> None:
        """Take a posture at a time [s]; more often than it matters is passed over."""
        values = np.array(
            [*angles.upper_arm, *angles.elbow, angles.trunk, angles.neck], dtype=float
        )
        if self._kept and time - self._kept[-1][0] < PACE:
            if time >= self._kept[-1][0]:
                return
            self.__init__(self._settings)  # type: ignore[misc]
        if not self._kept:
            self._edge, self._began = values.copy(), time
        self._kept.append((time, values))
        while self._kept[0][0] < time - MINUTE:
            self._kept.popleft()
        for k, value in enumerate(values):
            self._follow(k, float(value), time)

    def _follow(self, k: int, value: float, time: float) -> None:
        """Note where an angle turns round, after a way that counts."""
        way = self._settings.cycle_deg
        moved = value - self._edge[k]
        if self._rising[k] * moved > 0.0:
            self._edge[k] = value
        elif abs(moved) >= way:
            self._turned[k].append(time)
            self._rising[k] = 1 if moved > 0.0 else -1
            self._edge[k] = value
        turns = self._turned[k]
        while turns and turns[0] < time - MINUTE:
            turns.popleft()

    @property
    def repeated(self) -> tuple[bool, bool]:
        """Whether arms and body went to and fro more than four times in a minute."""
        cycles = [len(turns) // 2 for turns in self._turned]
        return max(cycles[_ARMS]) > OFTEN, max(cycles[_BODY]) > OFTEN

    @property
    def static(self) -> tuple[bool, bool]:
        """Whether arms and body were held for the last minute."""
        if not self._kept or self._kept[-1][0] - self._began < MINUTE:
            return False, False
        spread = np.ptp([values for _, values in self._kept], axis=0)
        still = spread <= self._settings.static_deg
        return bool(still[_ARMS].all()), bool(still[_BODY].all())

    @property
    def rapid(self) -> bool:
        """Whether the trunk has just changed much."""
        if not self._kept:
            return False
        since = self._kept[-1][0] - MOMENT
        lately = []
        for time, values in reversed(self._kept):
            if time < since:
                break
            lately.append(values[4])
        return bool(np.ptp(lately) > self._settings.rapid_deg)
