"""Makes an Xsens suit from the text that a user writes after `xsens`."""

from __future__ import annotations

from telexist.teleop.devices.base import (
    Device,
    DeviceOptions,
    parse_endpoint,
    whole_option,
)
from telexist.teleop.devices.network import LOOPBACK
from telexist.teleop.devices.xsens.xsens_stream import XSENS_PORT, XsensStream

__all__ = ["make"]


def make(text: str, options: DeviceOptions) -> Device:
    """Make `xsens:HOST:PORT?protocol=tcp&sender=ADDRESS&character=1`.

    Raises:
        BadInput: If the text is wrong.
    """
    del options
    place = parse_endpoint(
        text,
        host=LOOPBACK,
        port=XSENS_PORT,
        known=("protocol", "sender", "character"),
    )
    return XsensStream(
        host=place.host,
        port=place.port,
        protocol=place.options.get("protocol", "udp"),
        sender=place.options.get("sender"),
        character=whole_option(place.options, "character"),
    )
