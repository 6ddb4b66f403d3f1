"""What a socket's thread hands over, whatever the protocol."""

from __future__ import annotations

from typing import Protocol

__all__ = ["PacketHandler", "PacketSource"]


class PacketHandler(Protocol):
    """Takes the messages of one sender in the order of their arrival."""

    def handle(self, data: bytes, stamp: float) -> None:
        """Take one message.

        Args:
            data: A datagram, or one message of a stream.
            stamp: When it arrived [s].

        Raises:
            Refused: If it must not be used; it is counted.
        """

    def sender_changed(self) -> None:
        """Forget what the former sender said: another one has taken over."""


class PacketSource(Protocol):
    """Something that listens to the network in a thread of its own."""

    @property
    def port(self) -> int:
        """The port that is listened to; known once it is open."""

    def open(self) -> None:
        """Start to listen; may be called twice.

        Raises:
            DeviceLost: If the port cannot be had.
        """

    def close(self) -> None:
        """Stop to listen; may be called twice."""
