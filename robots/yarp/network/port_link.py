"""One connection to somebody else's port: messages out, replies in."""

from __future__ import annotations

import socket
import struct

from telexist.retarget.errors import BadMessage, RobotLost
from telexist.robots.yarp.network.contact import Contact
from telexist.robots.yarp.wire import (
    ACKNOWLEDGEMENT,
    GOODBYE,
    Bottle,
    Dialect,
    Envelope,
    FrameReader,
    Item,
    decode_bottle,
    encode_bottle,
    frame,
    handshake,
)

__all__ = ["PortLink"]

LARGEST_REPLY = 2**24  # [bytes]


class PortLink:
    """Speaks to a port by `tcp`, which acknowledges, or `fast_tcp`, which does not."""

    def __init__(
        self,
        contact: Contact,
        own_name: str,
        *,
        carrier: str = "tcp",
        timeout: float = 1.0,
    ) -> None:
        """Connect.

        Args:
            contact: Where to.
            own_name: What we call ourselves; needs no registration.
            carrier: "tcp" or "fast_tcp".
            timeout: For the connection and every answer [s].

        Raises:
            RobotLost: If nobody answers there, or not in YARP's words.
        """
        self.contact, self.carrier, self._timeout = contact, carrier, timeout
        try:
            place = (contact.host, contact.port)
            self.socket = socket.create_connection(place, timeout)
        except OSError as error:
            raise RobotLost(
                f"{contact.name} is registered at {contact.host}:{contact.port} but "
                f"does not answer ({error}): is it running? `yarp clean` forgets it"
            ) from error
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            self._shake_hands(own_name)
        except BaseException:
            self.socket.close()
            raise

    def fileno(self) -> int:
        """Return the socket's number, for waiting on several links."""
        return self.socket.fileno()

    def send(self, payload: bytes, envelope: Envelope | None = None) -> None:
        """Send a message; with `tcp`, `take_acknowledgement` must follow.

        Raises:
            RobotLost: If the connection is gone.
        """
        self._write(frame(payload, envelope=envelope))

    def take_acknowledgement(self, timeout: float) -> bool:
        """Wait for the acknowledgement of one message; return whether it came.

        After False the link is of no use any more: what comes late would be taken for
        the next one's.

        Raises:
            RobotLost: If the connection is gone.
        """
        if self.carrier != "tcp":
            return True
        try:
            self.socket.settimeout(timeout)
            data = b""
            while len(data) < len(ACKNOWLEDGEMENT):
                piece = self.socket.recv(len(ACKNOWLEDGEMENT) - len(data))
                if not piece:
                    raise RobotLost(f"{self.contact.name} closed the connection")
                data += piece
        except TimeoutError:
            return False
        except OSError as error:
            raise RobotLost(f"{self.contact.name} is gone: {error}") from error
        if data != ACKNOWLEDGEMENT:
            raise RobotLost(f"{self.contact.name} answers {data.hex(' ')}: not YARP's")
        return True

    def ask(
        self, question: list[Item], dialect: Dialect, *, command: str = "d"
    ) -> Bottle:
        """Return the reply to a question; empty if there is none.

        Args:
            question: Values.
            dialect: Of both.
            command: "d" for the port's owner, "a" for the port itself.

        Raises:
            RobotLost: If there is no answer in time, or none that can be read.
        """
        self._write(frame(encode_bottle(question, dialect), command))
        data = b""
        try:
            self.socket.settimeout(self._timeout)
            while True:
                piece = self.socket.recv(65536)
                if not piece or len(data) > LARGEST_REPLY:
                    raise RobotLost(f"{self.contact.name} closed the connection")
                data += piece
                if not data.endswith(ACKNOWLEDGEMENT):
                    continue
                if data == ACKNOWLEDGEMENT:
                    return []
                try:
                    return decode_bottle(data[: -len(ACKNOWLEDGEMENT)], dialect)
                except BadMessage:
                    continue  # more of it is on the way, or the time will be up
        except OSError as error:
            raise RobotLost(f"{self.contact.name} does not answer: {error}") from error

    def close(self) -> None:
        """Say goodbye and end the connection; may be called twice."""
        try:
            self.socket.settimeout(0.1)
            self.socket.sendall(GOODBYE)
            if self.carrier == "tcp":
                self.socket.recv(64)
        except OSError:
            pass
        self.socket.close()

    def drop(self) -> None:
        """End the connection without a word."""
        self.socket.close()

    def _write(self, data: bytes) -> None:
        try:
            self.socket.settimeout(self._timeout)
            self.socket.sendall(data)
        except OSError as error:
            raise RobotLost(f"{self.contact.name} is gone: {error}") from error

    def _shake_hands(self, own_name: str) -> None:
        self._write(handshake(own_name, self.carrier))
        reader = FrameReader()
        try:
            while True:
                piece = self.socket.recv(8 - len(reader.buffer))
                if not piece:
                    raise RobotLost(f"{self.contact.name} refuses the connection")
                reader.feed(piece)
                if reader.code() is not None:
                    return
        except (OSError, BadMessage, struct.error) as error:
            raise RobotLost(
                f"{self.contact.name} does not speak YARP: {error}"
            ) from error
