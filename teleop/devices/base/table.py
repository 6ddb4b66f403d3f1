"""The devices, by the word with which a user asks for one.

`--source xsens`, `xsens:9763`, `xsens:0.0.0.0:9763?protocol=tcp`, `vmc:39539`,
`player:walk.bvh`, `builtin`, `joypad`, `kat:/dev/hidraw3`, `openvr`: the word, then
after a colon what the device understands. A file with the suffix of a recording stands
for `player:FILE`. Of any device, `?only=hands+requests` uses a part.

To add one: a function `(text, options) -> Device` and a row here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from pathlib import PurePath
from types import MappingProxyType
from typing import cast

from telexist.retarget.errors import UnknownName
from telexist.retarget.recordings import FORMATS
from telexist.teleop.devices.base.interface import Device
from telexist.teleop.devices.base.only_kinds import OnlyKinds, split_only
from telexist.teleop.devices.base.options import DeviceOptions

__all__ = ["DEVICES", "device_kind", "make_device"]

DEVICES: Mapping[str, str] = MappingProxyType(
    {
        "builtin": "telexist.teleop.devices.makers.local_sources:builtin_source",
        "cyberith": "telexist.teleop.devices.makers.local_inputs:cyberith_source",
        "joypad": "telexist.teleop.devices.makers.local_inputs:joypad_source",
        "kat": "telexist.teleop.devices.makers.local_inputs:kat_source",
        "keyboard": "telexist.teleop.devices.makers.local_inputs:keyboard_source",
        "omni": "telexist.teleop.devices.makers.local_inputs:omni_source",
        "openvr": "telexist.teleop.devices.makers.local_inputs:openvr_source",
        "player": "telexist.teleop.devices.makers.local_sources:player_source",
        "script": "telexist.teleop.devices.walk.walk_script:script_source",
        "session": "telexist.teleop.devices.players.session_player:session_source",
        "treadmill": "telexist.teleop.devices.makers.local_inputs:treadmill_source",
        "vmc": "telexist.teleop.devices.makers.network_sources:vmc_source",
        "xsens": "telexist.teleop.devices.makers.network_sources:xsens_source",
    }
)
"""Word to the function that makes the device, imported only when asked for."""


def make_device(text: str, options: DeviceOptions | None = None) -> Device:
    """Make the device that a text asks for; nothing is opened yet.

    Args:
        text: Such as "xsens:0.0.0.0:9763"; see the module's text.
        options: What the session says about devices.

    Raises:
        UnknownName: If there is no such device.
        BadInput: If the rest of the text is wrong.
    """
    text, kinds = split_only(text)
    word, rest = _word_and_rest(text)
    if word not in DEVICES:
        raise UnknownName("device", word, DEVICES)
    module, _, function = DEVICES[word].partition(":")
    make = cast(
        Callable[[str, DeviceOptions], Device],
        getattr(importlib.import_module(module), function),
    )
    device = make(rest, options if options is not None else DeviceOptions())
    return device if kinds is None else OnlyKinds(device, kinds)


def device_kind(text: str) -> str:
    """Return the word of `DEVICES` that a text asks for, or begins with.

    Raises:
        UnknownName: If it asks for a part that no device has.
    """
    word, _ = _word_and_rest(split_only(text)[0])
    return word.partition(" ")[0]


def _word_and_rest(text: str) -> tuple[str, str]:
    word = text.partition(":")[0].partition("?")[0]
    if word not in DEVICES and PurePath(text).suffix.lower() in FORMATS:
        return "player", text
    return word, text.removeprefix(word).removeprefix(":")
