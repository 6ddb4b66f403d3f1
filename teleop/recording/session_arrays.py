"""A channel's messages as arrays, time first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.teleop.recording.channels import Channel, Field

__all__ = ["collect"]

MAX_BYTES = 4_000_000_000  # of one channel in memory; hours of a whole session
_MAX_VALUES = 100_000  # numbers of one controller's value
_SKIPPED = ("dropped", "timestamp")


def collect(
    path: Path,
    channel: Channel,
    messages: Iterable[dict[str, Any]],
    sizes: Mapping[str, int],
) -> dict[str, Any]:
    """Stack the fields of checked messages.

    Args:
        path: For messages of errors.
        channel: What the messages are.
        messages: Their fields.
        sizes: Length of the axes "n" and "f"; see `Field.shape`.

    Returns:
        Field name to array (t, ...); for a controller's values, `values.NAME`, padded
        with NaN to the largest shape. Texts are an array of texts.

    Raises:
        BadRecording: If it would take too much memory.
    """
    columns: dict[str, list[Any]] = {}
    used, count = 0, 0
    for fields in messages:
        for name, value in _flat(channel, fields).items():
            column = columns.setdefault(name, [])
            column.extend([None] * (count - len(column)))
            column.append(value)
            used += value.nbytes if isinstance(value, np.ndarray) else 100
        count += 1
        if used > MAX_BYTES:
            raise BadRecording(
                path, f"{channel.topic} does not fit into {MAX_BYTES // 10**9} GB"
            )
    sizes = {**sizes, "s": len(SEGMENTS)}
    arrays = {}
    for name, column in columns.items():
        column.extend([None] * (count - len(column)))
        field = channel.all_fields.get(name, Field("object"))
        arrays[name] = _stack(path, name, column, field, sizes)
    return arrays


def _flat(channel: Channel, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with whole people and with one entry for each value."""
    flat = {name: value for name, value in fields.items() if name not in _SKIPPED}
    if "segments" in flat:
        flat.update(_whole_person(channel, flat))
        del flat["segments"]
    for name, value in flat.pop("values", {}).items():
        flat[f"values.{name}"] = _values(value)
    return flat


def _whole_person(channel: Channel, fields: dict[str, Any]) -> dict[str, Any]:
    segments = fields["segments"]
    if segments == SEGMENTS:
        return {}
    rows = [SEGMENT_INDEX.get(name, -1) for name in segments]
    kept = [k for k, row in enumerate(rows) if row >= 0]
    whole = {}
    for name, field in channel.fields.items():
        if field.kind == "number" and field.shape[:1] == ("s",) and name in fields:
            values = fields[name]
            array = np.full((len(SEGMENTS), *values.shape[1:]), np.nan)
            array[[rows[k] for k in kept]] = values[kept]
            whole[name] = array
    return whole


def _values(value: object) -> np.ndarray:
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        return np.empty(0)
    return array if array.size <= _MAX_VALUES else np.empty(0)


def _stack(
    path: Path, name: str, column: list[Any], field: Field, sizes: dict[str, int]
) -> np.ndarray:
    if field.kind == "string":
        return _texts(path, name, column, field)
    if field.kind == "integer":
        return np.array([_int64(value) for value in column], dtype=np.int64)
    if field.kind == "boolean" and not field.optional:
        return np.array(column, dtype=np.bool_)
    if field.kind == "object":
        return _padded(path, name, column)
    shape = tuple(sizes[s] if isinstance(s, str) else s for s in field.shape)
    out = np.full((len(column), *shape), np.nan)
    for k, value in enumerate(column):
        if value is not None:
            out[k] = value
    return out


def _int64(value: int) -> int:
    return min(max(value, -(2**63)), 2**63 - 1)


def _texts(path: Path, name: str, column: list[Any], field: Field) -> np.ndarray:
    words = [" ".join(v or ()) if field.shape else (v or "") for v in column]
    longest = max(map(len, words), default=0)
    if longest * len(words) * 4 > MAX_BYTES:
        raise BadRecording(path, "its texts do not fit into memory", place=name)
    return np.array(words, dtype=f"<U{max(longest, 1)}")


def _padded(path: Path, name: str, column: list[Any]) -> np.ndarray:
    arrays = [value for value in column if isinstance(value, np.ndarray)]
    dims = max((a.ndim for a in arrays), default=0)
    shape = [0] * dims
    for array in arrays:
        for axis, size in enumerate(array.shape):
            shape[axis] = max(shape[axis], size)
    if len(column) * int(np.prod(shape, dtype=np.float64)) * 8 > MAX_BYTES:
        raise BadRecording(path, "does not fit into memory", place=name)
    out = np.full((len(column), *shape), np.nan)
    for k, value in enumerate(column):
        if isinstance(value, np.ndarray) and value.ndim == dims and value.size:
            part = out[k][tuple(slice(size) for size in value.shape)]
            part[...] = value
    return out
