"""Reads an MCAP file that may be cut off, damaged or hostile.

Nothing in the file is believed before it was compared with the bytes that are there:
no length takes memory, no chunk unpacks to more than it declares, and whatever is
broken is skipped and said.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import zstandard
from mcap.data_stream import ReadDataStream
from mcap.exceptions import EndOfFile
from mcap.opcode import Opcode
from mcap.records import Channel, Metadata
from telexist.retarget.errors import BadRecording
from telexist.teleop.recording.mcap_writer import MAGIC

__all__ = ["McapFile", "RawMessage", "read_messages", "scan"]

MAX_RECORD = 64_000_000  # [bytes] that one record or one unpacked chunk may have
_MAX_RECORDS = 50_000_000
_RECORD = struct.Struct("<BQ")
_CHUNK = struct.Struct("<QQQII")
_MESSAGE = struct.Struct("<HIQQ")
_SUM = struct.Struct("<I")
_PIECE = 1 << 20  # [bytes] read at once
_LAST_KNOWN = 0x0F
_PRIVATE = 0x80
_BROKEN = (EndOfFile, UnicodeDecodeError, ValueError, struct.error)


@dataclass(frozen=True, slots=True)
class RawMessage:
    """One message: topic, time since 1970 [ns], number, and its bytes."""

    topic: str
    time: int
    sequence: int
    data: bytes


@dataclass(slots=True)
class McapFile:
    """What a file holds, found in one pass over its records.

    Attributes:
        path: The file.
        metadata: Name to texts.
        topics: Channel number to topic.
        chunks: Place and length of each chunk [bytes].
        complete: Whether the file was finished in order.
        problems: What was skipped and why, one line each.
    """

    path: Path
    metadata: dict[str, dict[str, str]] = field(default_factory=dict)
    topics: dict[int, str] = field(default_factory=dict)
    chunks: list[tuple[int, int]] = field(default_factory=list)
    complete: bool = False
    problems: list[str] = field(default_factory=list)

    def note(self, problem: str) -> None:
        """Remember a problem, once."""
        if problem not in self.problems and len(self.problems) < 100:
            self.problems.append(problem)


def scan(path: Path) -> McapFile:
    """Find everything that is whole in a file.

    Raises:
        BadRecording: If it cannot be opened or is no MCAP file.
    """
    try:
        with path.open("rb") as file:
            size = file.seek(0, io.SEEK_END)
            file.seek(0)
            if file.read(len(MAGIC)) != MAGIC:
                problem = "not an MCAP file: expected a session recorded by telexist"
                raise BadRecording(path, problem)
            found = McapFile(path)
            _scan_records(file, size, found)
            return found
    except OSError as error:
        raise BadRecording(path, error.strerror or str(error)) from error


def read_messages(found: McapFile, topics: Collection[str]) -> Iterator[RawMessage]:
    """Yield the messages of some topics in order, as far as they are whole.

    Raises:
        BadRecording: If the file cannot be read any more.
    """
    try:
        with found.path.open("rb") as file:
            for place, length in found.chunks:
                file.seek(place)
                body = _unpack(found, place, file.read(length))
                yield from _messages(found, place, body, topics)
    except OSError as error:
        raise BadRecording(found.path, error.strerror or str(error)) from error


def _scan_records(file: BinaryIO, size: int, found: McapFile) -> None:
    place = len(MAGIC)
    for _ in range(_MAX_RECORDS):
        head = file.read(_RECORD.size)
        if len(head) < _RECORD.size:
            found.note(_cut(place, size))
            return
        opcode, length = _RECORD.unpack(head)
        begin, end = place + _RECORD.size, place + _RECORD.size + length
        if opcode == 0 or _LAST_KNOWN < opcode < _PRIVATE:
            found.note(f"damaged at byte {place}: nothing after it was read")
            return
        if end > size:
            found.note(_cut(place, size))
            return
        if opcode == Opcode.DATA_END:
            _check_sum(file, place, file.read(_SUM.size), found)
            file.seek(-len(MAGIC), io.SEEK_END)
            found.complete = file.read(len(MAGIC)) == MAGIC
            if not found.complete:
                found.note("cut off in its index: all samples are there")
            return
        if length > MAX_RECORD:
            found.note(f"a record of {length} bytes at byte {place} was skipped")
        elif opcode == Opcode.CHUNK:
            found.chunks.append((begin, length))
        elif opcode in (Opcode.METADATA, Opcode.CHANNEL):
            _take_record(found, opcode, file.read(length), place)
        file.seek(end)
        place = end


def _check_sum(file: BinaryIO, end: int, stated: bytes, found: McapFile) -> None:
    """Compare all bytes before the index with their checksum; 0 is none."""
    file.seek(0)
    crc, left = 0, end
    while piece := file.read(min(_PIECE, left)):
        crc, left = zlib.crc32(piece, crc), left - len(piece)
    if len(stated) < _SUM.size or _SUM.unpack(stated)[0] not in (0, crc):
        found.note("damaged: it is not as it was written (its checksum is wrong)")


def _cut(place: int, size: int) -> str:
    if place == size:
        return "cut off: it has no index, all samples up to its end are there"
    return f"cut off: {size - place} bytes of an unfinished record were skipped"


def _take_record(found: McapFile, opcode: int, data: bytes, place: int) -> None:
    stream = ReadDataStream(io.BytesIO(data))
    try:
        if opcode == Opcode.METADATA:
            record = Metadata.read(stream)
            found.metadata.setdefault(record.name, record.metadata)
        else:
            channel = Channel.read(stream)
            if channel.message_encoding == "json":
                found.topics.setdefault(channel.id, channel.topic)
    except _BROKEN:
        found.note(f"a damaged record at byte {place} was skipped")


def _unpack(found: McapFile, place: int, data: bytes) -> bytes:
    """Return the bytes of a chunk, or nothing if it is damaged."""
    try:
        _, _, size, crc, name_length = _CHUNK.unpack_from(data)
        name = data[_CHUNK.size : _CHUNK.size + name_length]
        (length,) = struct.unpack_from("<Q", data, _CHUNK.size + name_length)
        packed = data[_CHUNK.size + name_length + 8 :]
        if length != len(packed) or size > MAX_RECORD:
            raise ValueError
        body = _decompress(name, packed, size)
        if crc not in (0, zlib.crc32(body)):
            raise ValueError
        return body
    except (ValueError, struct.error, zstandard.ZstdError, MemoryError):
        found.note(f"a damaged chunk at byte {place} was skipped")
        return b""


def _decompress(name: bytes, packed: bytes, size: int) -> bytes:
    """Unpack a chunk of a declared size, and never more than that."""
    if name == b"":
        body = packed
    elif name == b"zstd":
        with zstandard.ZstdDecompressor().stream_reader(packed) as stream:
            body = stream.read(size + 1)
    else:
        raise ValueError
    if len(body) != size:
        raise ValueError
    return body


def _messages(
    found: McapFile, place: int, body: bytes, topics: Collection[str]
) -> Iterator[RawMessage]:
    at, end = 0, len(body)
    while at + _RECORD.size <= end:
        opcode, length = _RECORD.unpack_from(body, at)
        at += _RECORD.size
        if at + length > end:
            break
        if opcode == Opcode.MESSAGE and length >= _MESSAGE.size:
            number, sequence, time, _ = _MESSAGE.unpack_from(body, at)
            topic = found.topics.get(number, "")
            if topic in topics:
                data = body[at + _MESSAGE.size : at + length]
                yield RawMessage(topic, time, sequence, data)
        elif opcode == Opcode.CHANNEL:
            _take_record(found, opcode, body[at : at + length], place)
        at += length
    if at != end:
        found.note(f"a chunk at byte {place} holds a damaged record")
