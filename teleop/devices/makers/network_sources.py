"""Network devices from the text that a user writes after their name."""

from __future__ import annotations

from telexist.teleop.devices.base import (
    Device,
    DeviceOptions,
    parse_endpoint,
    whole_option,
)
from telexist.teleop.devices.network import LOOPBACK
from telexist.teleop.devices.vmc import VMC_PORT, VmcStream
from telexist.teleop.devices.xsens import XSENS_PORT, XsensStream

__all__ = ["vmc_source", "xsens_source"]


def xsens_source(text: str, options: DeviceOptions) -> Device:
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


def vmc_source(text: str, options: DeviceOptions) -> Device:
    """Make `vmc:HOST:PORT?sender=ADDRESS&trackers=SERIAL~SEGMENT+...`.

    Raises:
        BadInput: If the text is wrong.
    """
    del options
    place = parse_endpoint(
        text, host=LOOPBACK, port=VMC_PORT, known=("sender", "trackers")
    )
    pairs = filter(None, place.options.get("trackers", "").split("+"))
    table = {
        serial: part for serial, _, part in (pair.partition("~") for pair in pairs)
    }
    return VmcStream(
        host=place.host,
        port=place.port,
        sender=place.options.get("sender"),
        trackers=table,
    )
