"""A C3D file: header, parameters, points and analog channels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings.c3d.parameters import BLOCK, ParameterTable
from telexist.retarget.so3 import Array

__all__ = ["C3dFile", "read_c3d_file"]

_MOST_BYTES = 2 << 30
_MOST_CHANNELS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class C3dFile:
    """What the file says, in its own units.

    Attributes:
        path: The file.
        parameters: By group and name.
        rate: Of the points [Hz].
        points: (t, p, 3), NaN where not seen.
        labels: Of the p points.
        analog: (t * samples, c), scaled.
        analog_labels: Of the c channels.
        samples: Of each channel in a frame.
    """

    path: Path
    parameters: ParameterTable
    rate: float
    points: Array
    labels: tuple[str, ...]
    analog: Array
    analog_labels: tuple[str, ...]
    samples: int


@dataclass(frozen=True, slots=True)
class _Header:
    points: int
    analog: int  # values in a frame, all channels
    frames: int
    scale: float
    start: int  # [byte]
    samples: int
    rate: float


def read_c3d_file(path: Path) -> C3dFile:
    """Read a C3D file of any processor, integers or floats.

    Raises:
        BadRecording: Naming the place and the problem.
    """
    data = _read(path)
    parameters = ParameterTable(data, (data[0] - 1) * BLOCK, path)
    head = _header(data, parameters, path)
    words = 4 * head.points + head.analog
    wide = 4 if head.scale < 0.0 else 2
    have = (len(data) - head.start) // (words * wide) if words else 0
    if head.frames < 1 or words == 0:
        raise BadRecording(path, "holds no frames of points", place="header")
    if have < head.frames:
        problem = f"the file ends in frame {max(have, 0) + 1} of {head.frames}"
        raise BadRecording(path, f"{problem}: it was cut off", place="data")
    body = memoryview(data)[head.start : head.start + head.frames * words * wide]
    numbers = parameters.numbers
    raw = numbers.floats(body) if wide == 4 else numbers.integers(body)
    frames = raw.reshape(head.frames, words)
    labels = parameters.texts("POINT", "LABELS")
    labels = [*labels, *(f"point {k + 1}" for k in range(len(labels), head.points))]
    channels = head.analog // head.samples if head.samples else 0
    analog_labels = parameters.texts("ANALOG", "LABELS")
    analog_labels += [f"channel {k + 1}" for k in range(len(analog_labels), channels)]
    return C3dFile(
        path=path,
        parameters=parameters,
        rate=head.rate,
        points=_points(frames[:, : 4 * head.points], head),
        labels=tuple(labels[: head.points]),
        analog=_analog(frames[:, 4 * head.points :], head, parameters, path),
        analog_labels=tuple(analog_labels[:channels]),
        samples=head.samples,
    )


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise BadRecording(path, "is larger than 2 GB")
        data = path.read_bytes()
    except OSError as error:
        raise BadRecording(path, f"cannot be read: {error.strerror}") from error
    if len(data) < 2 * BLOCK or data[1] != 0x50:
        raise BadRecording(path, "is no C3D file, or was cut off in its header")
    return data


def _header(data: bytes, parameters: ParameterTable, path: Path) -> _Header:
    numbers = parameters.numbers
    words = numbers.integers(data[:BLOCK]).view(
        np.uint16 if _little(numbers) else ">u2"
    )
    scale, rate = (float(numbers.floats(data[k : k + 4])[0]) for k in (12, 20))
    samples, analog = int(words[9]), int(words[2])
    rate = parameters.number("POINT", "RATE") or rate
    scale = parameters.number("POINT", "SCALE") or scale
    start = _unsigned(parameters.number("POINT", "DATA_START")) or int(words[8])
    if not (math.isfinite(rate) and 0.1 <= rate <= 1e5):
        raise BadRecording(path, f"is {rate:g} frames a second", place="POINT:RATE")
    if not math.isfinite(scale) or scale == 0.0:
        raise BadRecording(path, f"is {scale:g}", place="POINT:SCALE")
    if start < 2 or (start - 1) * BLOCK >= len(data):
        problem = f"block {start} lies outside the file: it was cut off, or is damaged"
        raise BadRecording(path, problem, place="POINT:DATA_START")
    if analog > _MOST_CHANNELS or (samples and analog % samples):
        problem = f"{analog} analog values in {samples} samples of a frame"
        raise BadRecording(path, problem, place="header")
    if analog and not samples:
        samples = 1
    return _Header(
        points=int(words[1]),
        analog=analog,
        frames=_frames(int(words[3]), int(words[4]), parameters),
        scale=scale,
        start=(start - 1) * BLOCK,
        samples=samples,
        rate=rate,
    )


def _little(numbers: object) -> bool:
    return getattr(numbers, "_order", "<") == "<"


def _unsigned(value: float | None) -> int:
    """Return a 16 bit count, which many writers let run over into the sign."""
    if value is None or not math.isfinite(value):
        return 0
    return int(value) & 0xFFFF if value < 0 else int(value)


def _frames(first: int, last: int, parameters: ParameterTable) -> int:
    """Return the number of frames; the header's two words end at 65535."""
    counted = last - first + 1
    ends = [
        parameters.array("TRIAL", f"ACTUAL_{name}_FIELD").ravel()
        for name in ("START", "END")
    ]
    if all(len(end) == 2 for end in ends):
        start, end = ((int(a) & 0xFFFF) + ((int(b) & 0xFFFF) << 16) for a, b in ends)
        if end - start + 1 > counted:
            return end - start + 1
    stated = _unsigned(parameters.number("POINT", "FRAMES"))
    return max(counted, stated) if last == 0xFFFF or counted < 1 else counted


def _points(values: np.ndarray, head: _Header) -> Array:
    """Return (t, p, 3) with NaN where the residual says invalid, or all is zero."""
    four = values.reshape(head.frames, head.points, 4)
    xyz = four[..., :3].astype(np.float64)
    if head.scale > 0.0:
        xyz *= head.scale
    with np.errstate(invalid="ignore"):
        seen = (four[..., 3] >= 0) & np.isfinite(xyz).all(axis=2)
        seen &= (xyz != 0.0).any(axis=2) & (np.abs(xyz) < 1e7).all(axis=2)
    xyz[~seen] = np.nan
    return xyz


def _analog(
    values: np.ndarray, head: _Header, parameters: ParameterTable, path: Path
) -> Array:
    """Return (t * samples, c): (value - offset) scale gen_scale."""
    if not head.analog:
        return np.empty((0, 0))
    channels = head.analog // head.samples
    table = values.reshape(-1, channels).astype(np.float64)
    offsets = parameters.array("ANALOG", "OFFSET").ravel().astype(np.float64)
    if "UNSIGNED" in [text.upper() for text in parameters.texts("ANALOG", "FORMAT")]:
        offsets = np.where(offsets < 0.0, offsets + 65536.0, offsets)
        if head.scale > 0.0:
            table = np.where(table < 0.0, table + 65536.0, table)
    scales = parameters.array("ANALOG", "SCALE").ravel().astype(np.float64)
    gain = parameters.number("ANALOG", "GEN_SCALE")
    offsets = np.concatenate([offsets, np.zeros(channels)])[:channels]
    scales = np.concatenate([scales, np.ones(channels)])[:channels]
    if not (np.isfinite(scales).all() and np.isfinite(offsets).all()):
        raise BadRecording(path, "is not finite", place="ANALOG:SCALE")
    return (table - offsets) * scales * (1.0 if gain is None else gain)
