"""The motion part of a BVH file: frame count, frame time and a table of numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings.bvh.numbers import plain_table
from telexist.retarget.so3 import Array

__all__ = ["MAX_VALUE", "MotionTable", "parse_motion", "strict_float"]

MAX_VALUE = 1e9  # larger lengths or angles are damage, and overflow later
RATES = (1.0, 2000.0)  # [Hz]


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionTable:
    """Frame time [s] and channel values (t, c)."""

    frame_time: float
    values: Array


def strict_float(word: str) -> float:
    """Read a number as a file may write it; ValueError otherwise."""
    if _only_python_reads(word):
        raise ValueError(word)
    return float(word)


def _only_python_reads(text: str) -> bool:
    """Return whether `float` would be too kind: 1_000 or digits of other scripts."""
    return "_" in text or not text.isascii()


def parse_motion(
    lines: list[str], motion_line: int, owners: Sequence[str], path: str | Path
) -> MotionTable:
    """Parse everything after the word MOTION.

    Args:
        lines: The whole file.
        motion_line: Number of the line with MOTION, from 1.
        owners: Name of the joint of each channel (c,), for messages.
        path: The file, for messages.

    Raises:
        BadRecording: With the line or the frame and joint where something is wrong.
    """
    count, frame_time, first = _motion_header(lines, motion_line, path)
    values = _values(lines, first, (count, owners), path)
    return MotionTable(frame_time=frame_time, values=values)


def _motion_header(
    lines: list[str], motion_line: int, path: str | Path
) -> tuple[int, float, int]:
    """Return frame count, frame time and index of the first line of values."""
    filled = (i for i in range(motion_line, len(lines)) if lines[i].strip())
    found: list[str] = []
    index = motion_line - 1
    for pattern, label in (
        (r"frames\s*:?\s*(\S+)$", "Frames:"),
        (r"frame\s*time\s*:?\s*(\S+)$", "Frame Time:"),
    ):
        index = next(filled, -1)
        line = lines[index].strip() if index >= 0 else "the end of the file"
        match = re.match(pattern, line, re.IGNORECASE)
        if match is None:
            problem = f"expected '{label}', found {line[:40]!r}"
            raise BadRecording(path, problem, place=f"line {index + 1}")
        found.append(match[1])
    count = _frame_count(found[0], path)
    return count, _frame_time(found[1], path, index + 1), index + 1


def _frame_count(word: str, path: str | Path) -> int:
    if not (word.isascii() and word.isdigit()) or len(word) > 12:
        raise BadRecording(
            path, f"'{word[:40]}' is no number of frames", place="Frames"
        )
    count = int(word)
    if count == 0:
        raise BadRecording(path, "it holds no frames", place="Frames")
    if count == 1:
        problem = "it holds only one frame: nothing moves"
        raise BadRecording(path, problem, place="Frames")
    return count


def _frame_time(word: str, path: str | Path, line: int) -> float:
    try:
        frame_time = strict_float(word)
    except ValueError:
        frame_time = math.nan
    if not 1.0 / RATES[1] <= frame_time <= 1.0 / RATES[0]:
        problem = (
            f"a frame time of '{word[:40]}' s makes no sense: "
            f"allowed are {RATES[0]:g} to {RATES[1]:g} frames per second"
        )
        raise BadRecording(path, problem, place=f"line {line}")
    return frame_time


def _values(
    lines: list[str], first: int, expected: tuple[int, Sequence[str]], path: str | Path
) -> Array:
    """Read the table of values, one frame per line or broken at will."""
    count, owners = expected
    width = len(owners)
    table = plain_table("\n".join(lines[first:]), count, width)
    if table is not None and (np.abs(table) <= MAX_VALUE).all():
        return table
    rows = [(i, line.split()) for i, line in enumerate(lines[first:], start=first + 1)]
    rows = [(i, words) for i, words in rows if words]
    total = sum(len(words) for _, words in rows)
    _require_complete(rows, (count, width, total), path)
    values = _floats(rows, path)
    bad = ~(np.abs(values) <= MAX_VALUE)  # true for nan as well
    if bad.any():
        index = int(np.argmax(bad))
        place = f"frame {index // width}, joint {owners[index % width]}"
        raise BadRecording(path, f"the value is {values[index]:g}", place=place)
    return values.reshape(count, width)


def _require_complete(
    rows: list[tuple[int, list[str]]], sizes: tuple[int, int, int], path: str | Path
) -> None:
    count, width, total = sizes
    by_line = sum(len(words) == width for _, words in rows) * 2 > len(rows)
    if by_line:
        for frame, (line, words) in enumerate(rows):
            if len(words) != width and frame < count:
                problem = f"{len(words)} values instead of {width}"
                place = f"line {line}, frame {frame}"
                raise BadRecording(path, problem, place=place)
    if total != count * width:
        problem = (
            f"{count} frames of {width} values are announced, "
            f"the file holds {total / width:.6g} frames"
        )
        raise BadRecording(path, problem, place="Frames")


def _floats(rows: list[tuple[int, list[str]]], path: str | Path) -> Array:
    try:
        if any(_only_python_reads("".join(words)) for _, words in rows):
            raise ValueError
        return np.array([float(word) for _, words in rows for word in words])
    except ValueError:
        pass
    for line, words in rows:
        for word in words:
            try:
                strict_float(word)
            except ValueError as error:
                problem = f"expected a number, found {word[:40]!r}"
                raise BadRecording(path, problem, place=f"line {line}") from error
    raise BadRecording(path, "a value is not a number")
