"""The settings of a session: defaults, ranges, and their TOML."""

from telexist.teleop.settings.settings import (
    DynamicsSettings,
    EngageSettings,
    LoopSettings,
    SafetySettings,
    SessionSettings,
    load_settings,
)
from telexist.teleop.settings.settings_text import settings_from_text, settings_text
from telexist.teleop.settings.smoothing_times import smoothing_times

__all__ = [
    "DynamicsSettings",
    "EngageSettings",
    "LoopSettings",
    "SafetySettings",
    "SessionSettings",
    "load_settings",
    "settings_from_text",
    "settings_text",
    "smoothing_times",
]
