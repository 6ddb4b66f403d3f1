"""Datagrams from one sender, stamped at their arrival."""

from __future__ import annotations

import logging
import socket
import threading

from telexist.teleop import clock
from telexist.teleop.devices.base import Mailbox, RefusedMessage, Worker
from telexist.teleop.devices.network.listening_socket import LOOPBACK, listening_socket
from telexist.teleop.devices.network.packet_handler import PacketHandler
from telexist.teleop.devices.network.sender_gate import (
    Address,
    DeclaredSender,
    SenderGate,
)

__all__ = ["UdpSource"]

logger = logging.getLogger(__name__)

MAX_DATAGRAM = 16384  # [bytes]; an MVN pose with props and fingers has 2168
_PATIENCE = 0.2  # [s] between two looks at whether to stop
_BUFFER = 1 << 18  # [bytes] of the kernel: some 100 datagrams, should we be held up


class UdpSource:
    """Listens to one UDP port and hands datagrams to a handler.

    What is refused is counted in the mailbox: "stranger" for a second sender,
    "malformed" for a datagram that is too long, else the handler's reason.
    """

    def __init__(
        self,
        handler: PacketHandler,
        mailbox: Mailbox,
        *,
        host: str = LOOPBACK,
        port: int,
        sender: DeclaredSender | None = None,
        most: int = MAX_DATAGRAM,
    ) -> None:
        """Take who is told; nothing is opened yet.

        Args:
            handler: Takes the datagrams, in this source's thread.
            mailbox: Where refusals are counted.
            host: Address of this machine to listen on.
            port: Port; 0 takes a free one.
            sender: The only sender to accept; None lets the first one win.
            most: Longest datagram of the protocol [bytes].
        """
        self._most = most
        self._handler, self._mailbox = handler, mailbox
        self._host, self._port = host, port
        self._gate = SenderGate(sender)
        self._socket: socket.socket | None = None
        self._worker = Worker(f"udp {host}:{port}", self._receive, mailbox.lose)

    @property
    def port(self) -> int:
        """The port that is listened to."""
        return self._port if self._socket is None else self._socket.getsockname()[1]

    @property
    def accepted(self) -> Address | None:
        """The sender that is listened to, if there is one yet."""
        return self._gate.accepted

    def open(self) -> None:
        """Start to listen.

        Raises:
            DeviceLost: If the port cannot be had.
        """
        if self._worker.running:
            return
        self._socket = listening_socket(socket.SOCK_DGRAM, self._host, self._port)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        self._socket.settimeout(_PATIENCE)
        self._gate.reset()
        self._worker.start()

    def close(self) -> None:
        """Stop to listen."""
        self._worker.stop()
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _receive(self, stop: threading.Event) -> None:
        listening = self._socket
        while listening is not None and not stop.is_set():
            try:
                data, address = listening.recvfrom(self._most + 1)
            except TimeoutError:
                continue
            except OSError as error:
                if stop.is_set():
                    return
                logger.warning("udp port %d: %s", self.port, error)
                stop.wait(_PATIENCE)
                continue
            self._take(data, address, clock.now())

    def _take(self, data: bytes, address: Address, stamp: float) -> None:
        sender = "{}:{}".format(*address)
        if not self._gate.admits(address, stamp):
            self._mailbox.drop(stamp, "stranger", detail=f"sent by {sender}")
            return
        if address != self._gate.accepted:
            self._handler.sender_changed()
        try:
            if len(data) > self._most:
                raise RefusedMessage("malformed", f"more than {self._most} bytes")
            self._handler.handle(data, stamp)
        except RefusedMessage as refusal:
            detail = f"{refusal.problem}, sent by {sender}"
            self._mailbox.drop(stamp, refusal.reason, detail=detail)
            if refusal.reason in ("malformed", "nan"):
                return
        except Exception as error:
            # A thread that dies leaves a robot without operator: count and go on.
            logger.warning("udp port %d: a datagram: %r", self.port, error)
            self._mailbox.drop(stamp, "error")
            return
        if self._gate.confirm(address, stamp):
            logger.info("udp port %d: listening to %s:%d", self.port, *address)
