"""Which stick, trigger and button of a joypad does what.

```toml
forward = "-left_y"        # a minus turns the direction round
turn = "axis 2"            # joypads that nobody knows: axes and buttons by number
dead_man = "left_shoulder"

[buttons]                  # all of them: what is not here does nothing
a = "engage"
"button 9" = "stop"

[walk]
forward = 0.3
```
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from telexist.retarget.config import load
from telexist.retarget.errors import BadConfig, BadInput, UnknownName
from telexist.teleop.devices.walk import WalkLimits
from telexist.teleop.terms import Request

__all__ = ["AXES", "BUTTONS", "JoypadSettings", "load_joypad"]

AXES = ("left_x", "left_y", "right_x", "right_y", "left_trigger", "right_trigger")
"""Axes of a joypad that SDL knows, in SDL's order."""

BUTTONS = (
    "a",
    "b",
    "x",
    "y",
    "back",
    "guide",
    "start",
    "left_stick",
    "right_stick",
    "left_shoulder",
    "right_shoulder",
    "dpad_up",
    "dpad_down",
    "dpad_left",
    "dpad_right",
)
"""Buttons of a joypad that SDL knows, in SDL's order."""

_REQUESTS = MappingProxyType(
    {
        "a": "engage",
        "b": "stop",
        "x": "hold",
        "y": "calibrate",
        "back": "reset",
        "start": "change",
    }
)
_MAX_NUMBER = 63  # of an axis or a button


@dataclass(frozen=True, slots=True, kw_only=True)
class JoypadSettings:
    """What the sticks and buttons of a joypad do.

    Attributes:
        number: Which of several joypads.
        dead_zone: Deflection that counts as none, of 1.
        full_scale: Deflection that counts as full, of 1.
        forward: Axis to walk ahead; a minus turns it round, "" is none.
        side: Axis to walk to the left.
        turn: Axis to turn left.
        left_hand: Axis that closes the left hand.
        right_hand: Axis that closes the right hand.
        dead_man: Button that must be held all the time; "" asks for none.
        buttons: Button to the name of the request that pressing it makes.
        walk: Speeds at full deflection.
    """

    number: int = 0
    dead_zone: float = 0.05
    full_scale: float = 1.0
    forward: str = "-left_y"
    side: str = "-left_x"
    turn: str = "-right_x"
    left_hand: str = "left_trigger"
    right_hand: str = "right_trigger"
    dead_man: str = ""
    buttons: Mapping[str, str] = field(default_factory=lambda: _REQUESTS)
    walk: WalkLimits = WalkLimits()

    def __post_init__(self) -> None:
        """Refuse names that do not exist, and a joypad that cannot stop.

        Raises:
            BadInput: Naming the field.
        """
        if not 0.0 <= self.dead_zone < self.full_scale <= 2.0:
            raise BadInput("joypad: choose 0 <= dead_zone < full_scale <= 2")
        for name in ("forward", "side", "turn", "left_hand", "right_hand"):
            text = getattr(self, name).removeprefix("-")
            if text:
                _check(text, "axis", AXES)
        for button in (*self.buttons, *([self.dead_man] if self.dead_man else [])):
            _check(button, "button", BUTTONS)
        for name in self.buttons.values():
            if name not in {request.value for request in Request}:
                raise UnknownName("request", name, [r.value for r in Request])
        if Request.STOP.value not in self.buttons.values():
            raise BadInput('joypad: no button stops: add b = "stop" under [buttons]')

    def request(self, button: str) -> Request | None:
        """Return what pressing a button asks for."""
        name = self.buttons.get(button)
        return None if name is None else Request(name)


def load_joypad(path: Path) -> JoypadSettings:
    """Read the settings from a TOML file.

    Raises:
        BadConfig: Naming the file and the key.
    """
    try:
        return load(JoypadSettings, path)
    except BadConfig:
        raise
    except BadInput as error:
        raise BadConfig(path, str(error)) from error


def _check(text: str, kind: str, known: tuple[str, ...]) -> None:
    word, _, number = text.partition(" ")
    if word == kind and number.isdecimal() and int(number) <= _MAX_NUMBER:
        return
    if text not in known:
        raise UnknownName(f"joypad {kind}", text, (*known, f"{kind} 0", f"{kind} 1"))
