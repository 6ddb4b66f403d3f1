"""Where a clip is being watched: a time that moves while playing."""

from __future__ import annotations

import threading

__all__ = ["SPEEDS", "Playback"]

SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)  # [1] times real time


class Playback:
    """A time between 0 and a duration; safe to use from several threads.

    At the end it starts again from 0.
    """

    def __init__(self, duration: float) -> None:
        """Start at 0, paused, at real speed; `duration` in [s]."""
        self.duration = max(duration, 0.0)
        self._lock = threading.Lock()
        self._time, self._playing, self._speed = 0.0, False, 1.0

    @property
    def time(self) -> float:
        """Time shown [s]."""
        return self._time

    @property
    def playing(self) -> bool:
        """Whether time moves."""
        return self._playing

    def toggle(self) -> bool:
        """Play or pause; return whether it plays now."""
        with self._lock:
            self._playing = not self._playing
            return self._playing

    def seek(self, time: float) -> None:
        """Go to a time [s], kept inside the clip."""
        with self._lock:
            self._time = min(max(time, 0.0), self.duration)

    def set_speed(self, speed: float) -> None:
        """Play at `speed` times real time."""
        with self._lock:
            self._speed = speed

    def advance(self, dt: float) -> float:
        """Let `dt` [s] pass and return the time shown [s]."""
        with self._lock:
            if self._playing and self.duration > 0.0:
                self._time = (self._time + self._speed * dt) % self.duration
            return self._time
