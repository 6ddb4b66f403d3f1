"""What the treadmills would send for a sample, byte by byte."""

from __future__ import annotations

import math
import struct

import orjson
from telexist.teleop.devices.treadmill import (
    BODY,
    CRC16S,
    END,
    FRAME_SIZE,
    HEADER,
    LEFT,
    OVERHEAD,
    RIGHT,
    SENSORS,
    START,
)
from telexist.teleop.terms import Treadmill

__all__ = ["cyberith_datagram", "kat_frames", "omni_frame", "walker"]

_MOTION = 0x7F  # all fields of an Omni's motion frame
_STREAM_COMMAND = 0xD1  # any number will do: frames are known by their shape


def walker(time: float) -> Treadmill:
    """Return what a person on a treadmill does: stand, walk, turn, walk sideways.

    Args:
        time: Since the beginning [s]; it repeats after 20 s.
    """
    t = time % 20.0
    speed = 0.8 * min(max(t - 2.0, 0.0), max(18.0 - t, 0.0), 1.0)
    turn = min(max(t - 7.0, 0.0), 4.0) / 4.0
    ease = turn**3 * (10.0 - 15.0 * turn + 6.0 * turn**2)
    yaw = math.pi * (int(time // 20.0) % 2 + ease)
    return Treadmill(
        yaw=math.remainder(yaw, math.tau),
        speed=max(speed, 0.0),
        direction=math.pi / 2.0 if t > 13.0 else 0.0,
        height=-0.02 * speed,
    )


def cyberith_datagram(sequence: int, sample: Treadmill) -> bytes:
    """Return the datagram of `launch_scripts/cyberith_sender.py`."""
    return orjson.dumps(
        {
            "virtualizer": 1,
            "sequence": sequence,
            "orientation": (-sample.yaw / math.tau) % 1.0,
            "speed": sample.speed,
            "direction": -sample.direction / math.pi,
            "height_cm": 100.0 * sample.height,
        }
    )


def kat_frames(sample: Treadmill, *, counts_per_speed: float = 1260.0) -> bytes:
    """Return the frames of both shoes and of the body, 32 bytes each."""
    slip = counts_per_speed * sample.speed
    foot = struct.pack(
        "<2h",
        round(slip * math.sin(sample.direction)),
        round(slip * math.cos(sample.direction)),
    )
    shoes = [_kat(side, b"\x01" + bytes(13) + foot) for side in (LEFT, RIGHT)]
    half = 0.5 * sample.yaw
    quat_wxyz = (math.cos(half), 0.0, math.sin(half), 0.0)
    body = struct.pack("<4h", *(round(16384 * value) for value in quat_wxyz))
    return b"".join([*shoes, _kat(BODY, body)])


def _kat(part: int, payload: bytes) -> bytes:
    frame = HEADER + bytes((0, 0, SENSORS, part)) + payload
    return frame.ljust(FRAME_SIZE, b"\0")


def omni_frame(
    number: int,
    sample: Treadmill,
    *,
    full_speed: float = 1.5,
    crc: str = "ccitt little",
) -> bytes:
    """Return a motion frame with all of its fields."""
    size = 128.0 * min(sample.speed / full_speed, 1.0)
    pad = bytes(
        min(max(round(127.0 + size * value), 0), 255)
        for value in (-math.sin(sample.direction), -math.cos(sample.direction))
    )
    angle_deg = math.degrees(-sample.yaw) % 360.0
    payload = struct.pack("<BIIfB", _MOTION, 10 * number, number, angle_deg, 0)
    payload += pad + bytes(2)
    head = bytes((START, len(payload) + OVERHEAD, _STREAM_COMMAND, number % 256, 0))
    return head + payload + CRC16S[crc](head + payload) + bytes((END,))
