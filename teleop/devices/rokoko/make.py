"""Makes the receiver of Rokoko Studio from what a user writes after `rokoko`."""

from __future__ import annotations

from telexist.teleop.devices.base import Device, DeviceOptions, parse_endpoint
from telexist.teleop.devices.network import LOOPBACK
from telexist.teleop.devices.rokoko.rokoko_stream import ROKOKO_PORT, RokokoStream

__all__ = ["make"]


def make(text: str, options: DeviceOptions) -> Device:
    """Make `rokoko:HOST:PORT?sender=ADDRESS&actor=NAME`.

    Raises:
        BadInput: If the text is wrong.
    """
    del options
    known = ("sender", "actor")
    place = parse_endpoint(text, host=LOOPBACK, port=ROKOKO_PORT, known=known)
    return RokokoStream(
        host=place.host,
        port=place.port,
        sender=place.options.get("sender"),
        actor=place.options.get("actor"),
    )
