"""What a user can choose about an export."""

from __future__ import annotations

import math
from dataclasses import dataclass

from telexist.retarget.errors import BadInput

__all__ = ["ExportOptions"]

MAX_FPS = 1000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """Choices; formats that have no use for one ignore it.

    Attributes:
        fps: Samples per second of a data set [Hz]: at each instant the newest sample.
        task: What was done, in words, for a data set; "" for a general sentence.
        models: Where the user keeps models of robots.
        whole: Whether the whole session is one episode, rather than each stretch in
            which the operator was engaged.
    """

    fps: float = 50.0
    task: str = ""
    models: tuple[str, ...] = ()
    whole: bool = False

    def __post_init__(self) -> None:
        """Check the rate."""
        if not (math.isfinite(self.fps) and 0.0 < self.fps <= MAX_FPS):
            raise BadInput(f"fps must lie between 0 and {MAX_FPS:g}, not {self.fps}")
