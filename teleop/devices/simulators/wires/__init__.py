"""How simulated devices send: sockets, cables, and a proxy that breaks things."""

from telexist.teleop.devices.simulators.wires.fault_proxy import (
    TcpFaultProxy,
    UdpFaultProxy,
)
from telexist.teleop.devices.simulators.wires.links import parse_address
from telexist.teleop.devices.simulators.wires.make_link import make_link
from telexist.teleop.devices.simulators.wires.transmitter import Transmitter

__all__ = [
    "TcpFaultProxy",
    "Transmitter",
    "UdpFaultProxy",
    "make_link",
    "parse_address",
]
