"""A session's settings as text, complete, so that a recording says how it was made."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from telexist.robots.urdf import TomlValue, toml_text
from telexist.teleop.settings.settings import SessionSettings, load_settings

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["settings_from_text", "settings_text"]


def settings_text(settings: SessionSettings) -> str:
    """Return TOML that `settings_from_text` reads back as the same settings."""
    return toml_text(_table(settings))


def settings_from_text(text: str) -> SessionSettings:
    """Read settings from TOML; an empty text gives the defaults.

    Raises:
        BadConfig: Naming the key and what is allowed.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "configuration.toml"
        path.write_text(text, encoding="utf-8")
        return load_settings(path)


def _table(settings: DataclassInstance) -> dict[str, TomlValue]:
    found = {f.name: getattr(settings, f.name) for f in dataclasses.fields(settings)}
    return {name: _value(value) for name, value in found.items()}


def _value(value: Any) -> TomlValue:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _table(value)
    return cast(TomlValue, dict(value) if isinstance(value, Mapping) else value)
