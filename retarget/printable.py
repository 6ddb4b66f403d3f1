"""Texts of strangers made safe to show."""

from __future__ import annotations

__all__ = ["printable"]


def printable(text: str) -> str:
    """Return a text in which nothing steers a terminal.

    Names in files of strangers may hold escape sequences, or marks that turn the
    direction of writing: they are shown by their code. Lines stay lines.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)
