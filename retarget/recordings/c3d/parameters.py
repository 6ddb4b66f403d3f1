"""The parameter section of a C3D file, read with suspicion.

Layout after c3d.org's user guide: groups and parameters follow each other, each with
the distance to the next; an element is a character, byte, 16 bit integer or float in
the byte order and float format of the processor that wrote the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording

__all__ = ["BLOCK", "Numbers", "ParameterTable"]

BLOCK = 512  # [byte]
_PROCESSORS = {84: "<", 85: "dec", 86: ">"}
_MOST_VALUES = 1 << 20  # of one parameter; real ones stay below some thousand


class Numbers:
    """Reads integers and floats as the file's processor wrote them."""

    def __init__(self, processor: int, path: Path) -> None:
        """Take the processor's code: 84 Intel, 85 DEC, 86 MIPS or SUN."""
        if processor not in _PROCESSORS:
            problem = f"its processor code is {processor}, known: 84, 85, 86"
            raise BadRecording(path, problem, place="parameters")
        kind = _PROCESSORS[processor]
        self._dec = kind == "dec"
        self._order = "<" if self._dec else kind

    def integers(self, data: bytes | memoryview) -> np.ndarray:
        """Return 16 bit integers."""
        return np.frombuffer(data, f"{self._order}i2")

    def floats(self, data: bytes | memoryview) -> np.ndarray:
        """Return 32 bit floats as float64; DEC's have swapped halves and times four."""
        if not self._dec:
            return np.frombuffer(data, f"{self._order}f4").astype(np.float64)
        halves = np.frombuffer(data, "<u2").reshape(-1, 2)
        bits = (halves[:, 0].astype(np.uint32) << 16) | halves[:, 1]
        values = bits.view(np.float32).astype(np.float64) / 4.0
        values[halves[:, 0] == 0] = 0.0
        return values


class ParameterTable:
    """Parameters by group and name, in capitals."""

    def __init__(self, data: bytes, start: int, path: Path) -> None:
        """Read the section.

        Args:
            data: The whole file.
            start: Where the section begins [byte].
            path: The file, for messages.

        Raises:
            BadRecording: If the section is damaged.
        """
        if start < BLOCK or start + 4 > len(data):
            raise BadRecording(path, "points outside the file", place="parameters")
        self._path = path
        self.numbers = Numbers(data[start + 3], path)
        self._values: dict[str, dict[str, np.ndarray | list[str]]] = {}
        groups: dict[int, str] = {}
        waiting: list[tuple[int, str, bytes]] = []
        place = start + 4
        while place + 2 <= len(data):
            length = abs(int.from_bytes(data[place : place + 1], "little", signed=True))
            number = int.from_bytes(data[place + 1 : place + 2], "little", signed=True)
            if length == 0 or number == 0:
                break
            end_name = place + 2 + length
            if end_name + 2 > len(data):
                break
            name = data[place + 2 : end_name].decode("latin-1").strip().upper()
            offset = int(self.numbers.integers(data[end_name : end_name + 2])[0])
            after = end_name + (offset & 0xFFFF) if offset else len(data)
            body = data[end_name + 2 : min(after, len(data))]
            if number < 0:
                groups[-number] = name
            else:
                waiting.append((number, name, body))
            if offset == 0:
                break
            place = after
        for number, name, body in waiting:
            group = groups.get(number, "")
            value = self._value(body, f"{group}:{name}")
            if value is not None:
                self._values.setdefault(group, {})[name] = value
        if "POINT" not in self._values:
            raise BadRecording(path, "have no group POINT", place="parameters")

    def _value(self, body: bytes, place: str) -> np.ndarray | list[str] | None:
        """Return an array, first index fastest in the file and first here; or texts."""
        if len(body) < 2:
            return None
        kind = int.from_bytes(body[:1], "little", signed=True)
        rank = body[1]
        if kind not in (-1, 1, 2, 4) or rank > 7 or len(body) < 2 + rank:
            return None
        shape = tuple(body[2 : 2 + rank])
        count = int(np.prod(shape, dtype=np.int64)) if rank else 1
        data = body[2 + rank : 2 + rank + count * abs(kind)]
        if count > _MOST_VALUES or len(data) < count * abs(kind):
            problem = f"is {shape} values long, which the file is not"
            raise BadRecording(self._path, problem, place=place)
        if kind == -1:
            return _texts(data, shape)
        if kind == 1:
            values = np.frombuffer(data, np.int8)
        elif kind == 2:
            values = self.numbers.integers(data)
        else:
            values = self.numbers.floats(data)
        return values.reshape(shape, order="F")

    def group(self, name: str) -> Mapping[str, np.ndarray | list[str]]:
        """Return the parameters of a group; empty if there is none."""
        return self._values.get(name, {})

    def array(self, group: str, name: str) -> np.ndarray:
        """Return numbers; empty if there are none."""
        value = self.group(group).get(name)
        return value if isinstance(value, np.ndarray) else np.empty(0)

    def number(self, group: str, name: str) -> float | None:
        """Return the first number of a parameter, if there is one."""
        values = self.array(group, name).ravel()
        return float(values[0]) if len(values) else None

    def texts(self, group: str, name: str) -> list[str]:
        """Return all texts of NAME, NAME2, NAME3, ...: one parameter holds 255."""
        found: list[str] = []
        for suffix in ("", *map(str, range(2, 100))):
            value = self.group(group).get(f"{name}{suffix}")
            if not isinstance(value, list):
                if suffix:
                    break
                continue
            found += value
        return found


def _texts(data: bytes, shape: tuple[int, ...]) -> list[str]:
    width = shape[0] if shape else 1
    if width == 0:
        return []
    return [
        data[k : k + width].decode("latin-1").replace("\0", " ").strip()
        for k in range(0, len(data), width)
    ]
