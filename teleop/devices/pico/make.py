"""Makes the receiver of a PICO headset from what a user writes after `pico`."""

from __future__ import annotations

from telexist.teleop.devices.base import Device, DeviceOptions, parse_endpoint
from telexist.teleop.devices.network import LOOPBACK
from telexist.teleop.devices.pico.pico_stream import PICO_PORT, PicoStream

__all__ = ["make"]


def make(text: str, options: DeviceOptions) -> Device:
    """Make `pico:HOST:PORT?sender=ADDRESS`.

    Raises:
        BadInput: If the text is wrong.
    """
    del options
    place = parse_endpoint(text, host=LOOPBACK, port=PICO_PORT, known=("sender",))
    return PicoStream(
        host=place.host, port=place.port, sender=place.options.get("sender")
    )
