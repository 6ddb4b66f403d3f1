"""TRC files: tab-separated, five lines of header, three columns a marker."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.markers import MarkerCapture, clip_from_markers
from telexist.retarget.signals import HumanClip

__all__ = ["read_trc", "trc_capture"]

_LENGTHS = {"m": 1.0, "meters": 1.0, "cm": 1e-2, "mm": 1e-3, "in": 0.0254}
_MOST_BYTES = 1 << 30
_MOST_MARKERS = 5_000


def read_trc(path: Path, options: ReadOptions) -> HumanClip:
    """Read the person in a TRC file.

    Raises:
        BadRecording: Naming the line and the problem.
        UnknownSkeleton: If its markers are not those of a known set.
    """
    return clip_from_markers(trc_capture(path, unit=options.unit), options, trc_capture)


def trc_capture(path: Path, *, unit: float | None = None) -> MarkerCapture:
    """Read the markers of a TRC file.

    Args:
        path: The file.
        unit: Length of one unit [m], where the user states it.

    Raises:
        BadRecording: Naming the line and the problem.
    """
    lines = _lines(Path(path))
    head = _header(lines, path)
    word = head.get("Units", "").lower()
    if unit is None and word not in _LENGTHS:
        problem = f"Units is {word[:20]!r}, known: {', '.join(_LENGTHS)}; state `unit`"
        raise BadRecording(path, problem, place="line 3")
    names = _names(lines, path)
    table = _table(lines, len(names), path)
    stated = _count(head.get("NumFrames", ""))
    if stated is not None and len(table) < stated:
        problem = f"{len(table)} of {stated} frames are there: it was cut off"
        raise BadRecording(path, problem, place=f"line {len(lines)}")
    time = _times(table[:, 1], head, path)
    points = table[:, 2:].reshape(len(table), len(names), 3)
    with np.errstate(invalid="ignore"):
        unseen = (points == 0.0).all(axis=2) | ~(np.abs(points) < 1e7).all(axis=2)
    points[unseen] = np.nan
    rate = (len(time) - 1) / (time[-1] - time[0]) if len(time) > 1 else 0.0
    return MarkerCapture(
        path=str(path),
        names=names,
        time=time,
        positions=points,
        unit=unit or _LENGTHS[word],
        notes=(
            f"TRC: {len(names)} markers, {len(time)} frames at {rate:.6g} Hz, "
            f"unit {word or 'stated'}",
        ),
    )


def _lines(path: Path) -> list[str]:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise BadRecording(path, "is larger than 1 GB")
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise BadRecording(path, f"cannot be read: {error.strerror}") from error
    lines = text.splitlines()
    if len(lines) < 6 or not lines[0].startswith("PathFileType"):
        raise BadRecording(path, "is no TRC file, or was cut off in its header")
    return lines


def _header(lines: list[str], path: Path) -> dict[str, str]:
    keys, values = lines[1].split(), lines[2].split()
    if "Units" not in keys or "NumMarkers" not in keys:
        problem = "the second line must name DataRate, NumMarkers, Units"
        raise BadRecording(path, problem, place="line 2")
    return dict(zip(keys, values, strict=False))


def _count(text: str) -> int | None:
    try:
        value = int(float(text))
    except (ValueError, OverflowError):
        return None
    return value if 0 <= value < 1 << 31 else None


def _names(lines: list[str], path: Path) -> tuple[str, ...]:
    fields = lines[3].rstrip().split("\t")
    if len(fields) < 3 or not fields[0].startswith("Frame"):
        problem = "the fourth line must be Frame#, Time and the markers, between tabs"
        raise BadRecording(path, problem, place="line 4")
    names = tuple(name.strip() for name in fields[2::3])
    if len(names) > _MOST_MARKERS:
        raise BadRecording(path, f"names {len(names)} markers", place="line 4")
    return names


def _table(lines: list[str], markers: int, path: Path) -> np.ndarray:
    """Return all rows (t, 2 + 3 markers); an empty field is a marker not seen."""
    width = 2 + 3 * markers
    rows = []
    for number, line in enumerate(lines[5:], 6):
        if not line.strip():
            continue
        fields = line.split("\t")
        while len(fields) > width and not fields[-1].strip():
            fields.pop()
        if len(fields) < width:
            if not line.endswith("\t") and number == len(lines):
                problem = f"{len(fields)} of {width} columns: it was cut off"
                raise BadRecording(path, problem, place=f"line {number}")
            fields += [""] * (width - len(fields))
        if len(fields) > width:
            problem = f"{len(fields)} columns for {markers} markers, expected {width}"
            raise BadRecording(path, problem, place=f"line {number}")
        try:
            rows.append([float(x) if x.strip() else math.nan for x in fields])
        except ValueError as error:
            raise BadRecording(path, str(error)[:80], place=f"line {number}") from error
    if not rows:
        raise BadRecording(path, "holds no frames")
    return np.array(rows)


def _times(column: np.ndarray, head: dict[str, str], path: Path) -> np.ndarray:
    if np.isfinite(column).all() and np.all(np.diff(column) > 0.0):
        return column
    place = f"frame {int(np.argmin(np.diff(column, prepend=-np.inf) > 0.0)) + 1}"
    raise BadRecording(path, "its time does not increase", place=place)
