"""A proxy between a real source and the program that makes faults on the way."""

from __future__ import annotations

import abc
import socket
import threading

from telexist.teleop import clock
from telexist.teleop.devices.base import RefusedMessage, Worker
from telexist.teleop.devices.network import LOOPBACK, listening_socket
from telexist.teleop.devices.simulators.faults import FaultLine, FaultPlan
from telexist.teleop.devices.simulators.links.links import TcpLink, UdpLink
from telexist.teleop.devices.xsens import message_length

__all__ = ["TcpFaultProxy", "UdpFaultProxy"]

_PATIENCE = 0.1  # [s] between two looks at whether to stop
_LEAST = 0.0005  # [s] to wait for a packet: zero would not wait at all
_MAX_PACKET = 65536  # [bytes]


class _Proxy(abc.ABC):
    """What both proxies share: the thread and the port."""

    def __init__(
        self, kind: socket.SocketKind, listen: tuple[str, int], line: FaultLine
    ) -> None:
        """Listen at once.

        Raises:
            DeviceLost: If the port cannot be had.
        """
        self._line = line
        self._socket = listening_socket(kind, *listen)
        self._worker = Worker(f"fault proxy on port {self.port}", self.run)

    @property
    def port(self) -> int:
        """The port that is listened to."""
        port: int = self._socket.getsockname()[1]
        return port

    def change(self, plan: FaultPlan) -> None:
        """Let other things go wrong from now on; any thread may call this."""
        self._line.change(plan)

    def start(self) -> None:
        """Work in a thread of its own."""
        self._worker.start()

    def stop(self) -> None:
        """Stop and close the port."""
        self._worker.stop()
        self._socket.close()

    @abc.abstractmethod
    def run(self, stop: threading.Event) -> None:
        """Work until told to stop."""


def _time_to_wait(line: FaultLine) -> float:
    """Return how long to wait for the next packet [s]."""
    arrival = line.next_arrival()
    if arrival is None:
        return _PATIENCE
    return min(max(arrival - clock.now(), _LEAST), _PATIENCE)


class UdpFaultProxy(_Proxy):
    """Passes datagrams on, from one port so that the receiver sees one sender."""

    def __init__(
        self,
        to: tuple[str, int],
        plan: FaultPlan,
        *,
        listen: tuple[str, int] = (LOOPBACK, 0),
        seed: int = 0,
    ) -> None:
        """Take where to listen, where to send and what goes wrong.

        Raises:
            DeviceLost: If the port cannot be had.
        """
        super().__init__(socket.SOCK_DGRAM, listen, FaultLine(plan, seed=seed))
        self._link = UdpLink(to)

    def run(self, stop: threading.Event) -> None:
        """Pass on until told to stop."""
        while not stop.is_set():
            self._socket.settimeout(_time_to_wait(self._line))
            try:
                packet = self._socket.recv(_MAX_PACKET)
                self._line.push(packet, clock.now())
            except TimeoutError:
                pass
            except OSError:
                return
            for packet in self._line.due(clock.now()):
                self._link.send(packet)
        self._link.close()


class TcpFaultProxy(_Proxy):
    """Passes MVN's messages on, one connection at a time.

    Messages are spoiled one by one; a truncated one ends the rhythm of the stream, as
    it would on a real line that is cut.
    """

    def __init__(
        self,
        to: tuple[str, int],
        plan: FaultPlan,
        *,
        listen: tuple[str, int] = (LOOPBACK, 0),
        seed: int = 0,
    ) -> None:
        """Take where to listen, where to send and what goes wrong.

        Raises:
            DeviceLost: If the port cannot be had.
        """
        super().__init__(socket.SOCK_STREAM, listen, FaultLine(plan, seed=seed))
        self._to = to

    def run(self, stop: threading.Event) -> None:
        """Pass on until told to stop."""
        while not stop.is_set():
            self._socket.settimeout(_PATIENCE)
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            with connection:
                self._pass_on(connection, stop)

    def _pass_on(self, connection: socket.socket, stop: threading.Event) -> None:
        link, buffer = TcpLink(self._to), b""
        while not stop.is_set():
            connection.settimeout(_time_to_wait(self._line))
            try:
                chunk = connection.recv(_MAX_PACKET)
                if not chunk:
                    break
                buffer = self._pushed(buffer + chunk)
            except TimeoutError:
                pass
            except (OSError, RefusedMessage):
                break
            for packet in self._line.due(clock.now()):
                link.send(packet)
        link.close()

    def _pushed(self, buffer: bytes) -> bytes:
        """Put all whole messages on the line and return the rest."""
        while (length := message_length(buffer)) is not None and len(buffer) >= length:
            self._line.push(buffer[:length], clock.now())
            buffer = buffer[length:]
        return buffer
