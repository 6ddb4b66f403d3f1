"""Sockets of devices: who may send, what is read, all in a thread of its own."""

from telexist.teleop.devices.network.listening_socket import (
    LOOPBACK,
    listening_socket,
    listening_text,
)
from telexist.teleop.devices.network.network_device import NetworkDevice
from telexist.teleop.devices.network.packet_handler import PacketHandler, PacketSource
from telexist.teleop.devices.network.sender_gate import DeclaredSender, parse_sender
from telexist.teleop.devices.network.tcp_source import TcpSource
from telexist.teleop.devices.network.udp_source import UdpSource

__all__ = [
    "DeclaredSender",
    "LOOPBACK",
    "NetworkDevice",
    "PacketHandler",
    "PacketSource",
    "TcpSource",
    "UdpSource",
    "listening_socket",
    "listening_text",
    "parse_sender",
]
