"""OpenSim's storage files: a header up to `endheader`, labels, numbers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.so3 import Array

__all__ = ["StorageTable", "read_table"]

_MOST_BYTES = 1 << 30
_MOST_HEADER = 200  # lines


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageTable:
    """Columns over time.

    Attributes:
        path: The file.
        labels: Of the columns, without time.
        time: (t,) [s].
        values: (t, c).
        in_degrees: Whether angles are in degrees.
    """

    path: str
    labels: tuple[str, ...]
    time: Array
    values: Array
    in_degrees: bool

    def column(self, label: str) -> Array:
        """Return one column (t,)."""
        if label not in self.labels:
            raise BadRecording(self.path, f"has no column {label!r}")
        return self.values[:, self.labels.index(label)]


def read_table(path: Path) -> StorageTable:
    """Read a `.mot` or `.sto` file.

    Raises:
        BadRecording: Naming the line and the problem.
    """
    path = Path(path)
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise BadRecording(path, "is larger than 1 GB")
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise BadRecording(path, f"cannot be read: {error.strerror}") from error
    words = [line.strip().lower() for line in lines[:_MOST_HEADER]]
    if "endheader" not in words:
        raise BadRecording(path, "is no table of OpenSim: no line `endheader`")
    start = words.index("endheader") + 1
    while start < len(lines) and not lines[start].strip():
        start += 1
    labels = lines[start].split() if start < len(lines) else []
    if len(labels) < 2 or labels[0].lower() != "time":
        problem = "the line after the header must be time and the other columns"
        raise BadRecording(path, problem, place=f"line {start + 1}")
    values = _rows(lines, start + 1, len(labels), path)
    stated = _stated_rows(words[:start])
    if stated is not None and len(values) < stated:
        problem = f"{len(values)} of {stated} rows are there: it was cut off"
        raise BadRecording(path, problem, place=f"line {len(lines)}")
    if not np.all(np.diff(values[:, 0]) > 0.0):
        raise BadRecording(path, "its time does not increase")
    return StorageTable(
        path=str(path),
        labels=tuple(labels[1:]),
        time=values[:, 0],
        values=values[:, 1:],
        in_degrees="indegrees=yes" in [word.replace(" ", "") for word in words[:start]],
    )


def _stated_rows(words: list[str]) -> int | None:
    for word in words:
        key, _, value = word.partition("=")
        if key.strip() == "nrows" and value.strip().isdigit() and len(value) < 12:
            return int(value)
    return None


def _rows(lines: list[str], start: int, width: int, path: Path) -> Array:
    rows = []
    for number, line in enumerate(lines[start:], start + 1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != width:
            problem = f"{len(fields)} columns, expected {width}"
            raise BadRecording(path, problem, place=f"line {number}")
        try:
            rows.append([float(x) for x in fields])
        except ValueError as error:
            raise BadRecording(path, str(error)[:80], place=f"line {number}") from error
    if not rows:
        raise BadRecording(path, "holds no rows")
    return np.array(rows)
