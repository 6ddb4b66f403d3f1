"""Faults inside what treadmills send: a ring that leaps or is not a number.

A KAT's frames hold whole numbers only, so none of them can be NaN, and no counter.
"""

from __future__ import annotations

import math
import struct

import numpy as np
import orjson
from telexist.teleop.devices.base import RefusedMessage
from telexist.teleop.devices.simulators.faults.payload_codec import TURN
from telexist.teleop.devices.treadmill import (
    BODY,
    CRC16S,
    END,
    FRAME_SIZE,
    HEADER,
    OVERHEAD,
    SENSORS,
    START,
    parse_virtualizer,
)

__all__ = ["CyberithFaults", "KatFaults", "OmniFaults"]

_QUATERNION = struct.Struct("<4h")  # of a KAT's body, in 2^-14
_QUATERNION_AT = 7
_COUNTED = struct.Struct("<BIIf")  # of an Omni: flags, time, steps, ring [deg]
_COUNTED_AT = 5
_COUNTED_FIELDS = 0x07


class CyberithFaults:
    """Rewrites the datagrams of the Virtualizer's sender; see `PayloadCodec`."""

    def reads(self, packet: bytes) -> bool:
        """Return whether it is such a datagram."""
        try:
            parse_virtualizer(packet)
        except RefusedMessage:
            return False
        return True

    def stream(self, packet: bytes) -> object:
        """Return the make."""
        return "cyberith"

    def number(self, packet: bytes) -> float | None:
        """Return the counter."""
        return float(orjson.loads(packet)["sequence"])

    def with_number(self, packet: bytes, number: float) -> bytes:
        """Return the packet with another counter."""
        return orjson.dumps({**orjson.loads(packet), "sequence": round(number)})

    def nan(self, packet: bytes, random: np.random.Generator) -> bytes:
        """Return the packet with a heading that is none: JSON's null."""
        return orjson.dumps({**orjson.loads(packet), "orientation": None})

    def jump(self, packet: bytes) -> bytes:
        """Return the packet with the ring turned."""
        said = orjson.loads(packet)
        said["orientation"] = (said["orientation"] - TURN / math.tau) % 1.0
        return orjson.dumps(said)


class KatFaults:
    """Rewrites the frames of a KAT Walk's receiver; see `PayloadCodec`."""

    def reads(self, packet: bytes) -> bool:
        """Return whether it is made of such frames."""
        return packet.startswith(HEADER) and len(packet) % FRAME_SIZE == 0

    def stream(self, packet: bytes) -> object:
        """Return the make."""
        return "kat"

    def number(self, packet: bytes) -> float | None:
        """Return None: it counts nothing."""
        return None

    def with_number(self, packet: bytes, number: float) -> bytes:
        """Return the packet as it is."""
        return packet

    def nan(self, packet: bytes, random: np.random.Generator) -> bytes:
        """Return the packet as it is: whole numbers are never NaN."""
        return packet

    def jump(self, packet: bytes) -> bytes:
        """Return the packet with the body turned about the vertical y axis."""
        starts = range(0, len(packet), FRAME_SIZE)
        frames = (packet[k : k + FRAME_SIZE] for k in starts)
        return b"".join(
            _turned(f) if (f[5], f[6]) == (SENSORS, BODY) else f for f in frames
        )


def _turned(frame: bytes) -> bytes:
    w, x, y, z = _QUATERNION.unpack_from(frame, _QUATERNION_AT)
    c, s = math.cos(0.5 * TURN), math.sin(0.5 * TURN)
    turned = (c * w - s * y, c * x + s * z, c * y + s * w, c * z - s * x)
    body = _QUATERNION.pack(*(round(value) for value in turned))
    end = _QUATERNION_AT + _QUATERNION.size
    return frame[:_QUATERNION_AT] + body + frame[end:]


class OmniFaults:
    """Rewrites the motion frames of a Virtuix Omni; see `PayloadCodec`."""

    def reads(self, packet: bytes) -> bool:
        """Return whether it is one motion frame with time, steps and ring."""
        least = OVERHEAD + _COUNTED.size
        framed = len(packet) >= least and packet[0] == START and packet[-1] == END
        fields = packet[_COUNTED_AT] if framed else 0
        all_there = fields & _COUNTED_FIELDS == _COUNTED_FIELDS
        return framed and packet[1] == len(packet) and all_there

    def stream(self, packet: bytes) -> object:
        """Return the make."""
        return "omni"

    def number(self, packet: bytes) -> float | None:
        """Return the treadmill's time [ms]."""
        return float(_COUNTED.unpack_from(packet, _COUNTED_AT)[1])

    def with_number(self, packet: bytes, number: float) -> bytes:
        """Return the packet with another time."""
        return _rewritten(packet, time=round(number))

    def nan(self, packet: bytes, random: np.random.Generator) -> bytes:
        """Return the packet with a ring whose angle is not a number."""
        return _rewritten(packet, angle_deg=math.nan)

    def jump(self, packet: bytes) -> bytes:
        """Return the packet with the ring turned."""
        angle_deg = _COUNTED.unpack_from(packet, _COUNTED_AT)[3]
        return _rewritten(packet, angle_deg=(angle_deg - math.degrees(TURN)) % 360.0)


def _rewritten(
    packet: bytes, *, time: int | None = None, angle_deg: float | None = None
) -> bytes:
    """Return a frame with other numbers and the CRC that they want."""
    flags, was_time, steps, was_deg = _COUNTED.unpack_from(packet, _COUNTED_AT)
    counted = _COUNTED.pack(
        flags,
        was_time if time is None else time & 0xFFFFFFFF,
        steps,
        was_deg if angle_deg is None else angle_deg,
    )
    rest = packet[_COUNTED_AT + _COUNTED.size : -3]
    covered, written = packet[:-3], packet[-3:-1]
    fitting = (crc for crc in CRC16S.values() if crc(covered) == written)
    crc = next(fitting, None)
    if crc is None:  # spoiled already
        return packet
    changed = packet[:_COUNTED_AT] + counted + rest
    return changed + crc(changed) + bytes((END,))
