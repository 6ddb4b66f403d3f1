"""The colours of the pictures; left and right can be told by the colour-blind too."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["FADED", "FLOOR", "INK", "SHADOW", "SIDE_COLOURS"]

SIDE_COLOURS: Mapping[str, str] = MappingProxyType(
    {"left": "#e8833a", "right": "#3d7fd6", "": "#a9b1bb", "face": "#4a4f57"}
)
"""Colour of each side of a body; the trunk has no side."""

INK = "#22262b"
FADED = "#7b838d"
FLOOR = "#eef0f2"
SHADOW = "#d3d8dd"
