"""Frozen dataclasses from TOML, with errors that name file, key and allowed keys."""

from __future__ import annotations

import dataclasses
import math
import reprlib
import tomllib
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from telexist.retarget.errors import BadConfig

__all__ = ["decode", "load", "read_toml"]

T = TypeVar("T")

MAX_BYTES = 4_000_000  # no configuration of ours comes near; a mistaken file does
MAX_WHOLE = 2**63  # whole numbers of TOML have 64 bits


def load(kind: type[T], path: Path) -> T:
    """Read a TOML file into the dataclass `kind`.

    Raises:
        BadConfig: Naming the file, the key and what is allowed there.
    """
    return decode(kind, read_toml(path), path=path)


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file into plain tables.

    Raises:
        BadConfig: If it cannot be read or is not TOML.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadConfig(path, f"larger than {MAX_BYTES} bytes: not a configuration")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadConfig(path, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise BadConfig(path, "not UTF-8 text") from error
    except ValueError as error:  # tomllib's own, and numbers with thousands of digits
        raise BadConfig(path, f"not valid TOML: {error}") from error
    except RecursionError as error:
        raise BadConfig(path, "not valid TOML: nested too deeply") from error


def decode(kind: type[T], table: object, *, path: str | Path, place: str = "") -> T:
    """Turn plain tables into the dataclass `kind`, strictly.

    Supported field types: str, bool, int, float, other dataclasses, `X | None`,
    `X | Mapping[str, Y]`, `tuple[X, ...]`, `tuple[X, Y, Z]` and `Mapping[str, X]`.

    Args:
        kind: A dataclass; defaults of missing keys are its own.
        table: What `tomllib` gave.
        path: File, for messages.
        place: Key of `table` within the file, for messages.

    Raises:
        BadConfig: On an unknown key, a missing key or a value of another type.
    """
    if not isinstance(table, dict):
        raise BadConfig(path, f"expected a table, found {_shown(table)}", place=place)
    hints = typing.get_type_hints(kind)
    fields = {f.name: f for f in dataclasses.fields(kind) if f.init}  # type: ignore[arg-type]
    for key in table:
        if key not in fields:
            allowed = ", ".join(sorted(fields))
            raise BadConfig(
                path, f"unknown key; allowed: {allowed}", place=_at(place, key)
            )
    values: dict[str, Any] = {}
    for name, field in fields.items():
        if name in table:
            values[name] = _value(hints[name], table[name], path, _at(place, name))
        elif (
            field.default is dataclasses.MISSING
            and field.default_factory is dataclasses.MISSING
        ):
            raise BadConfig(path, "missing key", place=_at(place, name))
    return kind(**values)


def _shown(value: object) -> str:
    """Return a value for a message: short, however long or deep it is."""
    return reprlib.repr(value)


def _at(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _value(hint: Any, value: Any, path: str | Path, place: str) -> Any:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        kinds = [a for a in args if a is not type(None)]
        tables = [a for a in kinds if typing.get_origin(a) in (dict, Mapping)]
        inner = tables[0] if tables and isinstance(value, dict) else kinds[0]
        return _value(inner, value, path, place)
    if origin is tuple:
        return _tuple(args, value, path, place)
    if origin in (dict, Mapping):
        if not isinstance(value, dict):
            raise BadConfig(
                path, f"expected a table, found {_shown(value)}", place=place
            )
        items = {k: _value(args[1], v, path, _at(place, k)) for k, v in value.items()}
        return types.MappingProxyType(items)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return decode(hint, value, path=path, place=place)
    return _scalar(hint, value, path, place)


def _tuple(args: tuple[Any, ...], value: Any, path: str | Path, place: str) -> Any:
    if not isinstance(value, list):
        raise BadConfig(path, f"expected a list, found {_shown(value)}", place=place)
    if len(args) == 2 and args[1] is Ellipsis:
        args = (args[0],) * len(value)
    if len(args) != len(value):
        problem = f"expected {len(args)} values, found {len(value)}"
        raise BadConfig(path, problem, place=place)
    return tuple(
        _value(hint, item, path, f"{place}[{i}]")
        for i, (hint, item) in enumerate(zip(args, value, strict=True))
    )


def _scalar(hint: Any, value: Any, path: str | Path, place: str) -> Any:
    if isinstance(value, int) and abs(value) > MAX_WHOLE:
        raise BadConfig(path, f"{_shown(value)} is too large", place=place)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, hint) or (isinstance(value, bool) and hint is not bool):
        problem = f"expected {hint.__name__}, found {_shown(value)}"
        raise BadConfig(path, problem, place=place)
    if hint is float and math.isnan(value):
        raise BadConfig(path, "expected a number, found nan", place=place)
    return value
