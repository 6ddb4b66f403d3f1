"""What is known of each source's raw frames."""

from __future__ import annotations

from telexist.calibration import ALIGNED, WORN, SourceTraits
from telexist.teleop.devices.base import device_kind

__all__ = ["traits_of"]

WORN_SOURCES = ("openvr",)


def traits_of(source: str) -> SourceTraits:
    """Return the traits of a source, by the word with which it was asked for."""
    return WORN if device_kind(source) in WORN_SOURCES else ALIGNED
