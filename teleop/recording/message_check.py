"""Messages of a session's file, checked against the table of channels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import orjson
from telexist.teleop.recording.channels import Channel, Field

__all__ = ["checked_fields"]

_MAX_TEXT = 10_000_000  # characters; a picture is the longest
_TYPES: dict[str, tuple[type, ...]] = {
    "integer": (int,),
    "boolean": (bool,),
    "string": (str,),
    "object": (dict,),
}


def checked_fields(
    channel: Channel, data: bytes, sizes: Mapping[str, int]
) -> dict[str, Any]:
    """Decode one message and check every field.

    Args:
        channel: What it must be.
        data: JSON.
        sizes: Length of the axes "n" and "f"; see `Field.shape`.

    Returns:
        Numbers as floats or float64 arrays, NaN where there was none; texts, flags and
        tables as they are; fields that were left out are missing.

    Raises:
        ValueError: Naming the field.
    """
    message = orjson.loads(data)
    if not isinstance(message, dict):
        raise ValueError("is not a table of fields")
    sizes = {**sizes, "s": len(_list(message.get("segments", [])))}
    fields: dict[str, Any] = {}
    for name, field in channel.all_fields.items():
        given = name if name in message else field.former
        if given in message:
            fields[name] = _value(name, field, message[given], sizes)
        elif not field.optional:
            raise ValueError(f"lacks {name}")
    return fields


def _value(name: str, field: Field, value: object, sizes: dict[str, int]) -> Any:
    if field.kind == "number":
        return _number(name, field, value, sizes)
    if field.shape:
        items = _list(value)
        size = sizes.get(str(field.shape[0]), field.shape[0])
        if size not in ("*", len(items)):
            raise ValueError(f"{name} has {len(items)} items, expected {size}")
        return tuple(_plain(name, field, item) for item in items)
    return _plain(name, field, value)


def _number(name: str, field: Field, value: object, sizes: dict[str, int]) -> Any:
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} is not made of numbers") from error
    shape = tuple(sizes[s] if isinstance(s, str) else s for s in field.shape)
    if array.shape != shape and not (array.size == 0 and 0 in shape):
        raise ValueError(f"{name} has shape {array.shape}, expected {shape}")
    return float(array) if not shape else array.reshape(shape)


def _plain(name: str, field: Field, value: object) -> Any:
    right = isinstance(value, _TYPES[field.kind])
    if not right or (field.kind == "integer" and isinstance(value, bool)):
        raise ValueError(f"{name} is not a {field.kind}")
    if isinstance(value, str) and len(value) > _MAX_TEXT:
        raise ValueError(f"{name} is too long")
    return value


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError("a list is missing")
    return value
