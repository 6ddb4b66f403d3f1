"""Read the text of an MVNX file: Xsens' XML of poses, frame by frame.

Versions 3 and 4 are known. Quaternions are (w, x, y, z) from the segment to the world,
the world is z up, lengths are metres, times milliseconds. The file is streamed, so that
its length costs no more memory than its numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from xml.etree.ElementTree import Element, ParseError

import numpy as np
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse
from telexist.retarget.errors import BadRecording
from telexist.retarget.hands import MVN_HAND
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["MvnxFrame", "MvnxText", "read_mvnx_text"]

MAX_BYTES = 4_000_000_000  # some hours of recording
MAX_DEPTH = 40  # elements inside each other; a real file has eight
MAX_FRAMES = 5_000_000  # eleven hours at 120 Hz
_MAX_VALUE = 1e9  # [m], [rad/s], [ms]: beyond, a number is damaged

FINGER_QUANTITIES = {
    f"{name}Fingers{side}": width
    for side in ("Left", "Right")
    for name, width in (("orientation", 4), ("position", 3))
}
"""Of the 20 segments of each hand, where gloves were worn; their numbers in a row."""
_WIDTHS = {"orientation": 4, "position": 3, "velocity": 3, "angularVelocity": 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class MvnxFrame:
    """One frame.

    Attributes:
        index: Running number of the recording, or None.
        milliseconds: Time since the start, or None.
        values: Name of the quantity to its values (s, 3) or (s, 4), as in the file.
    """

    index: int | None
    milliseconds: float | None
    values: Mapping[str, Array]


@dataclass(slots=True, kw_only=True)
class MvnxText:
    """What an MVNX file holds, in the order of its own segments.

    Attributes:
        version: Of the format, as written.
        rate: Frames per second [Hz], or None.
        segments: Labels in order.
        points: Segment label to point label to position in the segment's axes (3,) [m].
        frames: The recording, without the calibration poses before it.
    """

    version: str = "unknown"
    rate: float | None = None
    segments: list[str] = field(default_factory=list)
    points: dict[str, dict[str, Array]] = field(default_factory=dict)
    frames: list[MvnxFrame] = field(default_factory=list)


def read_mvnx_text(path: Path) -> MvnxText:
    """Read the file without interpreting it.

    Raises:
        BadRecording: If it cannot be read, is not MVNX, or holds a damaged number.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadRecording(path, f"larger than {MAX_BYTES / 1e9:g} GB")
        with path.open("rb") as file:
            return _collect(path, file)
    except OSError as error:
        raise BadRecording(path, error.strerror or str(error)) from error
    except DefusedXmlException as error:
        problem = "declares XML entities, which no recording needs: not read for safety"
        raise BadRecording(path, problem) from error
    except ParseError as error:
        raise BadRecording(path, f"damaged or no XML: {error}") from error
    except (LookupError, ValueError) as error:
        raise BadRecording(path, f"damaged or no XML: {_line(error)}") from error


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


def _collect(path: Path, file: IO[bytes]) -> MvnxText:
    text = MvnxText()
    for name, element in _elements(path, file):
        if name == "mvnx":
            text.version = element.get("version", "unknown")
        elif name == "subject":
            text.rate = _number(path, element.get("frameRate"), "frameRate")
        elif name == "segment":
            _take_segment(path, text, element)
        elif name == "frame":
            _take_frame(path, text, element)
    return text


def _elements(path: Path, file: IO[bytes]) -> Iterator[tuple[str, Element]]:
    """Return the head of the file as it opens, segments and frames as they close."""
    depth, top = 0, []
    events: Any = iterparse(file, events=("start", "end"))
    for event, element in events:
        name = element.tag.rpartition("}")[2]
        if event == "start":
            depth += 1
            if depth > MAX_DEPTH:
                raise BadRecording(path, f"elements nested over {MAX_DEPTH} deep")
            if depth == 1 and name != "mvnx":
                raise BadRecording(path, f"its root is <{name[:40]}>, not <mvnx>")
            top.append(element)
            if name in ("mvnx", "subject"):
                yield name, element
            continue
        depth -= 1
        top.pop()
        if name in ("segment", "frame"):
            yield name, element
            element.clear()
            if top:
                top[-1].remove(element)


def _take_segment(path: Path, text: MvnxText, element: Element) -> None:
    label = element.get("label", "")
    if label in text.points:
        raise BadRecording(path, "occurs twice", place=f"segment {label[:40]}")
    text.segments.append(label)
    text.points[label] = {}
    for point in element.iter():
        if not point.tag.endswith("point"):
            continue
        position = next((p for p in point if "pos_" in p.tag), None)
        if position is not None:
            place = f"segment {label[:40]}"
            values = _numbers(path, position.text, place)
            if values.shape == (3,):
                text.points[label][point.get("label", "")] = values


def _take_frame(path: Path, text: MvnxText, element: Element) -> None:
    if element.get("type", "normal") != "normal":
        return  # identity, tpose, npose, ...: the bones tell as much
    place = f"frame {len(text.frames)}"
    count = len(text.segments) or len(SEGMENTS)
    values = {}
    for child in element:
        name = child.tag.rpartition("}")[2]
        if name in _WIDTHS:
            numbers = _numbers(path, child.text, f"{place}, {name}")
            if numbers.size != count * _WIDTHS[name]:
                problem = f"{numbers.size} numbers for {count} segments"
                raise BadRecording(path, problem, place=f"{place}, {name}")
            values[name] = numbers.reshape(count, _WIDTHS[name])
        elif name in FINGER_QUANTITIES:
            width = FINGER_QUANTITIES[name]
            numbers = _numbers(path, child.text, f"{place}, {name}")
            if numbers.size == MVN_HAND * width:  # else without fingers
                values[name] = numbers.reshape(MVN_HAND, width)
    frame = MvnxFrame(
        index=_index(element.get("index")),
        milliseconds=_number(path, element.get("time"), f"time of {place}"),
        values=values,
    )
    text.frames.append(frame)
    if len(text.frames) > MAX_FRAMES:
        raise BadRecording(path, f"more than {MAX_FRAMES} frames")


def _index(word: str | None) -> int | None:
    return int(word) if word and word.isascii() and word.isdigit() else None


def _number(path: Path, word: str | None, place: str) -> float | None:
    if not word:
        return None
    values = _numbers(path, word, place)
    return float(values[0]) if values.size == 1 else None


def _numbers(path: Path, words: str | None, place: str) -> Array:
    try:
        values = np.array((words or "").split(), dtype=np.float64)
    except ValueError as error:
        raise BadRecording(
            path, f"not a number: {_line(error)[:80]}", place=place
        ) from error
    if not np.all(np.abs(values) < _MAX_VALUE):
        raise BadRecording(path, "a number is not finite or far too large", place=place)
    return values
