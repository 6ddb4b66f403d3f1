"""Lists of values to the bytes of a YARP Bottle, and back.

A Bottle is int32 code, int32 count, items; an item is int32 code and its value. The
code of a list is 256, or 256 + type where all items share it and none carries a code. A
dictionary is the code 768 and then the whole list of its pairs.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from telexist.retarget.errors import BadMessage
from telexist.robots.yarp.wire.dialect import Dialect
from telexist.robots.yarp.wire.values import (
    Bottle,
    CodedList,
    Dictionary,
    Float32,
    Int8,
    Int16,
    Int64,
    Item,
    Vocab,
    Vocab64,
)

__all__ = ["decode_bottle", "encode_bottle"]

INT32, STRING, VOCAB, BLOB, INT64 = 1, 4, 9, 12, 17
INT16, INT8 = 64, 32
LIST, DICTIONARY = 256, 768
DEEPEST = 32  # lists within lists; real messages have five
_INT = struct.Struct("<i")
_PAIR = struct.Struct("<ii")


def encode_bottle(items: Sequence[Item], dialect: Dialect) -> bytes:
    """Return the bytes of a list of values.

    Raises:
        BadMessage: If a value is of no kind that YARP knows, or too large.
    """
    try:
        return _list(items, dialect)
    except (struct.error, OverflowError, UnicodeEncodeError) as error:
        raise BadMessage(f"a value cannot be sent by YARP: {error}") from error


def decode_bottle(data: bytes | memoryview, dialect: Dialect) -> Bottle:
    """Return the values in the bytes of one Bottle.

    Raises:
        BadMessage: If the bytes are no Bottle of this dialect.
    """
    reader = _BottleReader(bytes(data), dialect)
    code = reader.number()
    if not LIST <= code < 2 * LIST:
        raise BadMessage(f"not a YARP message: it begins with the code {code}")
    value = reader.listed(code, 0)
    if reader.at != len(reader.data):
        raise BadMessage(
            f"a YARP message has {len(reader.data) - reader.at} bytes too many"
        )
    return value


def _code(item: Item, dialect: Dialect) -> int:
    """Return the code of an item's type; LIST for any list."""
    if isinstance(item, bool):
        raise BadMessage("a truth value cannot be sent by YARP; use a Vocab")
    if isinstance(item, int):
        return _int_code(item)
    if isinstance(item, float):
        return dialect.float32 if isinstance(item, Float32) else dialect.float64
    if isinstance(item, str):
        return STRING
    if isinstance(item, bytes):
        return BLOB
    if isinstance(item, Vocab):
        return VOCAB
    if isinstance(item, Vocab64) and dialect.vocab64:
        return dialect.vocab64
    if isinstance(item, Sequence):
        return LIST
    raise BadMessage(f"{type(item).__name__} cannot be sent by YARP {dialect.version}")


def _int_code(item: int) -> int:
    for kind, code in ((Int8, INT8), (Int16, INT16), (Int64, INT64)):
        if isinstance(item, kind):
            return code
    return INT32 if -(2**31) <= item < 2**31 else INT64


def _value(item: Item, code: int, dialect: Dialect) -> bytes:
    """Return the bytes of an item without its code."""
    if isinstance(item, int | float):
        return struct.pack("<" + _numbers(dialect)[code], item)
    if isinstance(item, str):
        text = item.encode("utf-8", "surrogateescape")
        return _INT.pack(len(text)) + text
    if isinstance(item, bytes):
        return _INT.pack(len(item)) + item
    if isinstance(item, Vocab | Vocab64):
        wide = 4 if isinstance(item, Vocab) else 8
        word = item.word.encode("latin-1")
        if len(word) > wide:
            raise BadMessage(f"'{item.word}' has more than {wide} letters: no vocab")
        return word.ljust(wide, b"\0")
    raise BadMessage(f"{type(item).__name__} is no value by itself")


def _list(items: Sequence[Item], dialect: Dialect) -> bytes:
    if type(items) is list and items and set(map(type, items)) == {float}:
        begin = _PAIR.pack(LIST + dialect.float64, len(items))
        return begin + struct.pack(f"<{len(items)}d", *items)
    codes = [_code(item, dialect) for item in items]
    shared = codes[0] if codes and codes.count(codes[0]) == len(codes) else 0
    if isinstance(items, CodedList) and (not items.code or not codes):
        shared = items.code
    if shared == LIST:
        shared = 0
    parts = [_PAIR.pack(LIST + shared, len(items))]
    if isinstance(items, Dictionary):
        parts.insert(0, _INT.pack(DICTIONARY))
    for item, code in zip(items, codes, strict=True):
        if code == LIST:
            parts.append(_list(item, dialect))  # type: ignore[arg-type]
        else:
            parts.append(b"" if shared else _INT.pack(code))
            parts.append(_value(item, code, dialect))
    return b"".join(parts)


_NUMBERS: dict[Dialect, dict[int, str]] = {}


def _numbers(dialect: Dialect) -> dict[int, str]:
    """Return struct's letters of the numbers' codes."""
    letters = _NUMBERS.get(dialect)
    if letters is None:
        letters = {INT8: "b", INT16: "h", INT32: "i", INT64: "q"}
        letters[dialect.float32], letters[dialect.float64] = "f", "d"
        _NUMBERS[dialect] = letters
    return letters


class _BottleReader:
    """Reads values off the front of bytes; hostile counts and depths are refused."""

    def __init__(self, data: bytes, dialect: Dialect) -> None:
        self.data, self.at = data, 0
        self._dialect, self._letters = dialect, _numbers(dialect)

    def number(self) -> int:
        return int(_INT.unpack(self.take(4))[0])

    def take(self, count: int) -> bytes:
        end = self.at + count
        if count < 0 or end > len(self.data):
            raise BadMessage(
                f"a YARP message ends early: {count} bytes wanted at {self.at} of "
                f"{len(self.data)}"
            )
        piece, self.at = self.data[self.at : end], end
        return piece

    def listed(self, code: int, depth: int) -> Bottle:
        """Read a list whose code has been read."""
        count = self.number()
        if depth > DEEPEST or not 0 <= count <= len(self.data) - self.at:
            raise BadMessage(
                f"a YARP message with a list of {count} items, {depth} deep"
            )
        shared = code - LIST
        if not shared:
            items = [self._item(depth + 1) for _ in range(count)]
        elif shared in self._letters:
            shape = struct.Struct(f"<{count}{self._letters[shared]}")
            if count and shared in (INT32, self._dialect.float64):
                return list(shape.unpack(self.take(shape.size)))
            items = [
                self._dress(v, shared) for v in shape.unpack(self.take(shape.size))
            ]
        else:
            items = [self._value(shared, depth + 1) for _ in range(count)]
        return self._told(items, shared)

    def _told(self, items: Bottle, shared: int) -> Bottle:
        """Return a list that will be written as it was read."""
        if not items:
            return CodedList(items, shared) if shared else items
        usual = _code(items[0], self._dialect)
        if not shared and usual != LIST:
            same = all(_code(item, self._dialect) == usual for item in items)
            return CodedList(items, 0) if same else items
        return items

    def _item(self, depth: int) -> Item:
        return self._value(self.number(), depth)

    def _value(self, code: int, depth: int) -> Item:
        if code in self._letters:
            shape = struct.Struct("<" + self._letters[code])
            return self._dress(shape.unpack(self.take(shape.size))[0], code)
        if code == STRING:
            return self.take(self.number()).decode("utf-8", "surrogateescape")
        if code == BLOB:
            return self.take(self.number())
        if code == VOCAB:
            return Vocab(self.take(4).rstrip(b"\0").decode("latin-1"))
        if code and code == self._dialect.vocab64:
            return Vocab64(self.take(8).rstrip(b"\0").decode("latin-1"))
        if LIST <= code < 2 * LIST:
            return self.listed(code, depth)
        if code == DICTIONARY:
            return self._dictionary(depth)
        raise BadMessage(f"a YARP message with an unknown code {code} at {self.at}")

    def _dictionary(self, depth: int) -> Dictionary:
        code = self.number()
        if code != LIST:
            raise BadMessage(f"a YARP dictionary with the code {code}")
        return Dictionary(self.listed(code, depth))

    def _dress(self, value: float, code: int) -> Item:
        """Return a number that will be written as it was read."""
        if code == INT32 or code == self._dialect.float64:
            return value
        if code == self._dialect.float32:
            return Float32(value)
        if code == INT64:
            return Int64(value)
        return Int8(value) if code == INT8 else Int16(value)
