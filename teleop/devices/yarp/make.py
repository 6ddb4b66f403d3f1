"""Makes devices behind YARP from the text that a user writes after their word.

All take `HOST:PORT` of the name server, which may be left out where `yarp conf` says
it, and `?from=/PORT+/PORT` (ports to hear) and `name=/PORT` (ours).
"""

from __future__ import annotations

from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.segments import SEGMENTS
from telexist.robots.yarp.iit import GoalScale
from telexist.robots.yarp.network import name_server_address
from telexist.teleop.devices.base import (
    Device,
    DeviceOptions,
    parse_endpoint,
)
from telexist.teleop.devices.walk import WalkLimits
from telexist.teleop.devices.yarp.shoes import Shoes
from telexist.teleop.devices.yarp.walk_goals import GoalPort, JoypadPorts
from telexist.teleop.devices.yarp.wearables import Wearables
from telexist.teleop.terms import Request

__all__ = ["make_goal", "make_joypad", "make_shoes", "make_wearables"]

ANY_WEARABLE = ("*/WearableData/data:o",)
GOALS = ("/joypad/goal:o", "/virtualizer/goal:o", "/iFeelWalking/goal:o")
BUTTONS = "0-engage+1-stop+2-hold+3-calibrate+6-reset"


def make_wearables(text: str, options: DeviceOptions) -> Device:
    """Make `wearables:HOST:PORT?from=/XsensSuit/WearableData/data:o`.

    Raises:
        BadInput: If the text is wrong.
    """
    del options
    given = _read(text, ("from", "name", "parts"))
    parts = dict(_pairs(given, "parts", ""))
    for segment in parts.values():
        if segment not in SEGMENTS:
            raise UnknownName("segment", segment, SEGMENTS)
    return Wearables(
        *_server(text, given),
        sources=_sources(given, ANY_WEARABLE),
        own_name=_name(given, "/telexist/wearables:i"),
        parts=parts,
    )


def make_shoes(text: str, options: DeviceOptions) -> Device:
    """Make `shoes:HOST:PORT?from=/FTShoes/WearableData/data:o&ankle=0.08`.

    Raises:
        BadInput: If the text is wrong.
    """
    del options
    given = _read(text, ("from", "name", "ankle"))
    return Shoes(
        *_server(text, given),
        sources=_sources(given, ANY_WEARABLE),
        own_name=_name(given, "/telexist/shoes:i"),
        ankle=_number(given, "ankle", "0.08", 0.0, 0.3),
    )


def make_goal(text: str, options: DeviceOptions) -> Device:
    """Make `walkgoal:HOST:PORT?from=/joypad/goal:o&name=/walking-coordinator/goal:i`.

    Raises:
        BadInput: If the text is wrong.
    """
    del options
    given = _read(text, ("from", "name", "ahead", "turn", "side"))
    scale = GoalScale(
        ahead=_number(given, "ahead", "0.5", 0.01, 2.0),
        turn=_number(given, "turn", "1", 0.01, 3.0),
        side=_number(given, "side", "0.5", 0.01, 2.0),
    )
    return GoalPort(
        *_server(text, given),
        sources=_sources(given, GOALS),
        own_name=_name(given, "/telexist/goal:i"),
        scale=scale,
    )


def make_joypad(text: str, options: DeviceOptions) -> Device:
    """Make `yarpjoypad:HOST:PORT?prefix=/joypadDevice/joypad&buttons=0-engage+1-stop`.

    Raises:
        BadInput: If the text is wrong, or no button stops.
    """
    del options
    given = _read(text, ("prefix", "name", "buttons", "ahead", "turn", "side"))
    limits = WalkLimits(
        forward=_number(given, "ahead", "0.4", 0.0, 2.0),
        side=_number(given, "side", "0.2", 0.0, 2.0),
        turn=_number(given, "turn", "0.6", 0.0, 3.0),
    )
    buttons = {}
    for number, word in _pairs(given, "buttons", BUTTONS):
        if not number.isdecimal() or word not in {r.value for r in Request}:
            raise BadInput(f"buttons={number}-{word}: say NUMBER-REQUEST, as {BUTTONS}")
        buttons[int(number)] = Request(word)
    if Request.STOP not in buttons.values():
        raise BadInput(f"buttons={given['buttons']}: one must be stop")
    return JoypadPorts(
        *_server(text, given),
        prefix=_port_name(given.get("prefix", "/joypadDevice/joypad")),
        own_name=_name(given, "/telexist/joypad"),
        limits=limits,
        buttons=buttons,
    )


def _read(text: str, known: tuple[str, ...]) -> dict[str, str]:
    return dict(parse_endpoint(text, host="", port=0, known=known).options)


def _server(text: str, given: dict[str, str]) -> tuple[str, int]:
    usual, number = name_server_address()
    place = parse_endpoint(text, host="", port=0, known=tuple(given))
    if not place.host:
        return usual, place.port or number
    return place.host, place.port or 10000


def _sources(given: dict[str, str], usual: tuple[str, ...]) -> tuple[str, ...]:
    names = [name for name in given.get("from", "").split("+") if name]
    return tuple(map(_port_name, names)) or usual


def _name(given: dict[str, str], usual: str) -> str:
    return _port_name(given.get("name", usual))


def _port_name(name: str) -> str:
    if not name.startswith("/") or " " in name or len(name) < 2:
        raise BadInput(f"'{name}' is no name of a port: it begins with /")
    return name


def _pairs(given: dict[str, str], name: str, usual: str) -> list[tuple[str, str]]:
    pairs = []
    for item in filter(None, given.get(name, usual).split("+")):
        left, dash, right = item.rpartition("-")
        if not dash or not left:
            raise BadInput(f"{name}={item}: expected A-B, several with + between")
        pairs.append((left, right))
    return pairs


def _number(
    given: dict[str, str], name: str, usual: str, low: float, high: float
) -> float:
    text = given.get(name, usual)
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not low <= number <= high:
        raise BadInput(f"{name}={text}: expected a number from {low:g} to {high:g}")
    return number
