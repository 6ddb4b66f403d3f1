"""How simulated devices send: sockets, cables, and a proxy that breaks things."""

from telexist.teleop.devices.simulators.links.fault_proxy import (
    TcpFaultProxy,
    UdpFaultProxy,
)
from telexist.teleop.devices.simulators.links.links import parse_address
from telexist.teleop.devices.simulators.links.make_link import make_link
from telexist.teleop.devices.simulators.links.transmitter import Transmitter

__all__ = [
    "TcpFaultProxy",
    "Transmitter",
    "UdpFaultProxy",
    "make_link",
    "parse_address",
]
