"""The text of a BVH file: hierarchy of joints and table of channel values.

BVH has no standard. Accepted are any case and white space, any channels in any order on
any joint, joints without channels, names with spaces and colons, nested end sites,
several roots, and motion values broken over lines at will. Everything else is refused
with the line where it was seen.
"""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from retarget.errors import BadRecording
from retarget.so3 import Array

__all__ = ["CHANNELS", "BvhJoint", "BvhText", "parse_bvh", "read_text"]

CHANNELS = (
    "xposition",
    "yposition",
    "zposition",
    "xrotation",
    "yrotation",
    "zrotation",
)

MAX_BYTES = 500_000_000  # hours at 120 Hz; beyond it a mistaken file
MAX_DEPTH = 200  # joints below each other; a hand-made rig has some 30
MAX_JOINTS = 5000
MAX_VALUE = 1e9  # larger lengths or angles are damage, and overflow later
RATES = (1.0, 2000.0)  # [Hz]


@dataclass(frozen=True, slots=True, kw_only=True)
class BvhJoint:
    """One joint or end site.

    Attributes:
        name: As in the file; an end site is called after its parent.
        parent: Index of the parent, -1 for a root.
        offset: From the parent in its axes (3,), file units.
        channels: Lower-case names out of `CHANNELS`, in the order of the file.
        is_end: Whether it is an end site.
    """

    name: str
    parent: int
    offset: tuple[float, float, float]
    channels: tuple[str, ...]
    is_end: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BvhText:
    """A parsed file.

    Attributes:
        joints: In the order of the file, parents first.
        frame_time: [s].
        values: Channel values (t, c), all channels of all joints in order.
    """

    joints: tuple[BvhJoint, ...]
    frame_time: float
    values: Array


@dataclass(slots=True)
class _Draft:
    """A joint whose block is still open."""

    name: str
    parent: int
    is_end: bool
    line: int
    offset: tuple[float, float, float] | None = None
    channels: tuple[str, ...] = ()


def read_text(path: Path) -> str:
    """Read a text file of unknown encoding, with any line ends.

    Raises:
        BadRecording: If it cannot be read, is empty or is not text.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadRecording(path, f"larger than {MAX_BYTES // 1_000_000} MB")
        data = path.read_bytes()
    except OSError as error:
        raise BadRecording(path, error.strerror or str(error)) from error
    if not data.strip():
        raise BadRecording(path, "the file is empty")
    try:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            text = data.decode("utf-16")
        else:
            text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # only names can be affected
    if "\0" in text:
        raise BadRecording(path, "not a text file: it holds zero bytes")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_bvh(text: str, path: str | Path) -> BvhText:
    """Parse the text of a BVH file.

    Raises:
        BadRecording: With the line, frame or joint where something is wrong.
    """
    lines = text.split("\n")
    joints, motion_line = _hierarchy(lines, path)
    count, frame_time, first = _motion_header(lines, motion_line, path)
    values = _values(lines, first, (count, joints), path)
    return BvhText(joints=joints, frame_time=frame_time, values=values)


def _words(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield line number and word; a joint's name, however written, is one word."""
    for number, line in enumerate(lines, start=1):
        rest = line.strip()
        while rest:
            word, _, rest = _partition(rest)
            yield number, word
            if word.upper() in ("ROOT", "JOINT", "END"):
                name, brace, rest = rest.partition("{")
                yield number, name.strip()
                rest = brace + rest


def _partition(rest: str) -> tuple[str, str, str]:
    if rest[0] in "{}":
        return rest[0], "", rest[1:].strip()
    match = re.match(r"[^\s{}]+", rest)
    end = match.end() if match else len(rest)
    return rest[:end], "", rest[end:].strip()


def _hierarchy(lines: list[str], path: str | Path) -> tuple[tuple[BvhJoint, ...], int]:
    """Parse up to the word MOTION; return the joints and the line of that word."""
    words = _words(lines)
    number, word = next(words, (1, ""))
    if word.upper() != "HIERARCHY":
        problem = "not a BVH file: it does not begin with HIERARCHY"
        raise BadRecording(path, problem, place=f"line {number}")
    drafts: list[_Draft] = []
    open_blocks: list[int] = []
    for number, word in words:
        upper = word.upper()
        place = f"line {number}"
        if upper in ("ROOT", "JOINT", "END"):
            _open(drafts, open_blocks, words, (upper, place, number), path)
        elif upper == "MOTION" and not open_blocks:
            return _finished(drafts, path), number
        elif upper == "MOTION":
            name = drafts[open_blocks[-1]].name
            problem = f"the block of joint {name} is not closed: a '}}' is missing"
            raise BadRecording(path, problem, place=place)
        elif not open_blocks:
            raise BadRecording(path, f"unexpected {word!r}", place=place)
        elif upper == "OFFSET":
            x, y, z = (_number(words, path) for _ in range(3))
            drafts[open_blocks[-1]].offset = (x, y, z)
        elif upper == "CHANNELS":
            drafts[open_blocks[-1]].channels = _channels(words, path)
        elif upper == "}":
            open_blocks.pop()
        else:
            raise BadRecording(path, f"unexpected {word!r}", place=place)
    raise BadRecording(path, "it ends before MOTION: truncated", place=f"line {number}")


def _open(
    drafts: list[_Draft],
    open_blocks: list[int],
    words: Iterator[tuple[int, str]],
    seen: tuple[str, str, int],
    path: str | Path,
) -> None:
    upper, place, number = seen
    _, name = next(words, (0, ""))
    parent = open_blocks[-1] if open_blocks else -1
    if upper == "END":
        name = f"{drafts[parent].name} End" if parent >= 0 else "End"
    if (upper == "ROOT") != (parent < 0):
        where = "inside another joint" if parent >= 0 else "outside any ROOT"
        raise BadRecording(path, f"{upper} {name} stands {where}", place=place)
    if not name:
        raise BadRecording(path, f"{upper} without a name", place=place)
    if next(words, (0, ""))[1] != "{":
        raise BadRecording(path, f"no '{{' after {upper} {name}", place=place)
    if len(open_blocks) >= MAX_DEPTH or len(drafts) >= MAX_JOINTS:
        problem = f"more than {MAX_DEPTH} nested or {MAX_JOINTS} joints in all"
        raise BadRecording(path, problem, place=place)
    open_blocks.append(len(drafts))
    drafts.append(_Draft(name=name, parent=parent, is_end=upper == "END", line=number))


def _number(words: Iterator[tuple[int, str]], path: str | Path) -> float:
    number, word = next(words, (0, "the end"))
    try:
        value = _strict_float(word)
    except ValueError as error:
        problem = f"expected a number, found {word[:40]!r}"
        raise BadRecording(path, problem, place=f"line {number}") from error
    if not abs(value) <= MAX_VALUE:
        problem = f"the value {value:g} makes no sense"
        raise BadRecording(path, problem, place=f"line {number}")
    return value


def _strict_float(word: str) -> float:
    if "_" in word:  # Python reads 1_000, a file that holds it is damaged
        raise ValueError(word)
    return float(word)


def _channels(words: Iterator[tuple[int, str]], path: str | Path) -> tuple[str, ...]:
    number, word = next(words, (0, "the end"))
    if not (word.isascii() and word.isdigit()) or int(word[:4]) > len(CHANNELS):
        problem = f"expected 0 to {len(CHANNELS)} channels, found {word[:40]!r}"
        raise BadRecording(path, problem, place=f"line {number}")
    names: list[str] = []
    for _ in range(int(word)):
        number, word = next(words, (number, "the end"))
        name = word.lower()
        if name not in CHANNELS or (name in names and name.endswith("position")):
            problem = f"bad channel {word[:40]!r}; known: {', '.join(CHANNELS)}"
            raise BadRecording(path, problem, place=f"line {number}")
        names.append(name)
    return tuple(names)


def _finished(drafts: list[_Draft], path: str | Path) -> tuple[BvhJoint, ...]:
    if not drafts:
        raise BadRecording(path, "the hierarchy holds no joint")
    joints = []
    used: set[str] = set()
    for draft in drafts:
        if draft.offset is None:
            problem = f"joint {draft.name} has no OFFSET"
            raise BadRecording(path, problem, place=f"line {draft.line}")
        joints.append(
            BvhJoint(
                name=_unique(draft.name, used),
                parent=draft.parent,
                offset=draft.offset,
                channels=draft.channels,
                is_end=draft.is_end,
            )
        )
    if not any(joint.channels for joint in joints):
        raise BadRecording(path, "no joint has a channel: nothing can move")
    return tuple(joints)


def _unique(name: str, used: set[str]) -> str:
    unique, count = name, 1
    while unique in used:
        count += 1
        unique = f"{name}#{count}"
    used.add(unique)
    return unique


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
        frame_time = _strict_float(word)
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
    lines: list[str],
    first: int,
    expected: tuple[int, tuple[BvhJoint, ...]],
    path: str | Path,
) -> Array:
    """Read the table of values, one frame per line or broken at will."""
    count, joints = expected
    width = sum(len(joint.channels) for joint in joints)
    rows = [(i, line.split()) for i, line in enumerate(lines[first:], start=first + 1)]
    rows = [(i, words) for i, words in rows if words]
    total = sum(len(words) for _, words in rows)
    _require_complete(rows, (count, width, total), path)
    values = _floats(rows, path)
    bad = ~(np.abs(values) <= MAX_VALUE)  # true for nan as well
    if bad.any():
        index = int(np.argmax(bad))
        owner = [joint.name for joint in joints for _ in joint.channels]
        place = f"frame {index // width}, joint {owner[index % width]}"
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
        if any("_" in word for _, words in rows[:1] for word in words):
            raise ValueError
        return np.array([float(word) for _, words in rows for word in words])
    except ValueError:
        pass
    for line, words in rows:
        for word in words:
            try:
                _strict_float(word)
            except ValueError as error:
                problem = f"expected a number, found {word[:40]!r}"
                raise BadRecording(path, problem, place=f"line {line}") from error
    raise BadRecording(path, "a value is not a number")
