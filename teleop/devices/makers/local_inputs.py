"""Joypad, keyboard, headset and treadmills from the text that a user writes.

    joypad                joypad:1              joypad:my_pad.toml
    joypad:simulated      openvr:simulated      played, for who has none
    keyboard              openvr                openvr?trackers=LHR-1A~Pelvis+LHR-2B~T8
    cyberith:0.0.0.0:9770?sender=192.168.0.7    kat:/dev/hidraw3      omni:COM3

`treadmill:kat:/dev/hidraw3` is the same as `kat:/dev/hidraw3`, and so for each make.
Treadmills take `scale=0.5` (speed of the robot per speed of the person) too.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping
from pathlib import Path

from telexist.retarget.errors import BadInput, UnknownName
from telexist.teleop.devices.base import (
    Device,
    DeviceOptions,
    parse_endpoint,
    split_query,
)
from telexist.teleop.devices.joypad import Joypad, JoypadSettings, load_joypad
from telexist.teleop.devices.keyboard import Keyboard
from telexist.teleop.devices.network import LOOPBACK, parse_sender
from telexist.teleop.devices.openvr import OpenVrHeadset
from telexist.teleop.devices.treadmill import (
    PORT,
    CyberithTreadmill,
    KatTreadmill,
    OmniTreadmill,
    TreadmillWalkSettings,
    WalkingTreadmill,
)
from telexist.teleop.devices.walk import WalkLimits

__all__ = [
    "cyberith_source",
    "joypad_source",
    "kat_source",
    "keyboard_source",
    "omni_source",
    "openvr_source",
    "treadmill_source",
]

SIMULATED = "simulated"


def joypad_source(text: str, options: DeviceOptions) -> Device:
    """Make `joypad`, `joypad:NUMBER` or `joypad:FILE.toml`, `?dead_man=BUTTON`.

    `joypad:simulated` moves by itself.

    Raises:
        BadInput: If the text or the file is wrong.
    """
    del options
    place, query = split_query(text, ("dead_man",))
    settings = JoypadSettings()
    if place == SIMULATED:
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
    from telexist.teleop.devices.joypad import SimulatedJoypad

    return SimulatedJoypad()


def keyboard_source(text: str, options: DeviceOptions) -> Device:
    """Make `keyboard`.

    Raises:
        BadInput: If there is more text.
    """
    del options
    _nothing_more("keyboard", text)
    return Keyboard()


def openvr_source(text: str, options: DeviceOptions) -> Device:
    """Make `openvr?trackers=SERIAL~SEGMENT+SERIAL~SEGMENT&walk=sticks`.

    `openvr:simulated` is a person who performs the built-in motion.

    Raises:
        BadInput: If the text is wrong.
    """
    del options
    place, query = split_query(text, ("trackers", "walk"))
    if place != SIMULATED:
        _nothing_more("openvr", place)
    pairs = filter(None, query.get("trackers", "").split("+"))
    if query.get("walk", "sticks") != "sticks":
        raise BadInput(f"walk={query['walk']}: the only choice is walk=sticks")
    roles = dict(pair.partition("~")[::2] for pair in pairs)
    walk = WalkLimits() if "walk" in query else None
    if place != SIMULATED:
        return OpenVrHeadset(roles=roles, walk=walk)
    from telexist.teleop.devices.openvr import PlayedSteamVr

    name = "headset (simulated)"
    return OpenVrHeadset(roles=roles, walk=walk, library=PlayedSteamVr(), name=name)


def cyberith_source(text: str, options: DeviceOptions) -> Device:
    """Make `cyberith:HOST:PORT?sender=ADDRESS&scale=0.5`.

    Raises:
        BadInput: If the text is wrong.
    """
    del options
    place = parse_endpoint(text, host=LOOPBACK, port=PORT, known=("sender", "scale"))
    sender = place.options.get("sender")
    treadmill = CyberithTreadmill(
        host=place.host,
        port=place.port,
        sender=None if sender is None else parse_sender(sender),
    )
    return WalkingTreadmill(treadmill, _settings(place.options))


def kat_source(text: str, options: DeviceOptions) -> Device:
    """Make `kat` or `kat:FILE?counts_per_speed=1260&scale=0.5`.

    Raises:
        BadInput: If the text is wrong.
    """
    del options
    place, query = split_query(text, ("counts_per_speed", "scale"))
    counts = _number(query, "counts_per_speed", 1260.0)
    if not 1.0 <= counts <= 1e6:
        raise BadInput(f"counts_per_speed={counts:g}: choose 1 to 1000000")
    treadmill = KatTreadmill(place or None, counts_per_speed=counts)
    return WalkingTreadmill(treadmill, _settings(query))


def omni_source(text: str, options: DeviceOptions) -> Device:
    """Make `omni` or `omni:PORT?full_speed=1.5&start=ef09...be&scale=0.5`.

    Raises:
        BadInput: If the text is wrong.
    """
    del options
    place, query = split_query(text, ("full_speed", "start", "scale"))
    speed = _number(query, "full_speed", 1.5)
    if not 0.0 <= speed <= 5.0:
        raise BadInput(f"full_speed={speed:g}: choose 0 to 5 m/s")
    try:
        start = bytes.fromhex(query.get("start", ""))
    except ValueError as error:
        raise BadInput(f"start={query['start']}: expected bytes like ef09") from error
    treadmill = OmniTreadmill(place or None, full_speed=speed, start=start)
    return WalkingTreadmill(treadmill, _settings(query))


def treadmill_source(text: str, options: DeviceOptions) -> Device:
    """Make `treadmill:cyberith...`, `treadmill:kat...` or `treadmill:omni...`.

    Raises:
        BadInput: If there is no such treadmill, or its own text is wrong.
    """
    makes = {"cyberith": cyberith_source, "kat": kat_source, "omni": omni_source}
    make = text.partition(":")[0].partition("?")[0]
    if not make:
        known = ", ".join(makes)
        raise BadInput(f"treadmill: say which, as in treadmill:kat; known: {known}")
    if make not in makes:
        raise UnknownName("treadmill", make, makes)
    return makes[make](text.removeprefix(make).removeprefix(":"), options)


def _settings(query: Mapping[str, str]) -> TreadmillWalkSettings:
    usual = TreadmillWalkSettings()
    return dataclasses.replace(usual, scale=_number(query, "scale", usual.scale))


def _number(query: Mapping[str, str], name: str, usual: float) -> float:
    if name not in query:
        return usual
    try:
        return float(query[name])
    except ValueError as error:
        raise BadInput(f"{name}={query[name]}: expected a number") from error


def _nothing_more(word: str, text: str) -> None:
    if text:
        raise BadInput(f"{word} takes no further words, such as '{text}'")
