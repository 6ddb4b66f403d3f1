"""The keyboard of the terminal: enough to try everything with a laptop alone.

A terminal tells when a key is typed, not when it is let go. A walking key therefore
counts for as long as the terminal repeats it, and a little longer.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import IO, Any

from telexist.robots.base import HandCommand, RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base import Device, Mailbox, Worker
from telexist.teleop.devices.keyboard.keys import HANDS, KEYS, REQUESTS, WALK, KeyParser
from telexist.teleop.devices.keyboard.terminal import Terminal, open_terminal
from telexist.teleop.devices.walk import WalkLimits, WalkRamp
from telexist.teleop.terms import DeviceSample, Provides, WalkCommand

__all__ = ["Keyboard"]

logger = logging.getLogger(__name__)

_PERIOD = 0.02  # [s] between two samples
_FIRST_HOLD = 0.6  # [s] a key counts at first: terminals wait before they repeat
_REPEAT_HOLD = 0.2  # [s] a key counts once it repeats
_HAND_SPEED = 2.0  # of the way from open to closed, in a second


class Keyboard(Device):
    """Walking, hands and requests from the keys of a terminal; see `KEYS`."""

    def __init__(
        self, *, walk: WalkLimits | None = None, stream: IO[Any] | None = None
    ) -> None:
        """Take the speeds and the terminal; by default that of the standard input."""
        self._stream = stream
        self._mailbox = Mailbox()
        self._worker = Worker(self.name, self._work, self._mailbox.lose)
        self._ramp = WalkRamp(walk if walk is not None else WalkLimits())
        self._keys = KeyParser()
        self._terminal: Terminal | None = None
        self._until: dict[str, float] = {}
        self._hands = self._hands_target = 0.0
        self._sequence = 0

    @property
    def name(self) -> str:
        """Short name for messages."""
        return "keyboard"

    @property
    def manual(self) -> str:
        """Which key does what."""
        return KEYS

    @property
    def provides(self) -> frozenset[Provides]:
        """Walking, hands and requests."""
        return frozenset({Provides.WALK, Provides.HANDS, Provides.REQUESTS})

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]."""
        return 0.2

    def open(self, wake: Callable[[], None]) -> None:
        """Take over the terminal.

        Raises:
            DeviceLost: If there is none.
        """
        if self._worker.running:
            return
        self.close()
        self._terminal = open_terminal(self._stream)
        self._mailbox.open(wake)
        self._until.clear()
        self._ramp.reset()
        self._worker.start()

    def read(self) -> DeviceSample | None:
        """Return what is new since the last read, or None."""
        return self._mailbox.take()

    def show(self, feedback: RobotFeedback) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Give the terminal back."""
        self._worker.stop()
        self._mailbox.close()
        terminal, self._terminal = self._terminal, None
        if terminal is not None:
            terminal.restore()

    def _work(self, stop: threading.Event) -> None:
        terminal, last = self._terminal, clock.now()
        if terminal is None:
            return
        try:
            while not stop.is_set():
                data = terminal.read(_PERIOD)
                if data is None:
                    break
                now = clock.now()
                self._send(self._keys.feed(data), now, now - last)
                last = now
        finally:
            terminal.restore()
        if not stop.is_set():
            self._stay_gone(stop)

    def _send(self, keys: list[str], now: float, dt: float) -> None:
        for key in keys:
            self._press(key, now)
        change = _HAND_SPEED * dt
        self._hands += min(max(self._hands_target - self._hands, -change), change)
        requests = tuple(REQUESTS[key] for key in keys if key in REQUESTS)
        sample = DeviceSample(
            stamp=now,
            sequence=self._sequence,
            walk=self._walk(now, dt),
            hands=HandCommand(left=self._hands, right=self._hands),
            requests=requests,
        )
        self._sequence += 1
        (self._mailbox.put if requests else self._mailbox.leave)(sample)

    def _press(self, key: str, now: float) -> None:
        if key in WALK:
            until = self._until.get(key, now)
            hold = _REPEAT_HOLD if until > now else _FIRST_HOLD
            self._until[key] = max(until, now + hold)
            against = tuple(-x for x in WALK[key])
            for other in [k for k in self._until if WALK[k] == against]:
                del self._until[other]
        elif key in HANDS:
            self._hands_target = HANDS[key]
        else:
            self._until.clear()  # whoever asks for something no longer walks

    def _walk(self, now: float, dt: float) -> WalkCommand:
        held = [WALK[key] for key, until in self._until.items() if until > now]
        forward, side, turn = (
            sum(axis) for axis in zip(*held, (0.0,) * 3, strict=True)
        )
        return self._ramp.step(forward, side, turn, dt)

    def _stay_gone(self, stop: threading.Event) -> None:
        """Say that the terminal is gone until told to stop."""
        logger.warning("keyboard: its terminal was closed")
        self._mailbox.drop(clock.now(), "unplugged")
        while True:
            self._mailbox.put(
                DeviceSample(stamp=clock.now(), walk=WalkCommand(), dead_man=False)
            )
            if stop.wait(_PERIOD):
                return
