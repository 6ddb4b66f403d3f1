"""The bytes of a KAT Walk C2+: 32-byte frames of its USB receiver.

```
1f 55 aa | xx 00 | type | subtype | payload
type 30, subtype 0   body: quaternion w x y z, int16 LE, 2^-14, at 7; y is up
type 30, subtype 1   left foot: byte 7 is 1, slip x at 21 and y at 23, int16 LE
type 30, subtype 2   right foot, the same
```

A shoe that slides back on the deck gives a positive y: the person walks ahead; positive
x is a walk to the left. A lifted shoe sends a fixed pattern. The receiver wants a short
greeting, a poll every 0.3 s, and the base wants empty frames; at the end they are sent
to sleep, which spares the shoes' batteries. Facts from a public write-up; the scale of
the slip is from one person's capture: adjust `counts_per_speed`.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from telexist.teleop.devices.base import RefusedMessage
from telexist.teleop.devices.treadmill.sample import treadmill_sample
from telexist.teleop.terms import Treadmill

__all__ = ["FRAME_SIZE", "HEADER", "LIFTED", "KatDecoder", "KatFoot"]

HEADER = b"\x1f\x55\xaa"
FRAME_SIZE = 32
LIFTED = b"\x4e\x20\x00\x64\x05"  # in the payload of a shoe that is off the deck
SENSORS, BODY, LEFT, RIGHT = 0x30, 0, 1, 2
_SLEEP, _END_STREAM = 0xA0, 0x31
_GREETING = (0x31, 0x05, 0x21, 0x31)
_QUIET = 3.5  # [s] after the greeting, while the sensors wake up
_POLL_PERIOD = 0.3  # [s]
_FOOT_AGE = 0.15  # [s] after which a shoe's last word is forgotten
_MAX_BUFFER = 4096  # bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class KatFoot:
    """Slip of one shoe: to the left and ahead [counts], and when [s]."""

    left: int
    ahead: int
    stamp: float


class KatDecoder:
    """Finds the frames of the receiver and makes a sample of each of the body."""

    def __init__(
        self, *, counts_per_speed: float = 1260.0, dead_counts: float = 60.0
    ) -> None:
        """Take the scale of the shoes.

        Args:
            counts_per_speed: Slip at 1 m/s.
            dead_counts: Slip that counts as standing.
        """
        self._counts_per_speed = counts_per_speed
        self._dead_counts = dead_counts
        self.reset()

    def reset(self) -> None:
        """Forget everything: the treadmill was plugged in anew."""
        self._buffer = b""
        self._feet: dict[int, KatFoot] = {}
        self._dropped: Counter[str] = Counter()
        self._greeted: float | None = None
        self._polled = -math.inf

    def due(self, now: float) -> Sequence[bytes]:
        """Return the greeting once, and polls after the time the sensors need."""
        if self._greeted is None:
            self._greeted = now
            return [_command(kind) for kind in _GREETING]
        if now - self._greeted < _QUIET or now - self._polled < _POLL_PERIOD:
            return []
        self._polled = now
        return [_command(SENSORS)]

    def farewell(self) -> Sequence[bytes]:
        """Return the command to sleep and the end of the stream."""
        return [_command(_SLEEP, b"\x00\x02"), _command(_END_STREAM)]

    def take_dropped(self) -> Sequence[tuple[str, int]]:
        """Return what was refused since the last call, counted by reason."""
        counts, self._dropped = tuple(self._dropped.items()), Counter()
        return counts

    def feed(self, data: bytes, stamp: float) -> Sequence[Treadmill]:
        """Return one sample per frame of the body in the next bytes."""
        self._buffer = (self._buffer + data)[-_MAX_BUFFER:]
        samples = []
        while (frame := self._next_frame()) is not None:
            try:
                sample = self._decode(frame, stamp)
            except RefusedMessage as refusal:
                self._dropped[refusal.reason] += 1
                continue
            if sample is not None:
                samples.append(sample)
        return samples

    def _next_frame(self) -> bytes | None:
        """Cut the next frame off the buffer; what comes before it is lost."""
        start = self._buffer.find(HEADER)
        if start < 0:
            keep = len(HEADER) - 1  # a header may be cut in two
            if len(self._buffer) > keep:
                self._dropped["malformed"] += 1
                self._buffer = self._buffer[-keep:]
            return None
        if start > 0:
            self._dropped["malformed"] += 1
            self._buffer = self._buffer[start:]
        if len(self._buffer) < FRAME_SIZE:
            return None
        frame, self._buffer = self._buffer[:FRAME_SIZE], self._buffer[FRAME_SIZE:]
        return frame

    def _decode(self, frame: bytes, stamp: float) -> Treadmill | None:
        kind, part = frame[5], frame[6]
        if kind != SENSORS:
            return None
        if part == BODY:
            return self._sample(_yaw(frame), stamp)
        if part in (LEFT, RIGHT):
            if frame[7] == 1 and LIFTED not in frame:
                left, ahead = struct.unpack_from("<2h", frame, 21)
                self._feet[part] = KatFoot(left=left, ahead=ahead, stamp=stamp)
            else:
                self._feet.pop(part, None)
        return None

    def _sample(self, yaw: float, stamp: float) -> Treadmill:
        """The shoe that slides most is the one that stands."""
        feet = [f for f in self._feet.values() if stamp - f.stamp <= _FOOT_AGE]
        slips = [(math.hypot(foot.left, foot.ahead), foot) for foot in feet]
        slip, foot = max(slips, key=lambda pair: pair[0], default=(0.0, None))
        if foot is None or slip < self._dead_counts:
            return treadmill_sample(yaw=yaw, speed=0.0, direction=0.0)
        return treadmill_sample(
            yaw=yaw,
            speed=slip / self._counts_per_speed,
            direction=math.atan2(foot.left, foot.ahead),
        )


def _yaw(frame: bytes) -> float:
    """Return the heading about the vertical y axis [rad].

    Raises:
        RefusedMessage: If the quaternion has not length 1.
    """
    w, x, y, z = (value * 2.0**-14 for value in struct.unpack_from("<4h", frame, 7))
    if abs(math.sqrt(w * w + x * x + y * y + z * z) - 1.0) > 0.05:
        raise RefusedMessage("malformed", "the body's quaternion has not length 1")
    return math.atan2(2.0 * (w * y + x * z), 1.0 - 2.0 * (x * x + y * y))


def _command(kind: int, payload: bytes = b"") -> bytes:
    return (HEADER + bytes((0, 0, kind)) + payload).ljust(FRAME_SIZE, b"\0")
