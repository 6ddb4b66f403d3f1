"""Engages once by itself, where somebody asked for that when the session began."""

from __future__ import annotations

from collections.abc import Callable

from teleop.devices.interface import Request
from teleop.tick import State, Tick

__all__ = ["AutoEngage"]


class AutoEngage:
    """A sink that asks for calibration until it succeeds, then once for engagement.

    Whatever holds or stops the robot afterwards, it takes a person to engage again.
    """

    def __init__(self, ask: Callable[[Request], None], *, calibrate: bool) -> None:
        """Prepare.

        Args:
            ask: Takes requests.
            calibrate: Whether to calibrate first, if nobody is calibrated.
        """
        self._ask = ask
        self._calibrate = calibrate
        self._engage = True

    def put(self, tick: Tick) -> None:
        """Ask for what is due."""
        if any(event.kind == "calibration_refused" for event in tick.events):
            self._calibrate = True
        if tick.state is State.IDLE and self._calibrate and tick.raw is not None:
            self._calibrate = False
            self._ask(Request.CALIBRATE)
        elif self._engage and tick.state is State.CALIBRATED and _ready(tick):
            self._engage = False
            self._ask(Request.ENGAGE)

    def close(self) -> None:
        """Do nothing: there is nothing to finish."""


def _ready(tick: Tick) -> bool:
    return tick.targets is not None and tick.robot is not None
