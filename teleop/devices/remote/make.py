"""Makes the robot's side of a net: `remote`, `remote:0.0.0.0:7788`."""

from __future__ import annotations

from pathlib import Path

from telexist.calibration import operators_folder
from telexist.retarget.errors import BadInput
from telexist.teleop.devices.base import Device, DeviceOptions, parse_endpoint
from telexist.teleop.devices.remote.identity import Identity
from telexist.teleop.devices.remote.remote_source import RemoteSource

__all__ = ["PORT", "make", "own_identity"]

PORT = 7788
LOOPBACK = "127.0.0.1"
YES = {"yes": True, "no": False}


def make(text: str, options: DeviceOptions) -> Device:
    """Make `remote:HOST:PORT?pair=yes&still=yes`.

    Raises:
        BadInput: If the text is wrong, or certificates cannot be kept.
    """
    del options
    known = ("pair", "still")
    place = parse_endpoint(text, host=LOOPBACK, port=PORT, known=known)
    for name in known:
        if place.options.get(name, "no") not in YES:
            raise BadInput(f"{name}={place.options[name]}: yes or no")
    return RemoteSource(
        own_identity("robot"),
        host=place.host,
        port=place.port,
        pair=YES[place.options.get("pair", "no")],
        still=YES[place.options.get("still", "no")],
    )


def own_identity(side: str) -> Identity:
    """Return who this machine is as a "robot" or as an "operator"."""
    return Identity(_folder() / side)


def _folder() -> Path:
    return operators_folder().parent / "remote"
