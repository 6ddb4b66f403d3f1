"""Makes a VMC stream from the text that a user writes after `vmc`."""

from __future__ import annotations

from telexist.teleop.devices.base import Device, DeviceOptions, parse_endpoint
from telexist.teleop.devices.network import LOOPBACK
from telexist.teleop.devices.vmc.vmc_stream import VMC_PORT, VmcStream

__all__ = ["make"]


def make(text: str, options: DeviceOptions) -> Device:
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
