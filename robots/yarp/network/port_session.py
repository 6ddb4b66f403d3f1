"""What is said on one connection to a port of ours: bytes in, bytes out, no socket.

Four carriers: tcp and fast_tcp in frames, text and text_ack in lines; udp shakes hands
here and sends its frames elsewhere.
"""

from __future__ import annotations

from typing import Protocol

from telexist.retarget.errors import BadMessage
from telexist.robots.yarp.wire import (
    ACKNOWLEDGEMENT,
    CARRIERS,
    Bottle,
    Dialect,
    Envelope,
    Frame,
    FrameReader,
    decode_bottle,
    encode_bottle,
    handshake_reply,
    parse_text,
    print_text,
)

__all__ = ["PortSession", "SessionOwner"]

LONGEST_LINE = 2**20  # [bytes]
LONGEST_NAME = 1024  # [bytes]
_CODES = {code: name for name, code in CARRIERS.items()}


class SessionOwner(Protocol):
    """The port that a connection leads to."""

    dialect: Dialect

    def take_message(
        self, payload: bytes, envelope: Envelope | None, source: str, *, reply: bool
    ) -> Bottle | None:
        """Take a message; return what to reply, if a reply is wanted."""

    def take_admin(self, command: Bottle) -> Bottle:
        """Obey a command to the port itself; return the answer."""

    def describe(self) -> list[str]:
        """Return lines about the port, for `yarp ping`."""

    def remove_input(self, source: str) -> str:
        """End the connections from a port; return a line about it."""

    def answer_handshake(self, carrier: str, source: str) -> int:
        """Return the number for the reply: ours, or that of a socket for udp."""


class PortSession:
    """The server's part of a conversation.

    Attributes:
        source: Name of who speaks; "" before the handshake.
        carrier: By which carrier; "" before the handshake.
        over: Whether the other side said goodbye, or talked nonsense.
    """

    def __init__(self, owner: SessionOwner) -> None:
        """Wait for a handshake."""
        self.source, self.carrier, self.over = "", "", False
        self._owner = owner
        self._reader = FrameReader()
        self._line_command = ""
        self._code: int | None = None

    def feed(self, data: bytes) -> bytes:
        """Take bytes that came and return those to send back.

        Raises:
            BadMessage: If they are not YARP's; the connection should be ended.
        """
        self._reader.feed(data)
        out = b""
        while not self.over:
            piece = self._step()
            if piece is None:
                break
            out += piece
        return out

    def _step(self) -> bytes | None:
        """Take the next thing that is said whole; None while there is none."""
        if not self.carrier:
            return self._greet()
        if self.carrier in CARRIERS:
            frame = self._reader.frame()
            return None if frame is None else self._frame(frame)
        line = self._line()
        return None if line is None else self._text(line)

    # ---- handshake ------------------------------

    def _greet(self) -> bytes | None:
        buffer = self._reader.buffer
        if self._code is None and bytes(buffer[:2]) in (b"CO", b"C"):
            return self._greet_by_line()
        if self._code is None:
            self._code = self._reader.code()
            if self._code is not None and self._code not in _CODES:
                raise BadMessage(
                    f"a carrier of YARP that is unknown here: {self._code}"
                )
        if self._code is None or len(buffer) < 4:
            return None
        length = int.from_bytes(buffer[:4], "little")
        if not 0 < length <= LONGEST_NAME:
            raise BadMessage(f"a name of {length} bytes in a handshake")
        if len(buffer) < 4 + length:
            return None
        self._reader.take(4)
        name = self._reader.take(length) or b""
        self.source = name.rstrip(b"\0").decode("utf-8", "replace")
        self.carrier = _CODES[self._code]
        return handshake_reply(self._owner.answer_handshake(self.carrier, self.source))

    def _greet_by_line(self) -> bytes | None:
        line = self._line()
        if line is None:
            return None
        word, _, name = line.partition(" ")
        carriers = {"CONNECT": "text", "CONNACK": "text_ack"}
        if word not in carriers:
            raise BadMessage(f"not a greeting of YARP: {line[:40]}")
        self.source, self.carrier = name.strip(), carriers[word]
        self._owner.answer_handshake(self.carrier, self.source)
        return f"Welcome {self.source}\r\n".encode()

    # ---- frames ------------------------------

    def _frame(self, frame: Frame) -> bytes:
        end = ACKNOWLEDGEMENT if self.carrier == "tcp" else b""
        if frame.command == "q":
            self.over = True
            return end
        dialect = self._owner.dialect
        if frame.command == "a":
            try:
                question = decode_bottle(frame.payload, dialect)
            except BadMessage:
                return end
            return encode_bottle(self._owner.take_admin(question), dialect) + end
        reply = self._owner.take_message(
            frame.payload, frame.envelope, self.source, reply=frame.command == "d"
        )
        if reply is None or frame.command != "d":
            return end
        return encode_bottle(reply, dialect) + end

    # ---- lines ------------------------------

    def _line(self) -> str | None:
        buffer = self._reader.buffer
        at = buffer.find(b"\n")
        if at < 0:
            if len(buffer) > LONGEST_LINE:
                raise BadMessage("a line of YARP's text carrier without an end")
            return None
        line = self._reader.take(at + 1) or b""
        return line.decode("utf-8", "replace").rstrip("\r\n")

    def _text(self, line: str) -> bytes:
        end = b"<ACK>\r\n" if self.carrier == "text_ack" else b""
        command, self._line_command = self._line_command, ""
        if command == "a":
            return self._lines([print_text(self._admin(line))]) + end
        if command:
            return self._data(command, line) + end
        if line[:1] in ("d", "D", "a"):
            self._line_command = line[:1]
            return b""
        if line[:1] == "*":
            return self._lines(self._owner.describe()) + end
        if line[:1] == "~":
            return self._lines([self._owner.remove_input(line[1:].strip())]) + end
        if line[:1] == "q":
            self.over = True
        return end

    def _admin(self, line: str) -> Bottle:
        return self._owner.take_admin(parse_text(line))

    def _data(self, command: str, line: str) -> bytes:
        payload = encode_bottle(parse_text(line), self._owner.dialect)
        reply = self._owner.take_message(
            payload, None, self.source, reply=command == "d"
        )
        return b"" if reply is None else self._lines([print_text(reply)])

    @staticmethod
    def _lines(lines: list[str]) -> bytes:
        return "".join(f"{line}\r\n" for line in lines).encode()
