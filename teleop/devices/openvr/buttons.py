"""The controllers' buttons: requests, and the grip that closes the hand.

Names of buttons: "menu" (the upper one: B, Y or the three lines), "a" (A or X), "stick"
(pressing the stick or the pad), "trigger". The words of a binding are "right menu".
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from telexist.retarget.errors import BadInput, UnknownName
from telexist.teleop.terms import Request

__all__ = ["BINDINGS", "ControllerButtons", "grip", "stick"]

BINDINGS: Mapping[str, Request] = MappingProxyType(
    {
        "right menu": Request.ENGAGE,
        "left menu": Request.HOLD,
        "left a": Request.CALIBRATE,
        "right a": Request.RESET,
        "left stick": Request.STOP,
        "right stick": Request.STOP,
    }
)
"""What the buttons ask for, unless the user says otherwise."""

_BITS = {"menu": 1, "a": 7, "stick": 32, "trigger": 33}
_GRIP_BIT, _GRIP_AXIS, _STICK_AXIS = 2, 2, 0
_NAMES = tuple(f"{side} {name}" for side in ("left", "right") for name in _BITS)


class ControllerButtons:
    """Sees when a button goes down."""

    def __init__(self, bindings: Mapping[str, Request] | None = None) -> None:
        """Take what the buttons ask for.

        Raises:
            BadInput: If a button does not exist, or none stops.
        """
        self._bindings = dict(BINDINGS if bindings is None else bindings)
        for name in self._bindings:
            if name not in _NAMES:
                raise UnknownName("button of a controller", name, _NAMES)
        if Request.STOP not in self._bindings.values():
            raise BadInput("headset: no button stops: bind one, such as 'left stick'")
        self._down: dict[str, int] = {}

    def pressed(self, side: str, state: Any) -> tuple[Request, ...]:
        """Return what the buttons that went down since the last call ask for.

        What is down when a controller is first seen does not count.

        Args:
            side: "left" or "right".
            state: The controller's `VRControllerState_t`.
        """
        now = int(state.ulButtonPressed)
        new = now & ~self._down.get(side, now)
        self._down[side] = now
        return tuple(
            self._bindings[f"{side} {name}"]
            for name, bit in _BITS.items()
            if new >> bit & 1 and f"{side} {name}" in self._bindings
        )

    def forget(self, side: str) -> None:
        """Forget a controller that is gone."""
        self._down.pop(side, None)


def stick(state: Any) -> tuple[float, float]:
    """Return how far the stick or the thumb on the pad is to the right and ahead."""
    axis = state.rAxis[_STICK_AXIS]
    return float(axis.x), float(axis.y)


def grip(state: Any) -> float:
    """Return how far the grip is squeezed, 0 to 1; a plain button is all or nothing."""
    squeeze = float(state.rAxis[_GRIP_AXIS].x)
    if not 0.0 < squeeze <= 1.0:  # NaN too
        squeeze = 1.0 if squeeze > 1.0 else 0.0
    return max(squeeze, float(int(state.ulButtonPressed) >> _GRIP_BIT & 1))
