"""What plays something in its own thread, until it is closed or at its end."""

from __future__ import annotations

import abc
import threading
from collections.abc import Callable

from telexist.robots.base import RobotFeedback
from telexist.teleop.devices.base import Device, Mailbox, Worker
from telexist.teleop.terms import DeviceSample

__all__ = ["PlayedDevice"]


class PlayedDevice(Device, abc.ABC):
    """Opens, reads and closes for devices that play a recording."""

    def __init__(self, name: str) -> None:
        """Take the name of what is played, for messages."""
        self._name = name
        self._mailbox = Mailbox()
        self._worker = Worker(name, self._play, self._die)
        self._finished = False

    @property
    def name(self) -> str:
        """What is played, for messages."""
        return self._name

    @property
    def finished(self) -> bool:
        """Whether nothing more will come: it was played once, or cannot be read on."""
        return self._finished

    def open(self, wake: Callable[[], None]) -> None:
        """Begin to play."""
        if self._worker.running:
            return
        self._finished = False
        self._mailbox.open(wake)
        self._worker.start()

    def read(self) -> DeviceSample | None:
        """Return what is new since the last read, or None."""
        return self._mailbox.take()

    def show(self, feedback: RobotFeedback) -> None:
        """Show nothing."""
        del feedback  # nobody is there to see it

    def close(self) -> None:
        """Stop to play."""
        self._worker.stop()
        self._mailbox.close()

    def _die(self, reason: str) -> None:
        self._mailbox.lose(reason)
        self._finished = True

    @abc.abstractmethod
    def _play(self, stop: threading.Event) -> None:
        """Put every sample into the mailbox at its time, until told to stop."""
