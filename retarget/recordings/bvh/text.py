"""The text of a BVH file: hierarchy of joints and table of channel values.

BVH has no standard. Accepted are any case and white space, any channels in any order on
any joint, joints without channels, names with spaces and colons, nested end sites,
several roots, and motion values broken over lines at will. Everything else is refused
with the line where it was seen.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings.bvh.motion import (
    MAX_VALUE,
    parse_motion,
    strict_float,
)
from telexist.retarget.so3 import Array

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
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def parse_bvh(text: str, path: str | Path) -> BvhText:
    """Parse the text of a BVH file.

    Raises:
        BadRecording: With the line, frame or joint where something is wrong.
    """
    lines = text.split("\n")
    joints, motion_line = _hierarchy(lines, path)
    owners = tuple(joint.name for joint in joints for _ in joint.channels)
    table = parse_motion(lines, motion_line, owners, path)
    return BvhText(joints=joints, frame_time=table.frame_time, values=table.values)


def _words(lines: list[str], path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield line number and word; a joint's name, however written, is one word.

    Raises:
        BadRecording: At the end: nobody should ask for words after MOTION.
    """
    for number, line in enumerate(lines, start=1):
        rest = line.strip()
        while rest:
            word, _, rest = _partition(rest)
            yield number, word
            if word.upper() in ("ROOT", "JOINT", "END"):
                name, brace, rest = rest.partition("{")
                yield number, name.strip()
                rest = brace + rest
    problem = "it ends before MOTION: truncated"
    raise BadRecording(path, problem, place=f"line {len(lines)}")


def _partition(rest: str) -> tuple[str, str, str]:
    if rest[0] in "{}":
        return rest[0], "", rest[1:].strip()
    match = re.match(r"[^\s{}]+", rest)
    end = match.end() if match else len(rest)
    return rest[:end], "", rest[end:].strip()


def _hierarchy(lines: list[str], path: str | Path) -> tuple[tuple[BvhJoint, ...], int]:
    """Parse up to the word MOTION; return the joints and the line of that word."""
    words = _words(lines, path)
    number, word = next(words)
    if word.upper() != "HIERARCHY":
        problem = "not a BVH file: it does not begin with HIERARCHY"
        raise BadRecording(path, problem, place=f"line {number}")
    drafts: list[_Draft] = []
    open_blocks: list[int] = []
    while True:
        number, word = next(words)
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
            raise BadRecording(path, f"unexpected {word[:40]!r}", place=place)
        elif upper == "OFFSET":
            x, y, z = (_number(words, path) for _ in range(3))
            drafts[open_blocks[-1]].offset = (x, y, z)
        elif upper == "CHANNELS":
            drafts[open_blocks[-1]].channels = _channels(words, path)
        elif upper == "}":
            open_blocks.pop()
        else:
            raise BadRecording(path, f"unexpected {word[:40]!r}", place=place)


def _open(
    drafts: list[_Draft],
    open_blocks: list[int],
    words: Iterator[tuple[int, str]],
    seen: tuple[str, str, int],
    path: str | Path,
) -> None:
    upper, place, number = seen
    _, name = next(words)
    parent = open_blocks[-1] if open_blocks else -1
    if upper == "END":
        name = f"{drafts[parent].name} End" if parent >= 0 else "End"
    if (upper == "ROOT") != (parent < 0):
        where = "inside another joint" if parent >= 0 else "outside any ROOT"
        raise BadRecording(path, f"{upper} {name} stands {where}", place=place)
    if not name:
        raise BadRecording(path, f"{upper} without a name", place=place)
    if next(words)[1] != "{":
        raise BadRecording(path, f"no '{{' after {upper} {name}", place=place)
    if len(open_blocks) >= MAX_DEPTH or len(drafts) >= MAX_JOINTS:
        problem = f"more than {MAX_DEPTH} nested or {MAX_JOINTS} joints in all"
        raise BadRecording(path, problem, place=place)
    open_blocks.append(len(drafts))
    drafts.append(_Draft(name=name, parent=parent, is_end=upper == "END", line=number))


def _number(words: Iterator[tuple[int, str]], path: str | Path) -> float:
    number, word = next(words)
    try:
        value = strict_float(word)
    except ValueError as error:
        problem = f"expected a number, found {word[:40]!r}"
        raise BadRecording(path, problem, place=f"line {number}") from error
    if not abs(value) <= MAX_VALUE:
        problem = f"the value {value:g} makes no sense"
        raise BadRecording(path, problem, place=f"line {number}")
    return value


def _channels(words: Iterator[tuple[int, str]], path: str | Path) -> tuple[str, ...]:
    number, word = next(words)
    if not (word.isascii() and word.isdigit()) or int(word[:4]) > len(CHANNELS):
        problem = f"expected 0 to {len(CHANNELS)} channels, found {word[:40]!r}"
        raise BadRecording(path, problem, place=f"line {number}")
    names: list[str] = []
    for _ in range(int(word)):
        number, word = next(words)
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
