"""Makes a joypad: `joypad`, `joypad:1`, `joypad:my_pad.toml`, `joypad:simulated`."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

from telexist.retarget.errors import BadInput
from telexist.teleop.devices.base import Device, DeviceOptions, split_query
from telexist.teleop.devices.joypad.joypad import Joypad
from telexist.teleop.devices.joypad.settings import JoypadSettings, load_joypad

__all__ = ["make"]


_SIMULATED = "simulated"


def make(text: str, options: DeviceOptions) -> Device:
    """Make `joypad`, `joypad:NUMBER` or `joypad:FILE.toml`, `?dead_man=BUTTON`.

    `joypad:simulated` moves by itself.

    Raises:
        BadInput: If the text or the file is wrong.
    """
    del options
    place, query = split_query(text, ("dead_man",))
    settings = JoypadSettings()
    if place == _SIMULATED:
        return _simulated_joypad()
    if place.isdecimal():
        settings = dataclasses.replace(settings, number=int(place))
    elif place:
        settings = load_joypad(Path(place))
    if "dead_man" in query:
        settings = dataclasses.replace(settings, dead_man=query["dead_man"])
    return Joypad(settings)


def _simulated_joypad() -> Device:
    if sys.platform != "linux":
        raise BadInput("joypad:simulated: joypads are simulated on Linux only")
    from telexist.teleop.devices.joypad.simulated_joypad import SimulatedJoypad

    return SimulatedJoypad()
