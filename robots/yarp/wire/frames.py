"""How messages lie in a stream of bytes: handshake, frames, acknowledgements.

YA <code> RP               8 bytes; the code says what follows
YA 0A 00 00 00 RP          a message: {blocks, replies, FF x 8}, int32 size of each
                           block and of each reply, then the blocks
first block                int32 length, "~", command, 0, 1, then the text of an
                           envelope: "D 12 1234.5"
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from telexist.retarget.errors import BadMessage
from telexist.robots.yarp.wire.envelope import Envelope

__all__ = [
    "ACKNOWLEDGEMENT",
    "CARRIERS",
    "GOODBYE",
    "Frame",
    "FrameReader",
    "frame",
    "handshake",
    "handshake_reply",
]

FIRST_CARRIER = 7777
CARRIERS = {"udp": 7777, "fast_tcp": 7780, "tcp": 7908}
"""Carriers with a binary handshake; `tcp` is the one that acknowledges."""
MESSAGE = 10
LARGEST = 64 * 2**20  # [bytes] of one message: a picture of 4000 x 4000
_EIGHT = struct.Struct("<2si2s")
_INT = struct.Struct("<i")


def _eight(code: int) -> bytes:
    return _EIGHT.pack(b"YA", code, b"RP")


ACKNOWLEDGEMENT = _eight(0)


def handshake(name: str, carrier: str) -> bytes:
    """Return what a port called `name` says first to another by a carrier."""
    own = name.encode() + b"\0"
    return _eight(CARRIERS[carrier]) + _INT.pack(len(own)) + own


def handshake_reply(port: int) -> bytes:
    """Return what a port that listens at number `port` answers."""
    return _eight(port)


def frame(
    payload: bytes, command: str = "D", envelope: Envelope | None = None
) -> bytes:
    """Return a message ready for the wire.

    Args:
        payload: Bytes of a Bottle.
        command: "D": no reply is wanted; "d": one is; "a": for the port itself.
        envelope: A stamp.
    """
    if envelope is None:
        head = b"\0\0\0\0~" + command.encode() + b"\0\x01"
    else:
        text = f"{command} {envelope.text()}".encode() + b"\0"
        head = _INT.pack(len(text)) + b"~\0\0\x01" + text
    return _framed(head, payload)


def _framed(head: bytes, payload: bytes) -> bytes:
    blocks = (head, payload) if payload else (head,)
    index = bytes((len(blocks), 1)) + b"\xff" * 8
    sizes = b"".join(_INT.pack(len(block)) for block in blocks) + _INT.pack(0)
    return _eight(MESSAGE) + index + sizes + b"".join(blocks)


GOODBYE = _framed(b"\x02\0\0\0~\0\0\x01q\0", b"")


@dataclass(frozen=True, slots=True)
class Frame:
    """One message as it lay on the wire.

    Attributes:
        command: "D", "d", "a", or "q" for a goodbye.
        payload: Bytes of a Bottle, or of nothing.
        envelope: Its stamp, if it has one.
    """

    command: str
    payload: bytes
    envelope: Envelope | None = None


class FrameReader:
    """Takes messages off a stream of bytes, in whatever pieces it comes."""

    def __init__(self) -> None:
        """Start empty."""
        self.buffer = bytearray()

    def feed(self, data: bytes) -> None:
        """Add bytes as they came."""
        self.buffer += data

    def take(self, count: int) -> bytes | None:
        """Return the first `count` bytes, or None while there are fewer."""
        if len(self.buffer) < count:
            return None
        piece = bytes(self.buffer[:count])
        del self.buffer[:count]
        return piece

    def code(self) -> int | None:
        """Return the code in the first eight bytes and take them, or None.

        Raises:
            BadMessage: If the eight bytes are none of YARP's.
        """
        head = bytes(self.buffer[:8])
        if len(head) < 8:
            return None
        begin, code, end = _EIGHT.unpack(head)
        if (begin, end) != (b"YA", b"RP"):
            raise BadMessage(f"not the beginning of a YARP message: {head.hex(' ')}")
        del self.buffer[:8]
        return int(code)

    def frame(self) -> Frame | None:
        """Return the next message, or None until all of it is there.

        Raises:
            BadMessage: If the bytes are no message.
        """
        if len(self.buffer) < 18:
            return None
        begin, code, end = _EIGHT.unpack_from(self.buffer)
        if (begin, code, end) != (b"YA", MESSAGE, b"RP"):
            text = bytes(self.buffer[:8]).hex(" ")
            raise BadMessage(f"not the beginning of a YARP message: {text}")
        blocks, replies = self.buffer[8], self.buffer[9]
        start = 18 + 4 * (blocks + replies)
        if len(self.buffer) < start:
            return None
        sizes = struct.unpack_from(f"<{blocks}i", self.buffer, 18)
        total = sum(sizes)
        if not sizes or min(sizes) < 0 or not sizes[0] >= 8 or total > LARGEST:
            raise BadMessage(f"a YARP message with blocks of {sizes[:4]} bytes")
        if len(self.buffer) < start + total:
            return None
        head = bytes(self.buffer[start : start + sizes[0]])
        payload = bytes(self.buffer[start + sizes[0] : start + total])
        del self.buffer[: start + total]
        return _named(head, payload)


def _named(head: bytes, payload: bytes) -> Frame:
    """Return the message of a first block and the rest."""
    length = _INT.unpack_from(head)[0]
    if head[4:5] != b"~" or length != len(head) - 8:
        raise BadMessage(f"a YARP message begins with {head[:16].hex(' ')}")
    if not length:
        return Frame(chr(head[5]), payload)
    text = head[8:].rstrip(b"\0").decode("latin-1")
    return Frame(text[:1], payload, Envelope.read(text[1:]))
