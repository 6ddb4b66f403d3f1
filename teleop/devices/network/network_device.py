"""What all devices that listen to the network share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from telexist.robots.base import RobotFeedback
from telexist.teleop.devices.base import Device, Mailbox
from telexist.teleop.devices.network.packet_handler import PacketSource
from telexist.teleop.terms import DeviceSample, Provides

__all__ = ["NetworkDevice"]


class NetworkDevice(Device, ABC):
    """A person's motion from a socket; the newest sample counts, nothing queues up.

    A subclass is the source's `PacketHandler`: it turns messages into samples and puts
    them into `mailbox`.
    """

    def __init__(self) -> None:
        self.mailbox = Mailbox()
        self._source: PacketSource | None = None
        self._open = False

    @property
    @abstractmethod
    def name(self) -> str:
        """Short name for messages."""

    @property
    def provides(self) -> frozenset[Provides]:
        """A person."""
        return frozenset({Provides.HUMAN})

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]: six samples at 60 Hz."""
        return 0.1

    @property
    def port(self) -> int:
        """The port that is listened to; the real one once the device is open."""
        return self.source.port

    @property
    def source(self) -> PacketSource:
        """The socket's thread."""
        if self._source is None:
            self._source = self.make_source()
        return self._source

    @abstractmethod
    def make_source(self) -> PacketSource:
        """Return what listens, not yet open."""

    @abstractmethod
    def sender_changed(self) -> None:
        """Forget what the former sender said."""

    @abstractmethod
    def handle(self, data: bytes, stamp: float) -> None:
        """Take one message; see `PacketHandler`."""

    def open(self, wake: Callable[[], None]) -> None:
        """Start to listen.

        Raises:
            DeviceLost: If the port cannot be had.
        """
        if self._open:
            return
        self.sender_changed()
        self.mailbox.open(wake)
        self.source.open()
        self._open = True

    def read(self) -> DeviceSample | None:
        """Return what is new since the last read, or None."""
        return self.mailbox.take()

    def show(self, feedback: RobotFeedback) -> None:
        """Show nothing."""
        del feedback  # the stream goes one way

    def close(self) -> None:
        """Stop to listen."""
        if self._source is not None:
            self._source.close()
        self.mailbox.close()
        self._open = False
