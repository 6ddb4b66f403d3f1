"""What people read about samples that a device lost or refused."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["drop_text", "one_line"]

LONGEST = 160  # characters

TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "duplicate": "the same sample came again",
        "error": "a message could not be read",
        "late": "a sample came too late",
        "lost": "a sample never came",
        "malformed": "a message made no sense",
        "nan": "a sample holds what is not a number",
        "ring_jump": "the ring cannot have turned so far",
        "stranger": "somebody else sent a message",
        "unfinished": "a part of a sample never came",
        "unplugged": "it is not there any more",
        "unproven": "a frame whose checksum is not known yet",
        "untracked": "it is not seen",
    }
)
"""The word under which a drop is counted, to what is said where nobody says more."""


def drop_text(reason: str) -> str:
    """Return what a device's word for a drop means."""
    return TEXTS.get(reason, reason)


def one_line(detail: str) -> str:
    """Return a text that may hold what a stranger sent, safe for one line of a log."""
    text = detail if detail.isprintable() else ascii(detail)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
