"""What a session can say about any device, and the options in a device's own text."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.recordings import ReadOptions

__all__ = [
    "DeviceOptions",
    "Endpoint",
    "parse_endpoint",
    "split_query",
    "whole_option",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceOptions:
    """Options of a session that a device uses if they concern it.

    Attributes:
        loop: Whether a recording begins again after its end.
        start: Time of a recording at which to begin [s].
        reading: What is known about a recording; None looks beside the file.
    """

    loop: bool = True
    start: float = 0.0
    reading: ReadOptions | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a network device listens, and its further options."""

    host: str
    port: int
    options: Mapping[str, str]


def parse_endpoint(
    text: str, *, host: str, port: int, known: Collection[str] = ()
) -> Endpoint:
    """Read "", "9763", "0.0.0.0", "0.0.0.0:9763", each with "?name=value&...".

    Args:
        text: What follows the name of the device.
        host: Used where the text names none.
        port: Used where the text names none.
        known: Names of the options.

    Raises:
        BadInput: If the port is none or an option unknown.
    """
    place, options = split_query(text, known)
    first, colon, second = place.partition(":")
    if not colon and first.isdecimal():
        first, second = "", first
    if second and not (second.isdecimal() and int(second) < 65536):
        raise BadInput(f"'{second}' is no port: expected HOST:PORT or PORT")
    return Endpoint(
        host=first or host, port=int(second) if second else port, options=options
    )


def split_query(text: str, known: Collection[str]) -> tuple[str, dict[str, str]]:
    """Split "place?name=value&name=value".

    Raises:
        UnknownName: If an option is not among the known ones.
    """
    place, _, query = text.partition("?")
    options = {}
    for item in filter(None, query.split("&")):
        name, _, value = item.partition("=")
        if name not in known:
            raise UnknownName("option of this device", name, known)
        options[name] = value
    return place, options


def whole_option(options: Mapping[str, str], name: str) -> int | None:
    """Return an option that is a whole number, or None if it is not there.

    Raises:
        BadInput: If it is not one.
    """
    if name not in options:
        return None
    if not options[name].isdecimal():
        raise BadInput(f"{name}={options[name]}: expected a whole number")
    return int(options[name])
