"""MVN's messages about a person rather than a pose: name (12) and size (13)."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.human_size import HumanSize
from telexist.retarget.recordings.mvnx import find_body
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.so3 import Array
from telexist.teleop.devices.base import MAX_DISTANCE, RefusedMessage, metres_per_unit
from telexist.teleop.devices.xsens.mxtp import HEADER_SIZE

__all__ = ["Character", "ScalePoint", "build_meta", "build_scale", "parse_meta"]

MAX_TEXT = 64  # characters of a name
MAX_SEGMENTS, MAX_POINTS = 80, 512
_BY_FOLDED = {name.casefold(): name for name in SEGMENTS}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalePoint:
    """A point of a segment: in its frame [m], all frames parallel in T-pose."""

    segment: int
    number: int
    name: str
    position: Array


@dataclass(slots=True)
class Character:
    """What is known of a person; grows with each message 13.

    Attributes:
        origins: Segment to its origin in T-pose (3,), unit of the wire.
        points: Segment to point to its place in the segment (3,), unit of the wire.
    """

    origins: dict[str, Array] = field(default_factory=dict)
    points: dict[str, dict[str, Array]] = field(default_factory=dict)

    def add_scale(self, data: bytes) -> None:
        """Take a message 13.

        Raises:
            RefusedMessage: If it does not hold what it announces.
        """
        reader = _Reader(data, HEADER_SIZE)
        origins, points = {}, []
        for _ in range(reader.count(MAX_SEGMENTS)):
            name = _BY_FOLDED.get(reader.text().replace(" ", "").casefold())
            position = reader.vector()
            if name is not None:
                origins[name] = position
        for _ in range(reader.count(MAX_POINTS)):
            segment, _, name, _ = *reader.shorts(), reader.text(), reader.word()
            points.append((segment, name, reader.vector()))
        reader.require_end()
        self.origins.update(origins)
        for segment, name, position in points:
            if 1 <= segment <= len(SEGMENTS) and len(self.points) <= len(SEGMENTS):
                known = self.points.setdefault(SEGMENTS[segment - 1], {})
                if len(known) < MAX_POINTS:
                    known[name] = position

    def size(self) -> HumanSize | None:
        """Return the person's size in N-pose, or None if too little is known."""
        if any(name not in self.origins for name in SEGMENTS):
            return None
        positions = np.stack([self.origins[name] for name in SEGMENTS])
        scale = metres_per_unit(SEGMENTS, positions)
        points = {
            segment: {name: scale * p for name, p in known.items()}
            for segment, known in self.points.items()
        }
        upright = np.tile(np.eye(3), (1, len(SEGMENTS), 1, 1))
        try:
            place = Path("MVN's scaling data")
            return find_body(place, points, upright, scale * positions[None], None).size
        except BadInput:
            return None


class _Reader:
    """Reads big-endian fields one after the other."""

    def __init__(self, data: bytes, start: int) -> None:
        self._data, self._at = data, start

    def _fields(self, layout: str) -> tuple[int | float, ...]:
        size = struct.calcsize(layout)
        if self._at + size > len(self._data):
            raise RefusedMessage("malformed", "scaling data end too early")
        fields = struct.unpack_from(layout, self._data, self._at)
        self._at += size
        return fields

    def word(self) -> int:
        return int(self._fields(">I")[0])

    def shorts(self) -> tuple[int, int]:
        first, second = self._fields(">HH")
        return int(first), int(second)

    def count(self, most: int) -> int:
        count = self.word()
        if count > most:
            raise RefusedMessage("malformed", f"scaling data of {count} entries")
        return count

    def text(self) -> str:
        length = self.count(MAX_TEXT)
        if self._at + length > len(self._data):
            raise RefusedMessage("malformed", "scaling data end too early")
        raw = self._data[self._at : self._at + length]
        self._at += length
        return raw.decode("utf-8", "replace")

    def vector(self) -> Array:
        vector = np.array(self._fields(">3f"), dtype=np.float64)
        if not (np.abs(vector) <= MAX_DISTANCE).all():  # NaN is not either
            raise RefusedMessage("nan", "scaling data not finite")
        return vector

    def require_end(self) -> None:
        if self._at != len(self._data):
            raise RefusedMessage("malformed", "scaling data longer than announced")


def parse_meta(data: bytes) -> Mapping[str, str]:
    """Read a message 12: tags such as "name", "xmid" and "color"."""
    text = data[HEADER_SIZE:].decode("utf-8", "replace")
    tags = {}
    for line in text.splitlines()[:MAX_TEXT]:
        tag, colon, value = line.partition(":")
        tag = "".join(c for c in tag if c.isalnum()).casefold()
        if colon and tag:
            tags[tag[:MAX_TEXT]] = "".join(c for c in value if c.isprintable())[
                :MAX_TEXT
            ]
    return tags


def build_meta(tags: Mapping[str, str]) -> bytes:
    """Return the payload of a message 12."""
    return "".join(f"{tag}:{value}\n" for tag, value in tags.items()).encode()


def build_scale(origins: Mapping[str, Array], points: list[ScalePoint]) -> bytes:
    """Return the payload of a message 13 with T-pose origins and points [m]."""
    parts = [struct.pack(">I", len(origins))]
    for name, origin in origins.items():
        parts.append(_text(name) + struct.pack(">3f", *origin))
    parts.append(struct.pack(">I", len(points)))
    for point in points:
        parts.append(struct.pack(">HH", point.segment, point.number))
        parts.append(_text(point.name) + struct.pack(">I3f", 0, *point.position))
    return b"".join(parts)


def _text(text: str) -> bytes:
    raw = text.encode()
    return struct.pack(">i", len(raw)) + raw
