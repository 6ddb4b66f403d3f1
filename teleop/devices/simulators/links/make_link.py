"""A simulator's way out, by its name: "udp", "tcp", "cable", or a server of NatNet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from telexist.teleop.devices.simulators.links.cable_link import CableLink
from telexist.teleop.devices.simulators.links.links import (
    SenderLink,
    TcpLink,
    UdpLink,
    parse_address,
)
from telexist.teleop.devices.simulators.links.natnet_link import NatNetLink

__all__ = ["make_link"]

LINKS: Mapping[str, Callable[[tuple[str, int]], SenderLink]] = MappingProxyType(
    {
        "udp": UdpLink,
        "tcp": TcpLink,
        "unicast": NatNetLink,
        "multicast": NatNetLink.to_group,
    }
)


def make_link(protocol: str, to: str) -> tuple[SenderLink, str]:
    """Return the link, and what the receiver is to be told.

    Args:
        protocol: "udp", "tcp", "cable", "unicast" or "multicast" (of NatNet).
        to: HOST:PORT, of NatNet where to listen; not used for a cable, which has a
            name of its own.

    Raises:
        BadInput: If the address is wrong.
        DeviceLost: If there are no cables on this system, or the port is taken.
    """
    if protocol == "cable":
        cable = CableLink()
        return cable, cable.path
    return LINKS[protocol](parse_address(to)), to
