"""The bytes of a Virtuix Omni: frames on its serial port.

```
ef | length | command | number | pipe | payload | crc16 | be
```

`length` counts the whole frame. The payload of a motion frame begins with a byte of
flags, and the fields whose flags are set follow: time (4), step count (4), ring angle
(float32, degrees, clockwise), ring change (1), gamepad x and y (2), gun button (1),
step trigger (1). The gamepad rests at 127; x to the right, y backwards.

What is public names neither the numbers of the commands nor the CRC's polynomial. So a
frame counts as motion by its shape, and the CRC is learnt: the one of the usual CRC16s
that fits `_PROOF` frames in a row is the Omni's, and nothing counts before or without
it. Not tried on a real Omni yet.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Sequence

from telexist.teleop.devices.base import RefusedMessage
from telexist.teleop.devices.treadmill.crc16 import CRC16S
from telexist.teleop.devices.treadmill.sample import treadmill_sample
from telexist.teleop.terms import Treadmill

__all__ = ["END", "START", "OmniDecoder"]

START, END = 0xEF, 0xBE
OVERHEAD = 8  # bytes of a frame without payload
_FIELDS = ((1, 4), (2, 4), (4, 4), (8, 1), (16, 2), (32, 1), (64, 1))  # flag, bytes
_RING, _PAD = 4, 16
_CENTRE = 127  # of a gamepad's byte
_PROOF = 4  # frames that the same CRC must fit before anything counts
_MAX_BUFFER = 4096  # bytes


class OmniDecoder:
    """Finds motion frames and makes a sample of each."""

    def __init__(self, *, full_speed: float = 1.5, start: bytes = b"") -> None:
        """Take the scale of the gamepad and what starts the stream.

        Args:
            full_speed: Of walking when the gamepad is at its end [m/s].
            start: A frame to send once, where the stream must be asked for.
        """
        self._full_speed = full_speed
        self._start = start
        self.reset()

    def reset(self) -> None:
        """Forget everything: the treadmill was plugged in anew."""
        self._buffer = b""
        self._dropped: Counter[str] = Counter()
        self._started = False
        self._fits = {name: 0 for name in CRC16S}
        self._crc: str | None = None

    def due(self, now: float) -> Sequence[bytes]:
        """Return the frame that starts the stream, once."""
        first, self._started = not self._started, True
        return [self._start] if first and self._start else []

    def farewell(self) -> Sequence[bytes]:
        """Return nothing: it streams on."""
        return []

    def take_dropped(self) -> Sequence[tuple[str, int]]:
        """Return what was refused since the last call, counted by reason."""
        counts, self._dropped = tuple(self._dropped.items()), Counter()
        return counts

    def feed(self, data: bytes, stamp: float) -> Sequence[Treadmill]:
        """Return one sample per motion frame in the next bytes."""
        self._buffer = (self._buffer + data)[-_MAX_BUFFER:]
        samples = []
        while (frame := self._next_frame()) is not None:
            try:
                sample = self._decode(frame)
            except RefusedMessage as refusal:
                self._dropped[refusal.reason] += 1
                continue
            if sample is not None:
                samples.append(sample)
        return samples

    def _next_frame(self) -> bytes | None:
        """Cut the next well-formed frame off the buffer."""
        while True:
            start = self._buffer.find(START)
            if start != 0 and self._buffer:
                self._dropped["malformed"] += 1
                self._buffer = self._buffer[start:] if start > 0 else b""
            if len(self._buffer) < 2:
                return None
            length = self._buffer[1]
            if length >= OVERHEAD and len(self._buffer) < length:
                return None
            frame = self._buffer[:length]
            if length >= OVERHEAD and frame[-1] == END and self._crc_fits(frame):
                self._buffer = self._buffer[length:]
                return frame
            self._buffer = self._buffer[1:]  # that was no start: look behind it
            self._dropped["malformed"] += 1

    def _crc_fits(self, frame: bytes) -> bool:
        """Whether the CRC is right, or none is known yet and one of them fits."""
        covered, written = frame[:-3], frame[-3:-1]
        if self._crc is not None:
            return CRC16S[self._crc](covered) == written
        fitting = {name for name, crc in CRC16S.items() if crc(covered) == written}
        for name in self._fits:
            self._fits[name] = self._fits[name] + 1 if name in fitting else 0
            if self._fits[name] == _PROOF:
                self._crc = name
        return bool(fitting)

    def _decode(self, frame: bytes) -> Treadmill | None:
        """Return the sample of a motion frame, None for any other frame."""
        payload = frame[5:-3]
        fields = _fields(payload)
        if fields is None or _RING not in fields or _PAD not in fields:
            return None
        if self._crc is None:
            raise RefusedMessage("unproven", "the frames' CRC is not known yet")
        (angle_deg,) = struct.unpack("<f", fields[_RING])
        if not abs(angle_deg) <= 720.0:
            raise RefusedMessage("malformed", f"ring at {angle_deg} degrees")
        right, back = ((value - _CENTRE) / 128.0 for value in fields[_PAD])
        return treadmill_sample(
            yaw=-math.radians(angle_deg),
            speed=self._full_speed * min(math.hypot(right, back), 1.0),
            direction=math.atan2(-right, -back) if right or back else 0.0,
        )


def _fields(payload: bytes) -> dict[int, bytes] | None:
    """Return the bytes of each field by its flag; None if the size does not fit."""
    if not payload:
        return None
    fields, place = {}, 1
    for flag, size in _FIELDS:
        if payload[0] & flag:
            fields[flag] = payload[place : place + size]
            place += size
    return fields if place == len(payload) and not payload[0] & 0x80 else None
