"""An append-only MCAP file that can be read up to wherever it was cut off.

Messages are packed here rather than by the `mcap` library's writer, which holds the
interpreter an order of magnitude longer per message; the rare records are the
library's. Schemas and channels come first, outside all chunks, so that every chunk
that reached the disk can be read without the index at the end.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Mapping
from io import FileIO
from typing import Any

import numpy as np
import orjson
import zstandard
from mcap.data_stream import RecordBuilder
from mcap.opcode import Opcode
from mcap.records import (
    Channel as ChannelRecord,
)
from mcap.records import (
    ChunkIndex,
    DataEnd,
    Footer,
    Header,
    McapRecord,
    Metadata,
    MetadataIndex,
    Schema,
    Statistics,
    SummaryOffset,
)
from telexist.teleop.recording.channels import CHANNELS, json_schema

__all__ = ["MAGIC", "McapWriter"]

MAGIC = b"\x89MCAP0\r\n"
_COMPRESSION = "zstd"
_LEVEL = 1  # higher levels take three times as long and gain nothing on digits
_MESSAGE = struct.Struct("<BQHIQQ")
_MESSAGE_FIXED = 22  # bytes of a message record before its data
_INDEX = struct.Struct("<BQHI")
_CHUNK = struct.Struct("<BQQQQII4sQ")


class McapWriter:
    """Writes messages in chunks; a chunk is whole in the file or not there at all.

    Raises of every method: OSError if the disk refuses; the file then ends after the
    last whole chunk.
    """

    def __init__(self, file: FileIO, name: str, texts: Mapping[str, str]) -> None:
        """Begin a file.

        Args:
            file: Unbuffered, empty, open for writing.
            name: Of the header's metadata record.
            texts: The header.
        """
        self._file = file
        self._end = 0
        self._crc = 0
        self._times: tuple[int, int] | None = None
        self._compress = zstandard.ZstdCompressor(level=_LEVEL).compress
        self._ids = {short: k + 1 for k, short in enumerate(CHANNELS)}
        self._counts = dict.fromkeys(self._ids.values(), 0)
        self._first, self._last = 0, 0
        self._chunk_indexes: list[bytes] = []
        self._new_chunk()
        start = MAGIC + _packed(Header(profile="", library="telexist"))
        header = _packed(Metadata(name=name, metadata=dict(texts)))
        self._header = MetadataIndex(len(start), len(header), name)
        self._append(start + header + _packed(*_schemas(), *_channels()))

    def add(self, channel: str, time: int, sequence: int, data: bytes) -> None:
        """Add one message to the open chunk.

        Args:
            channel: Short name in `CHANNELS`.
            time: Of the message, since 1970 [ns].
            sequence: Number of the turn.
            data: JSON.
        """
        number = self._ids[channel]
        self._index.setdefault(number, []).extend((time, self._size))
        sequence &= 0xFFFFFFFF
        self._parts.append(
            _MESSAGE.pack(
                Opcode.MESSAGE,
                _MESSAGE_FIXED + len(data),
                number,
                sequence,
                time,
                time,
            )
        )
        self._parts.append(data)
        self._size += _MESSAGE.size + len(data)
        if self._times is None:
            self._times = (time, time)
        else:
            self._times = (min(self._times[0], time), max(self._times[1], time))

    @property
    def waiting(self) -> int:
        """Bytes in the open chunk."""
        return self._size

    def flush(self) -> None:
        """Hand the open chunk to the operating system."""
        if self._times is None:
            return
        body = b"".join(self._parts)
        packed = self._compress(body)
        begin, end = self._times
        chunk = _CHUNK.pack(
            Opcode.CHUNK,
            _CHUNK.size - 9 + len(packed),
            begin,
            end,
            len(body),
            zlib.crc32(body),
            len(_COMPRESSION),
            _COMPRESSION.encode(),
            len(packed),
        )
        indexes, offsets = self._message_indexes(len(chunk) + len(packed))
        at = self._end
        self._append(b"".join((chunk, packed, *indexes)))
        self._remember_chunk(at, len(chunk), len(packed), len(body), offsets)
        self._new_chunk()

    def sync(self) -> None:
        """Wait until everything flushed so far is on the disk."""
        os.fsync(self._file.fileno())

    def go_on_in(self, file: FileIO) -> None:
        """Write to a copy of the file from now on, which stands at its end."""
        self._file = file

    def finish(self) -> None:
        """Flush, and write the index that viewers jump by."""
        self.flush()
        data_end = _packed(DataEnd(self._crc))
        start = self._end + len(data_end)
        summary, offset_start = self._summary(start)
        footer = struct.pack("<BQQQ", Opcode.FOOTER, 20, start, offset_start)
        crc = zlib.crc32(footer, zlib.crc32(summary))
        end = _packed(Footer(start, offset_start, crc)) + MAGIC
        self._append(data_end + summary + end)
        self.sync()

    def _new_chunk(self) -> None:
        self._parts: list[bytes] = []
        self._index: dict[int, list[int]] = {}
        self._size = 0
        self._times = None

    def _append(self, data: bytes) -> None:
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError:
            os.ftruncate(self._file.fileno(), self._end)
            raise
        self._end += len(data)
        self._crc = zlib.crc32(data, self._crc)

    def _message_indexes(self, at: int) -> tuple[list[bytes], dict[int, int]]:
        """Return the index records behind a chunk of `at` bytes, and their places."""
        records, offsets = [], {}
        for number, entries in self._index.items():
            offsets[number] = self._end + at
            body = np.array(entries, dtype="<u8").tobytes()
            head = _INDEX.pack(Opcode.MESSAGE_INDEX, 6 + len(body), number, len(body))
            records.append(head + body)
            at += len(records[-1])
        return records, offsets

    def _remember_chunk(
        self, at: int, head: int, packed: int, size: int, offsets: dict[int, int]
    ) -> None:
        begin, end = self._times or (0, 0)
        index = ChunkIndex(
            message_start_time=begin,
            message_end_time=end,
            chunk_start_offset=at,
            chunk_length=head + packed,
            message_index_offsets=offsets,
            message_index_length=self._end - at - head - packed,
            compression=_COMPRESSION,
            compressed_size=packed,
            uncompressed_size=size,
        )
        self._first = begin if not self._chunk_indexes else min(self._first, begin)
        self._last = max(self._last, end)
        self._chunk_indexes.append(_packed(index))
        for number, entries in self._index.items():
            self._counts[number] += len(entries) // 2

    def _summary(self, start: int) -> tuple[bytes, int]:
        """Return the summary section that begins at `start`, and its offsets' place."""
        groups = (
            (Opcode.SCHEMA, _packed(*_schemas())),
            (Opcode.CHANNEL, _packed(*_channels())),
            (Opcode.STATISTICS, _packed(self._statistics())),
            (Opcode.CHUNK_INDEX, b"".join(self._chunk_indexes)),
            (Opcode.METADATA_INDEX, _packed(self._header)),
        )
        offsets, at = [], start
        for opcode, group in groups:
            if group:
                offsets.append(SummaryOffset(opcode, at, len(group)))
            at += len(group)
        return b"".join(group for _, group in groups) + _packed(*offsets), at

    def _statistics(self) -> Statistics:
        return Statistics(
            attachment_count=0,
            channel_count=len(CHANNELS),
            channel_message_counts={k: n for k, n in self._counts.items() if n},
            chunk_count=len(self._chunk_indexes),
            message_count=sum(self._counts.values()),
            message_end_time=self._last,
            message_start_time=self._first,
            metadata_count=1,
            schema_count=len(CHANNELS),
        )


def _packed(*records: McapRecord) -> bytes:
    builder: Any = RecordBuilder()
    for record in records:
        record.write(builder)
    return bytes(builder.end())


def _schemas() -> list[Schema]:
    return [
        Schema(number, orjson.dumps(json_schema(channel)), "jsonschema", channel.schema)
        for number, channel in enumerate(CHANNELS.values(), start=1)
    ]


def _channels() -> list[ChannelRecord]:
    return [
        ChannelRecord(number, channel.topic, "json", dict(channel.notes), number)
        for number, channel in enumerate(CHANNELS.values(), start=1)
    ]
