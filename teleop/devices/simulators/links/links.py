"""Where simulators send to: UDP datagrams, or a TCP connection that is renewed."""

from __future__ import annotations

import socket
from typing import Protocol

from telexist.retarget.errors import BadInput, DeviceLost
from telexist.teleop import clock

__all__ = ["SenderLink", "TcpLink", "UdpLink", "parse_address"]

_PATIENCE = 0.5  # [s] to connect, and between two attempts


class SenderLink(Protocol):
    """One direction to one receiver."""

    def send(self, packet: bytes) -> None:
        """Send a packet; what cannot be delivered is lost."""

    def close(self) -> None:
        """Close; may be called twice."""


def parse_address(text: str) -> tuple[str, int]:
    """Read "HOST:PORT".

    Raises:
        BadInput: If it is not.
    """
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 <= int(port) < 65536:
        raise BadInput(f"address '{text}': expected HOST:PORT, such as 127.0.0.1:9763")
    return host, int(port)


class UdpLink:
    """Sends datagrams."""

    def __init__(self, address: tuple[str, int]) -> None:
        """Take the receiver's host and port."""
        self._address = address
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def send(self, packet: bytes) -> None:
        """Send a datagram; nobody may be listening.

        Raises:
            DeviceLost: If the host's name means nothing.
        """
        try:
            self._socket.sendto(packet, self._address)
        except socket.gaierror as error:
            raise DeviceLost(f"no host called '{self._address[0]}'") from error
        except OSError:
            return  # refused by the other side, or the network is down: lost

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


class TcpLink:
    """Connects as MVN does, and again whenever the connection has ended."""

    def __init__(self, address: tuple[str, int]) -> None:
        """Take the receiver's host and port."""
        self._address = address
        self._socket: socket.socket | None = None
        self._tried = -_PATIENCE

    def send(self, packet: bytes) -> None:
        """Send on the connection; lost while there is none."""
        connection = self._connected()
        if connection is None:
            return
        try:
            connection.sendall(packet)
        except OSError:
            self.close()

    def close(self) -> None:
        """Close the connection."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _connected(self) -> socket.socket | None:
        now = clock.now()
        if self._socket is None and now - self._tried >= _PATIENCE:
            self._tried = now
            try:
                self._socket = socket.create_connection(self._address, _PATIENCE)
            except OSError:
                return None
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._socket
