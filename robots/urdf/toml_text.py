"""Write plain tables as TOML text; the standard library only reads it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

__all__ = ["TomlValue", "toml_text"]

TomlValue: TypeAlias = (
    "str | bool | int | float | Sequence[TomlValue] | Mapping[str, TomlValue]"
)

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def toml_text(table: Mapping[str, TomlValue]) -> str:
    """Return TOML text that reads back as `table`.

    Values come before sub-tables; empty sub-tables are left out; sub-tables of
    sub-tables that hold nothing but numbers are written on one line.

    Raises:
        TypeError: If a value has no TOML form.
    """
    return "\n".join(_lines(table, ())).strip() + "\n"


def _lines(table: Mapping[str, TomlValue], place: tuple[str, ...]) -> list[str]:
    tables = {k: v for k, v in table.items() if isinstance(v, Mapping) and v}
    if place:
        tables = {k: v for k, v in tables.items() if not _only_numbers(v)}
    values = {
        k: v
        for k, v in table.items()
        if k not in tables and (v or not isinstance(v, Mapping))
    }
    lines = []
    if place and values:
        lines += ["", f"[{'.'.join(_key(key) for key in place)}]"]
    lines += [f"{_key(key)} = {_value(value)}" for key, value in values.items()]
    for key, inner in tables.items():
        lines += _lines(inner, (*place, key))
    return lines


def _only_numbers(table: Mapping[str, TomlValue]) -> bool:
    return all(isinstance(value, int | float) for value in table.values())


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _string(key)


def _value(value: TomlValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Mapping):
        items = (f"{_key(key)} = {_value(item)}" for key, item in value.items())
        return f"{{ {', '.join(items)} }}"
    if isinstance(value, Sequence):
        return f"[{', '.join(_value(item) for item in value)}]"
    raise TypeError(f"no TOML form for {value!r}")


def _number(value: float) -> str:
    if math.isfinite(value):
        text = repr(float(value))
        return text if any(c in text for c in ".e") else f"{text}.0"
    return "nan" if math.isnan(value) else ("inf" if value > 0.0 else "-inf")


def _string(text: str) -> str:
    return f'"{"".join(_character(c) for c in text)}"'


def _character(c: str) -> str:
    if c in _SHORT:
        return _SHORT[c]
    return f"\\u{ord(c):04x}" if ord(c) < 0x20 or ord(c) == 0x7F else c
