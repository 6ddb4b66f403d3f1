"""Makes the keyboard: `keyboard`."""

from __future__ import annotations

from telexist.retarget.errors import BadInput
from telexist.teleop.devices.base import Device, DeviceOptions
from telexist.teleop.devices.keyboard.keyboard import Keyboard

__all__ = ["make"]


def make(text: str, options: DeviceOptions) -> Device:
    """Make `keyboard`.

    Raises:
        BadInput: If there is more text.
    """
    del options
    if text:
        raise BadInput(f"keyboard takes no further words, such as '{text}'")
    return Keyboard()
