"""Which key does what, and the keys in the bytes of a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from telexist.teleop.terms import Request

__all__ = ["HANDS", "KEYS", "REQUESTS", "WALK", "KeyParser"]

WALK: Mapping[str, tuple[float, float, float]] = MappingProxyType(
    {
        "w": (1.0, 0.0, 0.0),
        "s": (-1.0, 0.0, 0.0),
        "a": (0.0, 1.0, 0.0),
        "d": (0.0, -1.0, 0.0),
        "q": (0.0, 0.0, 1.0),
        "e": (0.0, 0.0, -1.0),
    }
)
"""Key to deflections ahead, to the left, turning left."""

ARROWS: Mapping[str, str] = MappingProxyType({"A": "w", "B": "s", "C": "d", "D": "a"})
"""Last byte of an arrow key's sequence to the key that does the same."""

REQUESTS: Mapping[str, Request] = MappingProxyType(
    {
        " ": Request.STOP,
        "g": Request.ENGAGE,
        "h": Request.HOLD,
        "c": Request.CALIBRATE,
        "r": Request.RESET,
        "n": Request.CHANGE,
    }
)
"""Key to what it asks for."""

HANDS: Mapping[str, float] = MappingProxyType({"o": 0.0, "p": 1.0})
"""Key to how far it closes the hands."""

KEYS = (
    "w a s d or arrows walk, q e turn, o p open and close the hands; "
    "g engage, h hold, c calibrate, r reset, n next "
    "controller, SPACE emergency stop"
)
"""The manual, in one line."""

_KNOWN = frozenset("".join((*WALK, *REQUESTS, *HANDS)))
_ESCAPE = "\x1b"
_MAX_SEQUENCE = 16  # characters; a longer one is garbage


class KeyParser:
    """Finds our keys in what a terminal sends; arrows may arrive in pieces."""

    def __init__(self) -> None:
        self._sequence = ""

    def feed(self, data: bytes) -> list[str]:
        """Return the keys in the next bytes, in order; all else is skipped.

        Arrow keys come out as the letters that do the same.
        """
        keys = []
        for character in data.decode("latin-1"):
            key = self._next(character)
            if key in _KNOWN:
                keys.append(key)
        return keys

    def _next(self, character: str) -> str:
        """Return the key that is complete with this character, or nothing."""
        if character == _ESCAPE:
            self._sequence = _ESCAPE
            return ""
        if not self._sequence:
            return character.lower()
        if character == " ":  # the emergency stop is never part of a sequence
            self._sequence = ""
            return character
        self._sequence += character
        if len(self._sequence) == 2:
            if character in "[O":
                return ""
            self._sequence = ""  # escape, then a key: they were two
            return character.lower()
        if "@" <= character <= "~" or len(self._sequence) > _MAX_SEQUENCE:
            plain = len(self._sequence) == 3
            self._sequence = ""
            return ARROWS.get(character, "") if plain else ""
        return ""
