"""The packets of XRoboToolkit, the app that runs on a PICO headset.

The headset is the client; we are what it calls the PC service. A packet is a head 0x3F,
a command, the length of the body (u32, little-endian), the body, a time (u64) [ms] and
an end 0xA5. After `XRoboToolkit-Unity-Client` (Apache-2.0).
"""

from __future__ import annotations

import enum
import struct
from dataclasses import dataclass

from telexist.teleop.devices.base import RefusedMessage

__all__ = ["Command", "Packet", "build_packet", "packet_length", "parse_packet"]

_HEAD, _END = 0x3F, 0xA5
_BEGIN, _TAIL = struct.Struct("<BBI"), struct.Struct("<QB")
_MOST = 65536  # [bytes] of a body; a person with hands and controllers has 12 000


class Command(enum.IntEnum):
    """What a packet is; others exist and are passed over."""

    CONNECT = 0x19
    HEARTBEAT = 0x23
    VERSION = 0x6C
    FUNCTION = 0x6D


@dataclass(frozen=True, slots=True, kw_only=True)
class Packet:
    """One packet.

    Attributes:
        command: See `Command`.
        body: Text of the command.
        time: Of the headset's clock [s].
    """

    command: int
    body: bytes
    time: float


def packet_length(buffer: bytes) -> int | None:
    """Return how long the packet at the begin of a stream is; None if too short.

    Raises:
        RefusedMessage: If no packet begins here.
    """
    if buffer and buffer[0] != _HEAD:
        raise RefusedMessage("malformed", "not a packet of XRoboToolkit")
    if len(buffer) < _BEGIN.size:
        return None
    _, _, size = _BEGIN.unpack_from(buffer)
    if size > _MOST:
        raise RefusedMessage("malformed", f"a packet of {size} bytes")
    return int(_BEGIN.size + size + _TAIL.size)


def parse_packet(data: bytes) -> Packet:
    """Read a whole packet.

    Raises:
        RefusedMessage: If it does not end as packets do.
    """
    if packet_length(data) != len(data) or data[-1] != _END:
        raise RefusedMessage("malformed", "a packet that does not end")
    time, _ = _TAIL.unpack_from(data, len(data) - _TAIL.size)
    return Packet(
        command=data[1],
        body=data[_BEGIN.size : -_TAIL.size],
        time=1e-3 * time,
    )


def build_packet(packet: Packet) -> bytes:
    """Return the bytes of a packet."""
    begin = _BEGIN.pack(_HEAD, packet.command, len(packet.body))
    return begin + packet.body + _TAIL.pack(round(1e3 * packet.time), _END)
