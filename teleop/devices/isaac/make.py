"""Makes the receiver of the 24 joints from what a user writes after `isaac`."""

from __future__ import annotations

from telexist.teleop.devices.base import Device, DeviceOptions, parse_endpoint
from telexist.teleop.devices.isaac.isaac_stream import ISAAC_PORT, IsaacStream
from telexist.teleop.devices.network import LOOPBACK

__all__ = ["make"]


def make(text: str, options: DeviceOptions) -> Device:
    """Make `isaac:HOST:PORT?sender=ADDRESS`.

    Raises:
        BadInput: If the text is wrong.
    """
    del options
    place = parse_endpoint(text, host=LOOPBACK, port=ISAAC_PORT, known=("sender",))
    return IsaacStream(
        host=place.host, port=place.port, sender=place.options.get("sender")
    )
