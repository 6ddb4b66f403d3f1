"""A treadmill on a cable: a thread that reads bytes, and keeps the device awake.

What differs between makes is the port (`BytePort`) and the frames (`FrameDecoder`).
An unplugged treadmill is lost, so that its last speed is never taken for a new one; it
is looked for again every second.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from telexist.retarget.errors import DeviceLost
from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base import Device, Mailbox, Worker
from telexist.teleop.terms import DeviceSample, Provides, Treadmill

__all__ = ["BytePort", "FrameDecoder", "TreadmillOnPort"]

logger = logging.getLogger(__name__)

_PATIENCE = 0.1  # [s] of one wait for bytes
_SEARCH_PERIOD = 1.0  # [s] between two looks for an unplugged treadmill


class BytePort(Protocol):
    """An open cable."""

    def read(self, timeout: float) -> bytes:
        """Return what has come, at most after `timeout` [s]; OSError if it is gone."""

    def write(self, data: bytes) -> None:
        """Send; OSError if it is gone."""

    def close(self) -> None:
        """Let go; may be called twice."""


class FrameDecoder(Protocol):
    """Finds samples in bytes; never raises, whatever they are."""

    def feed(self, data: bytes, stamp: float) -> Sequence[Treadmill]:
        """Return the samples that are complete with these bytes."""

    def due(self, now: float) -> Sequence[bytes]:
        """Return what must be sent now to start the device or keep it awake."""

    def farewell(self) -> Sequence[bytes]:
        """Return what must be sent at the end, so that the device goes to sleep."""

    def take_dropped(self) -> Sequence[tuple[str, int]]:
        """Return what was refused since the last call, counted by reason."""

    def reset(self) -> None:
        """Forget everything: the device was plugged in anew."""


class TreadmillOnPort(Device):
    """A treadmill on a cable, as a device."""

    def __init__(
        self, name: str, connect: Callable[[], BytePort], decoder: FrameDecoder
    ) -> None:
        """Take a name, how to open the port and how to read its bytes."""
        self._name = name
        self._connect = connect
        self._decoder = decoder
        self._mailbox = Mailbox()
        self._worker = Worker(name, self._work, self._mailbox.lose)
        self._port: BytePort | None = None
        self._sequence = 0

    @property
    def name(self) -> str:
        """Short name for messages."""
        return self._name

    @property
    def provides(self) -> frozenset[Provides]:
        """A treadmill."""
        return frozenset({Provides.TREADMILL})

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]."""
        return 0.2

    def open(self, wake: Callable[[], None]) -> None:
        """Find the treadmill and begin to read it.

        Raises:
            DeviceLost: If it is not there.
            MissingDependency: If a library is absent.
        """
        if self._worker.running:
            return
        self.close()
        self._port = self._connect()
        self._decoder.reset()
        self._mailbox.open(wake)
        self._worker.start()

    def read(self) -> DeviceSample | None:
        """Return what is new since the last read, or None.

        Raises:
            DeviceLost: While it is unplugged.
        """
        return self._mailbox.take()

    def show(self, feedback: RobotFeedback) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Let the treadmill go."""
        self._worker.stop()
        self._mailbox.close()
        if self._port is not None:
            with contextlib.suppress(OSError):  # it may be gone already
                for message in self._decoder.farewell():
                    self._port.write(message)
        self._close_port()

    def _close_port(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            port.close()

    def _work(self, stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                if self._port is None:
                    self._port = self._connect()
                    self._decoder.reset()
                    logger.info("%s: is back", self._name)
                self._exchange(self._port)
            except DeviceLost:
                stop.wait(_SEARCH_PERIOD)
            except OSError as error:
                logger.warning("%s: was unplugged: %s", self._name, error)
                self._mailbox.lose(f"was unplugged ({error}): plug it in again")
                self._close_port()

    def _exchange(self, port: BytePort) -> None:
        for message in self._decoder.due(clock.now()):
            port.write(message)
        data = port.read(_PATIENCE)
        stamp = clock.now()
        for treadmill in self._decoder.feed(data, stamp) if data else ():
            self._mailbox.put(
                DeviceSample(stamp=stamp, sequence=self._sequence, treadmill=treadmill)
            )
            self._sequence += 1
        for reason, count in self._decoder.take_dropped():
            self._mailbox.drop(stamp, reason, count)
