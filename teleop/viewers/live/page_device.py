"""The page's buttons as an input device."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from telexist.retarget.errors import DeviceLost
from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base import Device, DeviceTraits
from telexist.teleop.terms import DeviceSample, Provides, Request

__all__ = ["PageDevice"]

MAX_WAITING = 64  # presses of buttons; more in one turn of the loop are no person's


class PageDevice(Device):
    """Hands the page's requests to the loop, in order."""

    def __init__(self, name: str = "page", *, program: bool = False) -> None:
        """Take a name for messages, and whether a program asks through it."""
        self._name, self._program = name, program
        self._waiting: deque[Request] = deque()
        self._lock = threading.Lock()
        self._wake: Callable[[], None] = _nobody
        self._sequence = 0
        self._lost = ""

    @property
    def name(self) -> str:
        """Short name for messages."""
        return self._name

    @property
    def provides(self) -> frozenset[Provides]:
        """What it gives."""
        return frozenset({Provides.REQUESTS})

    @property
    def traits(self) -> DeviceTraits:
        """What is special about it."""
        return DeviceTraits(program=self._program)

    @property
    def deadline(self) -> float:
        """Buttons are never stale [s]."""
        return float("inf")

    def open(self, wake: Callable[[], None]) -> None:
        """Start to pass requests on; `wake` is called at each."""
        self._wake = wake

    def push(self, request: Request) -> None:
        """Take a request; from the thread that listens to the page."""
        with self._lock:
            full = len(self._waiting) >= MAX_WAITING
            if full and request is not Request.STOP:
                return
            if full:
                self._waiting.clear()  # nothing that waits matters more than a stop
            self._waiting.append(request)
        self._wake()

    def lose(self, reason: str) -> None:
        """Say that nobody can press anything any more, and what to do."""
        self._lost = reason
        self._wake()

    def find(self) -> None:
        """Say that people can press again."""
        self._lost = ""

    @property
    def lost(self) -> str:
        """Why nobody can press anything; "" if somebody can."""
        return self._lost

    def read(self) -> DeviceSample | None:
        """Return what was asked for since the last read, or None; never blocks.

        Raises:
            DeviceLost: While nobody can press, once all that was asked was taken.
        """
        if not self._waiting:
            if self._lost:
                raise DeviceLost(self._lost)
            return None
        with self._lock:
            requests = tuple(self._waiting)
            self._waiting.clear()
        self._sequence += 1
        return DeviceSample(
            stamp=clock.now(), sequence=self._sequence, requests=requests
        )

    def show(self, feedback: RobotFeedback) -> None:
        """Do nothing: pictures reach the page through its sink."""

    def close(self) -> None:
        """Stop to pass requests on; may be called twice."""
        self._wake = _nobody


def _nobody() -> None:
    """Wake nobody."""
