"""A session's settings as text, complete, so that a recording says how it was made."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from robots.toml_text import TomlValue, toml_text
from teleop.settings import SessionSettings, load_settings

__all__ = ["settings_from_text", "settings_text"]


def settings_text(settings: SessionSettings) -> str:
    """Return TOML that `settings_from_text` reads back as the same settings."""
    return toml_text({k: _table(v) for k, v in _fields(settings).items()})


def settings_from_text(text: str) -> SessionSettings:
    """Read settings from TOML; an empty text gives the defaults.

    Raises:
        BadConfig: Naming the key and what is allowed.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "configuration.toml"
        path.write_text(text, encoding="utf-8")
        return load_settings(path)


def _fields(value: object) -> dict[str, Any]:
    if not dataclasses.is_dataclass(value):
        raise TypeError(f"a {type(value).__name__} is no table of settings")
    return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}


def _table(value: object) -> TomlValue:
    return dict(value) if isinstance(value, Mapping) else _fields(value)
