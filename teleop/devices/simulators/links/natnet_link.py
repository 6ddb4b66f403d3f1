"""A server of NatNet: answers who asks, and sends frames to those who have."""

from __future__ import annotations

import contextlib
import socket

from telexist.teleop import clock
from telexist.teleop.devices.base import RefusedMessage
from telexist.teleop.devices.network import listening_socket
from telexist.teleop.devices.optitrack import (
    NATNET_GROUP,
    NATNET_PORTS,
    Message,
    message_of,
)

__all__ = ["NatNetLink"]

FORGET = 5.0  # [s] after which one who says nothing gets no more
_LONGEST = 2048  # [bytes] of a question
_ANSWERS = {
    Message.CONNECT: Message.SERVERINFO,
    Message.REQUEST_MODELDEF: Message.MODELDEF,
}


class NatNetLink:
    """Keeps what introduces the server and gives it to those who ask.

    Attributes:
        port: The command port.
    """

    def __init__(
        self, address: tuple[str, int], *, group: tuple[str, int] | None = None
    ) -> None:
        """Listen on the command port.

        Args:
            address: Host and port to listen on.
            group: Multicast group to send frames to; None sends to those who asked.

        Raises:
            DeviceLost: If the port cannot be had.
        """
        self._socket = listening_socket(socket.SOCK_DGRAM, *address)
        self._socket.setblocking(False)
        self.port: int = self._socket.getsockname()[1]
        self._group = group
        if group is not None:
            here = socket.inet_aton(address[0])
            self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, here)
        self._kept: dict[int, bytes] = {}
        self._heard: dict[tuple[str, int], float] = {}

    @classmethod
    def to_group(cls, address: tuple[str, int]) -> NatNetLink:
        """Listen, and send frames to the usual multicast group."""
        return cls(address, group=(NATNET_GROUP, NATNET_PORTS[1]))

    def send(self, packet: bytes) -> None:
        """Send a frame to all who want it; keep what introduces the server."""
        self._answer()
        kind = packet[0] | packet[1] << 8 if len(packet) > 1 else -1
        if kind in _ANSWERS.values():
            self._kept[kind] = packet
            return
        now = clock.now()
        near = [a for a, heard in self._heard.items() if now - heard < FORGET]
        for address in near if self._group is None else [self._group]:
            with contextlib.suppress(OSError):
                self._socket.sendto(packet, address)

    def close(self) -> None:
        """Close the port."""
        self._socket.close()

    def _answer(self) -> None:
        while True:
            try:
                data, address = self._socket.recvfrom(_LONGEST)
                kind, _ = message_of(data)
            except (BlockingIOError, ConnectionError):
                return
            except OSError:  # closed
                return
            except RefusedMessage:
                continue
            self._heard[address] = clock.now()
            answer = self._kept.get(_ANSWERS.get(kind, -1))  # type: ignore[call-overload]
            if answer is not None:
                with contextlib.suppress(OSError):
                    self._socket.sendto(answer, address)
