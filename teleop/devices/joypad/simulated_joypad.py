"""A joypad that plays itself: SDL's virtual device, moved by a short routine.

It lives in the session that reads it, since SDL's virtual devices are seen only by
their own process. On Linux. It presses no buttons: engaging is for people.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from telexist.teleop import clock
from telexist.teleop.devices.joypad.joypad import Joypad
from telexist.teleop.devices.joypad.settings import JoypadSettings
from telexist.teleop.devices.joypad.virtual_joypad import VirtualJoypad

__all__ = ["SimulatedJoypad", "deflections"]

LEFT_X, LEFT_Y, RIGHT_X, LEFT_TRIGGER, RIGHT_TRIGGER = 0, 1, 2, 4, 5
_ROUTINE = (  # until [s], ahead, to the right, turning right, hands closed
    (4.0, 0.0, 0.0, 0.0, 0.0),
    (10.0, 0.5, 0.0, 0.0, 0.0),
    (14.0, 0.5, 0.0, -0.5, 1.0),
    (17.0, 0.0, 0.5, 0.0, 1.0),
    (20.0, 0.0, 0.0, 0.0, 0.0),
)


def deflections(time: float) -> dict[int, float]:
    """Return the axes' positions, -1 to 1: stand, walk, turn and grip, go aside.

    Args:
        time: Since the joypad was plugged in [s]; it repeats after 20 s.
    """
    t = time % _ROUTINE[-1][0]
    ahead, right, turn, grip = next(row[1:] for row in _ROUTINE if t < row[0])
    triggers = dict.fromkeys((LEFT_TRIGGER, RIGHT_TRIGGER), 2.0 * grip - 1.0)
    return {LEFT_Y: -ahead, LEFT_X: right, RIGHT_X: turn, **triggers}


class SimulatedJoypad(Joypad):
    """Plugs a virtual joypad in when it is opened, and moves its sticks."""

    def __init__(self, settings: JoypadSettings | None = None) -> None:
        super().__init__(settings)
        self._virtual: VirtualJoypad | None = None
        self._plugged = 0.0

    @property
    def name(self) -> str:
        """Short name for messages."""
        return "joypad (simulated)"

    def close(self) -> None:
        """Let the joypad go."""
        super().close()
        self._virtual = None

    def _plug(self, pygame: Any, events: Iterable[Any]) -> None:
        if self._virtual is None:
            self._virtual, self._plugged = VirtualJoypad(), clock.now()
            number = self._virtual.number
            self._settings = dataclasses.replace(self._settings, number=number)
        for axis, value in deflections(clock.now() - self._plugged).items():
            self._virtual.axis(axis, value)
        super()._plug(pygame, events)
