"""The devices, by the word with which a user asks for one.

`--source xsens`, `xsens:9763`, `xsens:0.0.0.0:9763?protocol=tcp`, `vmc:39539`,
`player:walk.bvh`, `builtin`, `joypad`, `kat:/dev/hidraw3`, `openvr`: the word, then
after a colon what the device understands. A file with the suffix of a recording stands
for `player:FILE`. Of any device, `?only=hands+requests` uses a part.

To add one: a function `make(text, options) -> Device` in its vendor's folder and a row
here; strangers bring an entry point of the group `telexist.devices`.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import cast

from telexist.retarget.plugins import PluginTable
from telexist.retarget.recordings import FORMATS
from telexist.teleop.devices.base.interface import Device
from telexist.teleop.devices.base.only_kinds import OnlyKinds, split_only
from telexist.teleop.devices.base.options import DeviceOptions

__all__ = ["DEVICES", "device_kind", "make_device"]

DEVICES = PluginTable(
    "device",
    "telexist.devices",
    {
        "builtin": "telexist.teleop.devices.players:make_builtin",
        "cyberith": "telexist.teleop.devices.treadmill:make_cyberith",
        "forces": "telexist.teleop.devices.forces:make_simulated",
        "isaac": "telexist.teleop.devices.isaac:make",
        "joypad": "telexist.teleop.devices.joypad:make",
        "kat": "telexist.teleop.devices.treadmill:make_kat",
        "keyboard": "telexist.teleop.devices.keyboard:make",
        "lsl": "telexist.teleop.devices.forces:make_lsl",
        "merged": "telexist.teleop.devices.merged:make",
        "moticon": "telexist.teleop.devices.forces:make_moticon",
        "omni": "telexist.teleop.devices.treadmill:make_omni",
        "openvr": "telexist.teleop.devices.openvr:make",
        "optitrack": "telexist.teleop.devices.optitrack:make",
        "pico": "telexist.teleop.devices.pico:make",
        "player": "telexist.teleop.devices.players:make_player",
        "remote": "telexist.teleop.devices.remote:make",
        "rokoko": "telexist.teleop.devices.rokoko:make",
        "script": "telexist.teleop.devices.walk.walk_script:make_script",
        "session": "telexist.teleop.devices.players:make_session",
        "shoes": "telexist.teleop.devices.yarp:make_shoes",
        "treadmill": "telexist.teleop.devices.treadmill:make",
        "vmc": "telexist.teleop.devices.vmc:make",
        "walkgoal": "telexist.teleop.devices.yarp:make_goal",
        "wearables": "telexist.teleop.devices.yarp:make_wearables",
        "webxr": "telexist.teleop.devices.webxr:make",
        "xsens": "telexist.teleop.devices.xsens:make",
        "yarpjoypad": "telexist.teleop.devices.yarp:make_joypad",
    },
)
"""Word to the function that makes the device, imported only when asked for."""


def make_device(text: str, options: DeviceOptions | None = None) -> Device:
    """Make the device that a text asks for; nothing is opened yet.

    Args:
        text: Such as "xsens:0.0.0.0:9763"; see the module's text.
        options: What the session says about devices.

    Raises:
        UnknownName: If there is no such device.
        BadPlugin: If it is another package's, and broken.
        BadInput: If the rest of the text is wrong.
    """
    text, kinds = split_only(text)
    word, rest = _word_and_rest(text)
    options = options if options is not None else DeviceOptions()
    device = cast(Device, DEVICES.call(word, rest, options, like=Device))
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
