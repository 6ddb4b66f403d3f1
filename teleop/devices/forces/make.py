"""Makes force sensors from the text that a user writes after their word."""

from __future__ import annotations

from telexist.retarget.errors import BadInput
from telexist.retarget.recordings import BUILTIN, read_clip
from telexist.teleop.devices.base import (
    Device,
    DeviceOptions,
    parse_endpoint,
    split_query,
)
from telexist.teleop.devices.forces.lsl_forces import LslForces
from telexist.teleop.devices.forces.moticon_stream import MoticonStream
from telexist.teleop.devices.forces.moticon_wire import MOTICON_PORT
from telexist.teleop.devices.forces.simulated_forces import SimulatedForces
from telexist.teleop.devices.forces.sole_faults import parse_sole_faults
from telexist.teleop.devices.network import LOOPBACK

__all__ = ["make_lsl", "make_moticon", "make_simulated"]


def make_simulated(text: str, options: DeviceOptions) -> Device:
    """Make `forces:simulated?clip=FILE&mass=70&fault=lost+nan&from=5&for=2`.

    Raises:
        BadInput: If the text is wrong.
    """
    known = ("clip", "mass", "load", "fault", "from", "for")
    place, given = split_query(text, known)
    if place not in ("", "simulated"):
        raise BadInput(f"forces:{place}: choose forces:simulated, moticon, lsl")
    clip = read_clip(given.get("clip", BUILTIN), options.reading)
    faults = parse_sole_faults(
        given.get("fault", ""), given.get("from", "5"), given.get("for", "2")
    )
    return SimulatedForces(
        clip,
        mass=_number(given, "mass", "75", 5.0, 400.0),
        load=_number(given, "load", "0", 0.0, 100.0),
        faults=faults,
    )


def make_moticon(text: str, options: DeviceOptions) -> Device:
    """Make `moticon:HOST:PORT?sender=ADDRESS&length=0.26&centre=across-along`.

    Raises:
        BadInput: If the text is wrong.
    """
    del options
    known = ("sender", "length", "centre")
    place = parse_endpoint(text, host=LOOPBACK, port=MOTICON_PORT, known=known)
    given = dict(place.options)
    order = given.get("centre", "along-across")
    if order not in ("along-across", "across-along"):
        raise BadInput(f"centre={order}: choose along-across or across-along")
    return MoticonStream(
        host=place.host,
        port=place.port,
        sender=given.get("sender"),
        length=_number(given, "length", "0.26", 0.1, 0.4),
        exchanged=order == "across-along",
    )


def make_lsl(text: str, options: DeviceOptions) -> Device:
    """Make `lsl:NAME?foot=left&axes=world`.

    Raises:
        BadInput: If the text is wrong.
        MissingDependency: If the library is absent.
    """
    del options
    place, given = split_query(text, ("foot", "axes"))
    axes = given.get("axes", "sole")
    if axes not in ("sole", "world"):
        raise BadInput(f"axes={axes}: choose sole or world")
    return LslForces(place, foot=given.get("foot", ""), in_world=axes == "world")


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
