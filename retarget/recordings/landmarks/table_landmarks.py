"""CSV of landmarks: three columns a landmark, or a line for each.

`left_hip_x, left_hip_y, left_hip_z`, `LEFT_HIP.x`, `23_x` or `x23` are all understood;
in a table with a line a landmark, `landmark` holds its name or number.
"""

from __future__ import annotations

import csv
import math
import re
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings.landmarks.landmark_motion import (
    LandmarkMotion,
    checked_motion,
)
from telexist.retarget.recordings.landmarks.landmark_sets import (
    COUNTS,
    place_of_name,
    places_of_count,
)
from telexist.retarget.so3 import Array

__all__ = ["table_landmarks"]

MAX_BYTES = 500_000_000
_TIMES = {"time": 1.0, "timestamp": 1.0, "timestamp_s": 1.0, "timestamp_ms": 1e-3}
_FRAME = ("frame", "frame_id", "frame_index", "frame_number")
_LANDMARK = ("landmark", "landmark_id", "landmark_name", "keypoint", "joint", "name")
_NUMBER = re.compile(r"\d{1,9}$")  # at the end of a landmark's name
_SEEN = 0.2  # visibility below which a point is not believed


def table_landmarks(path: Path) -> LandmarkMotion:
    """Read the landmarks in a CSV file.

    Raises:
        BadRecording: Naming the line, or what the columns lack.
    """
    header, rows = _table(path)
    words = [word.strip().lower() for word in header]
    long = next((k for k, word in enumerate(words) if word in _LANDMARK), None)
    if long is not None and {"x", "y"} <= set(words):
        return _by_lines(path, words, rows, long)
    return _by_columns(path, header, rows)


def _table(path: Path) -> tuple[list[str], list[list[str]]]:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadRecording(path, f"larger than {MAX_BYTES} bytes")
        text = path.read_text(encoding="utf-8-sig", errors="replace")
        lines = [row for row in csv.reader(text.splitlines()) if row]
    except OSError as error:
        raise BadRecording(path, error.strerror or str(error)) from error
    except csv.Error as error:
        raise BadRecording(path, f"is no table: {error}") from error
    if len(lines) < 2:
        raise BadRecording(path, "is empty" if not lines else "holds no rows")
    for number, row in enumerate(lines[1:], 2):
        if len(row) != len(lines[0]):
            problem = f"{len(row)} columns, expected {len(lines[0])}"
            raise BadRecording(path, problem, place=f"line {number}")
    return lines[0], lines[1:]


def _number(path: Path, text: str, line: int) -> float:
    if not text.strip():
        return math.nan
    try:
        return float(text)
    except ValueError as error:
        problem = f"expected a number, found {text[:40]!r}"
        raise BadRecording(path, problem, place=f"line {line}") from error


def _column(path: Path, rows: list[list[str]], k: int) -> Array:
    return np.array([_number(path, row[k], i) for i, row in enumerate(rows, 2)])


def _by_columns(path: Path, header: list[str], rows: list[list[str]]) -> LandmarkMotion:
    found: dict[str, dict[str, int]] = {}
    for k, word in enumerate(header):
        name, axis = _split(word)
        if axis:
            found.setdefault(name, {})[axis] = k
    found = {name: axes for name, axes in found.items() if {"x", "y"} <= set(axes)}
    names = _named(list(found))
    if not any(names.values()):
        known = ", ".join(header[:4])
        raise BadRecording(path, f"no columns of landmarks among {known}, ...")
    points = {}
    for name, axes in found.items():
        if not names[name]:
            continue
        if "z" not in axes:
            raise BadRecording(path, _flat(name))
        table = np.stack([_column(path, rows, axes[a]) for a in "xyz"], axis=1)
        if "v" in axes:
            table[_column(path, rows, axes["v"]) < _SEEN] = np.nan
        points[names[name]] = table
    time = _time(path, [word.strip().lower() for word in header], rows)
    return checked_motion(path, time, points, f"landmarks: {len(points)} of CSV")


def _flat(name: str) -> str:
    return f"{name} has no z (2D): landmarks in space are needed"


def _split(word: str) -> tuple[str, str]:
    """Return landmark and axis of a column's title; no axis if it has none."""
    word = word.strip()
    end = re.fullmatch(r"(.+?)[\s_.\-:]*(x|y|z|visibility|vis|v)", word, re.I)
    if end:
        axis = end.group(2).lower()
        return end.group(1), "v" if axis.startswith("v") else axis
    start = re.fullmatch(r"(x|y|z|v)[\s_.\-]*(\d+)", word, re.I)
    return (start.group(2), start.group(1).lower()) if start else (word, "")


def _named(names: list[str]) -> dict[str, str]:
    """Return what each landmark is; of numbers, by how many there are."""
    numbers = {n: int(m.group()) for n in names if (m := _NUMBER.search(n))}
    if len(numbers) == len(names) and len(names) in COUNTS:
        first = min(numbers.values())
        places = places_of_count(len(names))
        return {
            n: places[k - first] if k - first < len(places) else ""
            for n, k in numbers.items()
        }
    return {n: place_of_name(n) or "" for n in names}


def _time(path: Path, words: list[str], rows: list[list[str]]) -> Array | None:
    for k, word in enumerate(words):
        if word in _TIMES:
            return _TIMES[word] * _column(path, rows, k)
    return None


def _by_lines(
    path: Path, words: list[str], rows: list[list[str]], long: int
) -> LandmarkMotion:
    if "z" not in words:
        raise BadRecording(path, _flat("the table"))
    keys = [k for k, w in enumerate(words) if w in _FRAME or w in _TIMES]
    if not keys:
        raise BadRecording(path, "has no column `frame` or `time`")
    of_frame = _column(path, rows, keys[0])
    values, which = np.unique(of_frame, return_inverse=True)
    labels = [row[long].strip() for row in rows]
    names = _named(sorted(set(labels), key=lambda n: (len(n), n)))
    table = np.stack([_column(path, rows, words.index(a)) for a in "xyz"], axis=1)
    points: dict[str, Array] = {}
    for row, label in enumerate(labels):
        if names[label]:
            path_of = points.setdefault(names[label], np.full((len(values), 3), np.nan))
            path_of[which[row]] = table[row]
    time = None
    if words[keys[0]] in _TIMES:
        time = _TIMES[words[keys[0]]] * values
    return checked_motion(path, time, points, f"landmarks: {len(points)} of CSV")
