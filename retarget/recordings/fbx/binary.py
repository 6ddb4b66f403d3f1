"""The records of a binary FBX file: a tree of names with values.

Each record says where it ends, how many values it has, and then its values and inner
records follow. Arrays may be packed; they are unpacked only when asked for, and never
beyond what they declare.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.so3 import Array

__all__ = ["FbxRecord", "parse_fbx"]

MAX_BYTES = 2_000_000_000
_MAGIC = b"Kaydara FBX Binary  \x00"
_VERSIONS = (7000, 8000)
_WIDE = 7500  # from here on, offsets have 64 bits
_DEEPEST = 60
_MOST_RECORDS = 3_000_000
_MOST_NUMBERS = 50_000_000  # of one array
_SCALARS: Mapping[str, str] = MappingProxyType(
    {"C": "<?", "B": "<?", "Y": "<h", "I": "<i", "F": "<f", "D": "<d", "L": "<q"}
)
_ARRAYS: Mapping[str, str] = MappingProxyType(
    {"f": "<f4", "d": "<f8", "l": "<i8", "i": "<i4", "b": "u1", "c": "u1"}
)


@dataclass(frozen=True, slots=True)
class _PackedArray:
    """An array as it lies in the file."""

    code: str
    count: int
    packed: bool
    data: memoryview


@dataclass(slots=True, eq=False)
class FbxRecord:
    """One record.

    Attributes:
        name: What it is.
        values: Numbers, texts and packed arrays.
        inner: The records in it.
    """

    name: str
    values: list[Any] = field(default_factory=list)
    inner: list[FbxRecord] = field(default_factory=list)

    def all(self, name: str) -> Iterator[FbxRecord]:
        """Yield the inner records of a name."""
        return (record for record in self.inner if record.name == name)

    def first(self, name: str) -> FbxRecord | None:
        """Return the first inner record of a name."""
        return next(self.all(name), None)

    def text(self, index: int) -> str:
        """Return a value that is a text; empty if it is none."""
        value = self.values[index] if index < len(self.values) else ""
        return value if isinstance(value, str) else ""

    def whole(self, index: int) -> int | None:
        """Return a value that is a whole number, or None."""
        value = self.values[index] if index < len(self.values) else None
        good = isinstance(value, int) and not isinstance(value, bool)
        return value if good else None

    def array(self, name: str) -> Array | None:
        """Return the array in an inner record (n,), or None if there is none.

        Raises:
            ValueError: If its data are not what they declare.
        """
        record = self.first(name)
        value = record.values[0] if record is not None and record.values else None
        if not isinstance(value, _PackedArray):
            return None
        dtype = np.dtype(_ARRAYS[value.code])
        size = value.count * dtype.itemsize
        data: bytes | memoryview = value.data
        if value.packed:
            try:
                data = zlib.decompressobj().decompress(data, size + 1)
            except zlib.error as error:
                raise ValueError(f"{name}: cannot be unpacked") from error
        if len(data) != size:
            raise ValueError(f"{name}: its size and its data differ")
        return np.frombuffer(data, dtype).astype(np.float64)


def parse_fbx(path: Path) -> FbxRecord:
    """Read a file into a record without a name that holds all others.

    Raises:
        BadRecording: If it is text, too old, or damaged.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadRecording(path, f"larger than {MAX_BYTES} bytes")
        data = path.read_bytes()
    except OSError as error:
        raise BadRecording(path, error.strerror or str(error)) from error
    if not data:
        raise BadRecording(path, "is empty")
    if not data.startswith(_MAGIC):
        if b"FBX" in data[:200]:
            problem = "is FBX as text: export it as binary FBX"
            raise BadRecording(path, problem)
        raise BadRecording(path, "is no FBX file")
    if len(data) < len(_MAGIC) + 6:
        raise BadRecording(path, "was cut off in its header")
    (version,) = struct.unpack_from("<I", data, len(_MAGIC) + 2)
    if not _VERSIONS[0] <= version < _VERSIONS[1]:
        problem = f"is FBX {version}: export it as FBX 2011 (7.1) or later"
        raise BadRecording(path, problem)
    parser = _Parser(data, wide=version >= _WIDE)
    try:
        return parser.top(len(_MAGIC) + 6)
    except (ValueError, IndexError, struct.error, zlib.error) as error:
        raise BadRecording(path, "damaged: its records do not fit") from error


class _Parser:
    """Walks through the bytes."""

    def __init__(self, data: bytes, *, wide: bool) -> None:
        self._data, self._view = data, memoryview(data)
        self._head = struct.Struct("<QQQ" if wide else "<III")
        self._records = 0

    def top(self, at: int) -> FbxRecord:
        """Return all records from here to the empty one at the end."""
        out = FbxRecord("")
        while True:
            record, at = self._record(at, len(self._data), 0)
            if record is None:
                return out
            out.inner.append(record)

    def _record(self, at: int, limit: int, depth: int) -> tuple[FbxRecord | None, int]:
        """Return a record and where the next begins; None is the end of a list."""
        end, count, size = self._head.unpack_from(self._data, at)
        after = at + self._head.size
        length = self._data[after]
        start = after + 1 + length
        if end == 0:
            return None, start
        self._records += 1
        if not start + size <= end <= limit or depth > _DEEPEST:
            raise ValueError("a record does not lie in the one around it")
        if self._records > _MOST_RECORDS or count > size:
            raise ValueError("too many")
        name = self._data[after + 1 : start].decode("latin-1")
        record = FbxRecord(name, self._values(start, start + size, count))
        at = start + size
        while at < end:
            inner, at = self._record(at, end, depth + 1)
            if inner is None:
                break
            record.inner.append(inner)
        return record, end

    def _values(self, at: int, limit: int, count: int) -> list[Any]:
        values: list[Any] = []
        for _ in range(count):
            code, at = chr(self._data[at]), at + 1
            value, at = self._value(code, at)
            if at > limit:
                raise ValueError("a value does not lie in its record")
            values.append(value)
        return values

    def _value(self, code: str, at: int) -> tuple[Any, int]:
        if code in _SCALARS:
            kind = _SCALARS[code]
            return struct.unpack_from(kind, self._data, at)[0], at + struct.calcsize(
                kind
            )
        if code in "SR":
            (size,) = struct.unpack_from("<I", self._data, at)
            at += 4
            if at + size > len(self._data):
                raise ValueError("a text is cut off")
            if code == "R":
                return None, at + size
            return self._data[at : at + size].decode("utf-8", "replace"), at + size
        if code in _ARRAYS:
            count, packed, size = struct.unpack_from("<III", self._data, at)
            at += 12
            if at + size > len(self._data) or packed > 1 or count > _MOST_NUMBERS:
                raise ValueError("an array is cut off")
            data = self._view[at : at + size]
            return _PackedArray(code, count, bool(packed), data), at + size
        raise ValueError(f"values of kind {code!r}")
