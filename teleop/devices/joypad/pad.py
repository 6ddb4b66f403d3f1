"""One plugged joypad of pygame: axes and buttons by name.

A joypad that SDL knows has the same names whatever its make; any other one gets them by
the numbers that most of them use. All calls come from one thread.
"""

from __future__ import annotations

import importlib
import os
from types import ModuleType
from typing import Any

from telexist.retarget.errors import MissingDependency
from telexist.teleop.devices.joypad.settings import AXES, BUTTONS

__all__ = ["Pad", "import_pygame"]

_FULL = 32767.0  # of SDL's controller axes
_TRIGGERS = ("left_trigger", "right_trigger")
_USUAL_AXES = {
    "left_x": 0,
    "left_y": 1,
    "left_trigger": 2,
    "right_x": 3,
    "right_y": 4,
    "right_trigger": 5,
}
_USUAL_BUTTONS = {
    "a": 0,
    "b": 1,
    "x": 2,
    "y": 3,
    "left_shoulder": 4,
    "right_shoulder": 5,
    "back": 6,
    "start": 7,
    "guide": 8,
    "left_stick": 9,
    "right_stick": 10,
}


def import_pygame() -> ModuleType:
    """Return pygame, set up to read joypads without a window.

    Raises:
        MissingDependency: If it is not installed.
    """
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS", "1")
    try:
        return importlib.import_module("pygame")
    except ImportError as error:
        raise MissingDependency("pygame-ce", "pip install pygame-ce") from error


class Pad:
    """A joypad that is plugged in now."""

    def __init__(self, pygame: Any, number: int) -> None:
        """Take the joypad of a number; `pygame.joystick` is running."""
        controllers = importlib.import_module("pygame._sdl2.controller")
        self._pygame = pygame
        self._joystick = pygame.joystick.Joystick(number)
        self._id = self._joystick.get_instance_id()
        self._known = None
        if controllers.is_controller(number):
            self._known = controllers.Controller.from_joystick(self._joystick)
        self._resting: dict[str, float] = {}

    @property
    def name(self) -> str:
        """What the maker calls it."""
        return str(self._joystick.get_name())

    def is_gone(self, removed: set[int]) -> bool:
        """Return whether it is among the joypads that were removed."""
        return self._id in removed or (
            self._known is not None and not self._known.attached()
        )

    def axis(self, text: str) -> float:
        """Return a deflection from -1 to 1, 0 for no axis; a minus turns it round."""
        name = text.removeprefix("-")
        if not name:
            return 0.0
        value = self._axis(name)
        return -value if text.startswith("-") else value

    def squeeze(self, text: str) -> float:
        """Return how far a trigger is pulled, 0 to 1.

        0 until it has moved once: some systems say "half" until then.
        """
        name = text.removeprefix("-")
        if not name:
            return 0.0
        value = self.axis(text)
        if self._resting.setdefault(name, value) == value:
            return 0.0
        self._resting[name] = float("nan")  # it has moved: from now on all counts
        if self._known is None or name not in _TRIGGERS:
            value = 0.5 * (value + 1.0)
        return min(max(value, 0.0), 1.0)

    def is_held(self, button: str) -> bool:
        """Return whether a button is down."""
        word, _, number = button.partition(" ")
        if self._known is not None and not number:
            return bool(self._known.get_button(BUTTONS.index(word)))
        index = int(number) if number else _USUAL_BUTTONS.get(word, -1)
        if not 0 <= index < self._joystick.get_numbuttons():
            return False
        return bool(self._joystick.get_button(index))

    def pressed(self, event: Any) -> tuple[str, ...]:
        """Return the names of the button that an event says was pressed."""
        if getattr(event, "instance_id", None) != self._id:
            return ()
        if event.type == self._pygame.JOYBUTTONDOWN:
            names = [f"button {event.button}"]
            if self._known is None:
                names += [n for n, k in _USUAL_BUTTONS.items() if k == event.button]
            return tuple(names)
        if event.type == self._pygame.CONTROLLERBUTTONDOWN:
            return BUTTONS[event.button : event.button + 1]
        return ()

    def _axis(self, name: str) -> float:
        word, _, number = name.partition(" ")
        if self._known is not None and not number:
            value = self._known.get_axis(AXES.index(word)) / _FULL
        else:
            index = int(number) if number else _USUAL_AXES[word]
            if index >= self._joystick.get_numaxes():
                return 0.0
            value = self._joystick.get_axis(index)
        return float(min(max(value, -1.0), 1.0))
