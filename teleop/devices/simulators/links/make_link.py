"""A simulator's way out, by its name: "udp", "tcp" or "cable"."""

from __future__ import annotations

from telexist.teleop.devices.simulators.links.cable_link import CableLink
from telexist.teleop.devices.simulators.links.links import (
    SenderLink,
    TcpLink,
    UdpLink,
    parse_address,
)

__all__ = ["make_link"]


def make_link(protocol: str, to: str) -> tuple[SenderLink, str]:
    """Return the link, and what the receiver is to be told.

    Args:
        protocol: "udp", "tcp" or "cable".
        to: HOST:PORT; not used for a cable, which has a name of its own.

    Raises:
        BadInput: If the address is wrong.
        DeviceLost: If there are no cables on this system.
    """
    if protocol == "cable":
        cable = CableLink()
        return cable, cable.path
    return (TcpLink if protocol == "tcp" else UdpLink)(parse_address(to)), to
