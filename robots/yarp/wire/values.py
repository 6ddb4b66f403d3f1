"""What a YARP message is made of, as Python values.

Ints are 32 bits wide, or 64 where they need it, floats 64, `str` and `bytes` are text
and blobs, lists are lists. The other kinds have classes of their own here, so that a
message that was read is written again with the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, Union

__all__ = [
    "FAIL",
    "OK",
    "Bottle",
    "Dictionary",
    "Float32",
    "Int8",
    "Int16",
    "Int64",
    "Item",
    "CodedList",
    "Vocab",
    "Vocab64",
]


class Int8(int):
    """A whole number of one byte."""


class Int16(int):
    """A whole number of two bytes."""


class Int64(int):
    """A whole number of eight bytes, even where it is small."""


class Float32(float):
    """A number of four bytes."""


@dataclass(frozen=True, slots=True)
class Vocab:
    """A word of up to four letters that travels as one number: [get], [ok].

    The number 0 is the word "", printed as false; the letter "1" is printed as true.
    """

    word: str

    @property
    def number(self) -> int:
        """The word as a signed 32-bit number, as control modes travel."""
        data = self.word.encode("latin-1").ljust(4, b"\0")
        return int.from_bytes(data, "little", signed=True)

    @staticmethod
    def of(number: int) -> Vocab:
        """Return the word that a number stands for."""
        data = (number & 0xFFFFFFFF).to_bytes(4, "little")
        return Vocab(data.rstrip(b"\0").decode("latin-1"))


@dataclass(frozen=True, slots=True)
class Vocab64:
    """A word of up to eight letters; YARP 4 only."""

    word: str


OK, FAIL = Vocab("ok"), Vocab("fail")

Item: TypeAlias = Union[int, float, str, bytes, Vocab, Vocab64, "Sequence[Item]"]
Bottle: TypeAlias = "list[Item]"


class CodedList(list[Item]):
    """A list that states how it was written where that is not the usual way.

    Attributes:
        code: Of the type that all items share, or 0 if each carries its own.
    """

    def __init__(self, items: Iterable[Item], code: int) -> None:
        """Take items and the code of their common type."""
        super().__init__(items)
        self.code = code


class Dictionary(list[Item]):
    """A dictionary: its items are lists of key and value."""

    @staticmethod
    def of(pairs: Iterable[tuple[str, Item]]) -> Dictionary:
        """Return the dictionary of keys and values."""
        return Dictionary([key, value] for key, value in pairs)
