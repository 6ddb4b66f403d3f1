"""Messages of a stream from one sender that connects to us, stamped at arrival.

MVN's network streamer is the client: it connects to the host and port that its user
enters, so we listen. A connection that ends, or whose bytes make no sense, is closed,
and the next one is awaited.
"""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable

from telexist.teleop import clock
from telexist.teleop.devices.base import Mailbox, RefusedMessage, Worker
from telexist.teleop.devices.network.listening_socket import LOOPBACK, listening_socket
from telexist.teleop.devices.network.packet_handler import PacketHandler
from telexist.teleop.devices.network.sender_gate import SILENCE, DeclaredSender

__all__ = ["MessageLength", "TcpSource"]

logger = logging.getLogger(__name__)

MessageLength = Callable[[bytes], int | None]
"""Length of the message that a buffer begins with [bytes], None if too few bytes are
there to tell; raises `RefusedMessage` if no message begins so."""

MAX_MESSAGE = 1 << 17  # [bytes]
_CHUNK = 1 << 16  # [bytes] read at once
_PATIENCE = 0.2  # [s] between two looks at whether to stop


class TcpSource:
    """Listens on one TCP port and hands the messages of a connection to a handler.

    One connection at a time: while it lasts, others are refused as "stranger"; one that
    has sent no whole message for `SILENCE` seconds gives way to a newcomer.
    """

    def __init__(
        self,
        handler: PacketHandler,
        mailbox: Mailbox,
        length: MessageLength,
        *,
        host: str = LOOPBACK,
        port: int,
        sender: DeclaredSender | None = None,
    ) -> None:
        """Take who is told and how a message ends; nothing is opened yet.

        Args:
            handler: Takes the messages, in this source's thread.
            mailbox: Where refusals are counted.
            length: Finds the end of a message.
            host: Address of this machine to listen on.
            port: Port; 0 takes a free one.
            sender: The only host that may connect; None lets anyone.
        """
        self._handler, self._mailbox, self._length = handler, mailbox, length
        self._host, self._port, self._sender = host, port, sender
        self._socket: socket.socket | None = None
        self._worker = Worker(f"tcp {host}:{port}", self._serve, mailbox.lose)

    @property
    def port(self) -> int:
        """The port that is listened to."""
        return self._port if self._socket is None else self._socket.getsockname()[1]

    def open(self) -> None:
        """Start to listen.

        Raises:
            DeviceLost: If the port cannot be had.
        """
        if self._worker.running:
            return
        self._socket = listening_socket(socket.SOCK_STREAM, self._host, self._port)
        self._worker.start()

    def close(self) -> None:
        """Stop to listen."""
        self._worker.stop()
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _serve(self, stop: threading.Event) -> None:
        waiting: socket.socket | None = None
        while not stop.is_set():
            connection = waiting or self._accept(_PATIENCE)
            if connection is None:
                continue
            with connection:
                self._handler.sender_changed()
                waiting = self._converse(connection, stop)
            logger.info("tcp port %d: a connection has ended", self.port)
        if waiting is not None:
            waiting.close()

    def _accept(self, patience: float) -> socket.socket | None:
        """Return a connection of an allowed sender, or None after `patience` [s]."""
        listening = self._socket
        if listening is None:
            return None
        listening.settimeout(patience)
        try:
            connection, address = listening.accept()
        except OSError:  # a time-out too
            return None
        if self._sender is not None and not self._sender.matches(address):
            connection.close()
            detail = "{}:{} has connected".format(*address)
            self._mailbox.drop(clock.now(), "stranger", detail=detail)
            return None
        logger.info("tcp port %d: %s:%d has connected", self.port, *address)
        connection.settimeout(_PATIENCE)
        return connection

    def _converse(
        self, connection: socket.socket, stop: threading.Event
    ) -> socket.socket | None:
        """Take messages until the connection ends; return one that takes over."""
        buffer, heard = b"", clock.now()
        while not stop.is_set():
            chunk = _received(connection)
            if chunk == b"":
                return None
            if chunk is not None:
                stamp, waiting = clock.now(), buffer + chunk
                try:
                    buffer = self._split(waiting, stamp)
                except RefusedMessage as refusal:
                    self._mailbox.drop(stamp, refusal.reason, detail=refusal.problem)
                    return None
                if len(buffer) < len(waiting):  # a whole message, not just bytes
                    heard = stamp
            newcomer = self._accept(0.0)
            if newcomer is not None:
                if clock.now() - heard > SILENCE or _has_ended(connection):
                    return newcomer
                detail = f"{_peer(newcomer)} has connected too"
                newcomer.close()
                self._mailbox.drop(clock.now(), "stranger", detail=detail)
        return None

    def _split(self, buffer: bytes, stamp: float) -> bytes:
        """Hand over all whole messages and return the rest.

        Raises:
            RefusedMessage: If the stream has lost its rhythm.
        """
        while True:
            length = self._length(buffer)
            if length is None:
                return buffer
            if not 0 < length <= MAX_MESSAGE:
                raise RefusedMessage("malformed", f"a message of {length} bytes")
            if len(buffer) < length:
                return buffer
            self._take(buffer[:length], stamp)
            buffer = buffer[length:]

    def _take(self, data: bytes, stamp: float) -> None:
        try:
            self._handler.handle(data, stamp)
        except RefusedMessage as refusal:
            self._mailbox.drop(stamp, refusal.reason, detail=refusal.problem)
        except Exception as error:
            # A thread that dies leaves a robot without operator: count and go on.
            logger.warning("tcp port %d: a message: %r", self.port, error)
            self._mailbox.drop(stamp, "error")


def _peer(connection: socket.socket) -> str:
    """Return who is at the other end."""
    try:
        return "{}:{}".format(*connection.getpeername())
    except OSError:  # gone already
        return "somebody"


def _received(connection: socket.socket) -> bytes | None:
    """Return what has come, b"" if the connection has ended, None if nothing came."""
    try:
        return connection.recv(_CHUNK)
    except TimeoutError:
        return None
    except OSError:
        return b""


def _has_ended(connection: socket.socket) -> bool:
    """Whether nothing is left to read and nothing will come."""
    connection.settimeout(0.0)
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        connection.settimeout(_PATIENCE)
