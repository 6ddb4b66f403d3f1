"""The stamp that a message may carry: a sequence number and a time."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["Envelope"]


@dataclass(frozen=True, slots=True)
class Envelope:
    """When a message was made, by the clock of who made it.

    Attributes:
        sequence: Counts up.
        time: Of the sender's clock [s].
    """

    sequence: int
    time: float

    @staticmethod
    def read(text: str) -> Envelope | None:
        """Return the stamp in a text such as "12 1234.5", or None."""
        words = text.split()
        try:
            stamp = Envelope(int(words[0]), float(words[1]))
        except (IndexError, ValueError):
            return None
        return stamp if math.isfinite(stamp.time) else None

    def text(self) -> str:
        """Return the stamp as text, to the microsecond."""
        return f"{self.sequence} {self.time:.6f}"
