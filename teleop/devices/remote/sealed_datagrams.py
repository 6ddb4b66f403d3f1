"""Datagrams that only the other side of a connection could have sent, and only once.

    version u8, kind u8, number u64 | ChaCha20-Poly1305 of the content, head bound to it

Each direction has a key of its own, made anew for every connection; the number is the
nonce and must grow. What is foreign, changed, replayed or overtaken is refused.
"""

from __future__ import annotations

import enum
import secrets
import struct

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from telexist.teleop.devices.base import RefusedMessage

__all__ = ["KEY_SIZE", "MOST_BYTES", "DatagramKind", "Opener", "Sealer", "new_key"]

VERSION = 1
HEAD = struct.Struct("<BBQ")
KEY_SIZE = 32  # [bytes]
TAG_SIZE = 16  # [bytes]
MOST_BYTES = 1200  # of a datagram: it must not be split on its way
ROOM = MOST_BYTES - HEAD.size - TAG_SIZE


class DatagramKind(enum.IntEnum):
    """What a datagram holds."""

    SAMPLES = 1
    PING = 2
    PONG = 3
    PICTURE = 4
    TOUCH = 5


def new_key() -> bytes:
    """Return a new key for one direction."""
    return secrets.token_bytes(KEY_SIZE)


class Sealer:
    """Seals what one side sends."""

    def __init__(self, key: bytes) -> None:
        """Begin with number 1."""
        self._cipher, self._number = ChaCha20Poly1305(key), 0

    def seal(self, kind: DatagramKind, content: bytes) -> bytes:
        """Return the next datagram."""
        self._number += 1
        head = HEAD.pack(VERSION, kind, self._number)
        return head + self._cipher.encrypt(_nonce(self._number), content, head)


class Opener:
    """Opens what one side receives."""

    def __init__(self, key: bytes, *, window: int = 0) -> None:
        """Begin before the first datagram.

        Args:
            key: Of the direction.
            window: How far a datagram may have been overtaken; each counts once.
        """
        self._cipher, self._last = ChaCha20Poly1305(key), 0
        self._window, self._seen = window, set[int]()

    def open(self, data: bytes) -> tuple[DatagramKind, bytes]:
        """Return kind and content of a datagram.

        Raises:
            RefusedMessage: If it is not the other side's, was overtaken too far, or
                came before.
        """
        if not HEAD.size + TAG_SIZE <= len(data) <= MOST_BYTES:
            raise RefusedMessage("stranger", f"a datagram of {len(data)} bytes")
        version, kind, number = HEAD.unpack_from(data)
        if version != VERSION or kind not in DatagramKind._value2member_map_:
            raise RefusedMessage("stranger", "a datagram of another program")
        try:
            content = self._cipher.decrypt(
                _nonce(number), data[HEAD.size :], data[: HEAD.size]
            )
        except InvalidTag as error:
            raise RefusedMessage("stranger", "a datagram with a wrong seal") from error
        if number <= self._last - self._window or number in self._seen:
            raise RefusedMessage(
                "duplicate", "a datagram that came before, or too late"
            )
        self._last = max(number, self._last)
        if self._window:
            self._seen.add(number)
            if len(self._seen) > 2 * self._window:
                oldest = self._last - self._window
                self._seen = {n for n in self._seen if n > oldest}
        return DatagramKind(kind), content


def _nonce(number: int) -> bytes:
    return number.to_bytes(12, "little")
