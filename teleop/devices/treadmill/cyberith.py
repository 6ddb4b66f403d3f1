"""The Cyberith Virtualizer, from the small sender that runs on its Windows computer.

`launch_scripts/cyberith_sender.py` reads the maker's library there and sends one JSON
datagram per sample:

```json
{"virtualizer": 1, "sequence": 7, "orientation": 0.25, "speed": 0.8,
 "direction": 0.0, "height_cm": -2.5}
```

`orientation` is the ring's heading as a part of a CLOCKWISE turn, `speed` is in m/s,
`direction` is -1 to 1 times pi, clockwise too (0.5 is right), and `height_cm` is over
the height at which the ring was reset.
"""

from __future__ import annotations

import math

import orjson
from telexist.teleop.devices.base import RefusedMessage, SampleCounter, SequenceVerdict
from telexist.teleop.devices.network import (
    LOOPBACK,
    DeclaredSender,
    NetworkDevice,
    PacketSource,
    UdpSource,
    listening_text,
)
from telexist.teleop.devices.treadmill.sample import treadmill_sample
from telexist.teleop.terms import DeviceSample, Provides, Treadmill

__all__ = ["PORT", "CyberithTreadmill", "parse_virtualizer"]

PORT = 9770  # of the datagrams, unless the user chooses another
MAX_BYTES = 512  # of a datagram; ours have about 120
_VERSION = 1
_MAX_SEQUENCE = 2**53


def parse_virtualizer(data: bytes) -> tuple[int, Treadmill]:
    """Return the number and the sample of a datagram.

    Raises:
        RefusedMessage: If it is none of ours.
    """
    if len(data) > MAX_BYTES:
        raise RefusedMessage("malformed", f"more than {MAX_BYTES} bytes")
    try:
        message = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise RefusedMessage("malformed", "not JSON") from error
    if not isinstance(message, dict) or message.get("virtualizer") != _VERSION:
        raise RefusedMessage("malformed", "not from the Virtualizer's sender")
    sequence = message.get("sequence")
    if not isinstance(sequence, int) or not 0 <= sequence < _MAX_SEQUENCE:
        raise RefusedMessage("malformed", f"sequence {sequence!r}")
    return sequence, treadmill_sample(
        yaw=-math.tau * _number(message, "orientation", 1.0),
        speed=_number(message, "speed", 100.0),
        direction=-math.pi * _number(message, "direction", 1.0),
        height=0.01 * _number(message, "height_cm", 1000.0),
    )


def _number(message: dict[str, object], key: str, limit: float) -> float:
    value = message.get(key)
    if value is None:  # what a sender makes of NaN
        raise RefusedMessage("nan", f"{key} is missing")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RefusedMessage("malformed", f"{key} {value!r}")
    if not abs(value) <= limit:
        raise RefusedMessage("malformed", f"{key} {value!r} beyond {limit:g}")
    return float(value)


class CyberithTreadmill(NetworkDevice):
    """Listens to the sender on the Virtualizer's computer."""

    def __init__(
        self,
        *,
        host: str = LOOPBACK,
        port: int = PORT,
        sender: DeclaredSender | None = None,
    ) -> None:
        """Take where to listen and to whom; see `UdpSource`."""
        super().__init__()
        self._host, self._port, self._sender = host, port, sender
        self._counter = SampleCounter()

    @property
    def name(self) -> str:
        """Short name for messages."""
        port = self._port if self._source is None else self._source.port
        return f"cyberith on {self._host}:{port}"

    @property
    def manual(self) -> str:
        """Where it listens, and how the Virtualizer's computer is told."""
        where = listening_text(self._host, self.port, "udp")
        return (
            f"{where}; on the Virtualizer's computer run: python cyberith_sender.py "
            f"--to ADDRESS --port {self.port}"
        )

    @property
    def provides(self) -> frozenset[Provides]:
        """A treadmill."""
        return frozenset({Provides.TREADMILL})

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]."""
        return 0.2

    def make_source(self) -> PacketSource:
        """Return the socket's thread, not yet open."""
        return UdpSource(
            self, self.mailbox, host=self._host, port=self._port, sender=self._sender
        )

    def sender_changed(self) -> None:
        """Forget what the former sender counted."""
        self._counter.reset()

    def handle(self, data: bytes, stamp: float) -> None:
        """Take one datagram.

        Raises:
            RefusedMessage: If it must not be used.
        """
        sequence, treadmill = parse_virtualizer(data)
        verdict = self._counter.judge(sequence, stamp)
        if verdict is SequenceVerdict.SAME:
            raise RefusedMessage("duplicate", f"number {sequence} came twice")
        if verdict not in (SequenceVerdict.NEW, SequenceVerdict.RESTART):
            raise RefusedMessage("late", f"number {sequence}")
        if self._counter.lost:
            self.mailbox.drop(stamp, "lost", self._counter.lost)
        self.mailbox.put(
            DeviceSample(stamp=stamp, sequence=sequence, treadmill=treadmill)
        )
