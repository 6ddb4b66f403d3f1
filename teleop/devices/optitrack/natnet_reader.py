"""Reads NatNet's little-endian fields one after the other."""

from __future__ import annotations

import struct

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.devices.base import RefusedMessage

__all__ = ["NatNetReader"]

LONGEST_NAME = 256  # [bytes]


class NatNetReader:
    """One message; every step is checked, for the bytes may come from strangers."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        """Begin at a place."""
        self._data, self.at = data, at

    @property
    def left(self) -> int:
        """How many bytes are left."""
        return len(self._data) - self.at

    def skip(self, size: int) -> None:
        """Pass over bytes.

        Raises:
            RefusedMessage: If there are not so many.
        """
        if not 0 <= size <= self.left:
            raise RefusedMessage("malformed", "a message that ends too early")
        self.at += size

    def fields(self, layout: str) -> tuple[int | float, ...]:
        """Read fields of a `struct` layout, without its first character.

        Raises:
            RefusedMessage: If the message ends before.
        """
        size = struct.calcsize("<" + layout)
        begin = self.at
        self.skip(size)
        return struct.unpack_from("<" + layout, self._data, begin)

    def whole(self) -> int:
        """Read an i32.

        Raises:
            RefusedMessage: If the message ends before.
        """
        return int(self.fields("i")[0])

    def count(self, least: int) -> int:
        """Read how many entries follow, each of so many bytes at least.

        Raises:
            RefusedMessage: If so many cannot follow.
        """
        count = self.whole()
        if not 0 <= count * max(least, 1) <= self.left:
            raise RefusedMessage("malformed", f"{count} entries announced")
        return count

    def floats(self, count: int) -> Array:
        """Read f32 numbers as float64.

        Raises:
            RefusedMessage: If the message ends before.
        """
        begin = self.at
        self.skip(4 * count)
        with np.errstate(invalid="ignore"):  # a signalling NaN
            return np.frombuffer(self._data, "<f4", count, begin).astype(np.float64)

    def name(self) -> str:
        """Read a text that ends with zero.

        Raises:
            RefusedMessage: If it does not end.
        """
        end = self._data.find(b"\0", self.at, self.at + LONGEST_NAME + 1)
        if end < 0:
            raise RefusedMessage("malformed", "a name that does not end")
        text = self._data[self.at : end].decode("utf-8", "replace")
        self.at = end + 1
        return text
