"""What an operator can ask for."""

from __future__ import annotations

import enum

__all__ = ["Request"]


class Request(enum.Enum):
    """What an operator can ask for by a button, key, page or call."""

    CALIBRATE = "calibrate"
    ENGAGE = "engage"
    HOLD = "hold"
    STOP = "stop"
    RESET = "reset"
    CHANGE = "change"
