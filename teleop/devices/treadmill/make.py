"""Makes treadmills: `cyberith:HOST:PORT`, `kat:/dev/hidraw3`, `omni:COM3`.

`treadmill:kat:/dev/hidraw3` is the same as `kat:/dev/hidraw3`, and so for each make.
All take `scale=0.5` (speed of the robot per speed of the person) too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from telexist.retarget.errors import BadInput, UnknownName
from telexist.teleop.devices.base import (
    Device,
    DeviceOptions,
    parse_endpoint,
    split_query,
)
from telexist.teleop.devices.network import LOOPBACK, parse_sender
from telexist.teleop.devices.treadmill.cyberith import PORT, CyberithTreadmill
from telexist.teleop.devices.treadmill.kat_port import KatTreadmill
from telexist.teleop.devices.treadmill.omni_port import OmniTreadmill
from telexist.teleop.devices.treadmill.treadmill_walk import TreadmillWalkSettings
from telexist.teleop.devices.treadmill.walking_treadmill import WalkingTreadmill

__all__ = ["make", "make_cyberith", "make_kat", "make_omni"]


def make_cyberith(text: str, options: DeviceOptions) -> Device:
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


def make_kat(text: str, options: DeviceOptions) -> Device:
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


def make_omni(text: str, options: DeviceOptions) -> Device:
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


def make(text: str, options: DeviceOptions) -> Device:
    """Make `treadmill:cyberith...`, `treadmill:kat...` or `treadmill:omni...`.

    Raises:
        BadInput: If there is no such treadmill, or its own text is wrong.
    """
    makes = {"cyberith": make_cyberith, "kat": make_kat, "omni": make_omni}
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
