"""The datagrams of the operator's side: samples out, pings answered."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from telexist.retarget.errors import TelexistError
from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.remote.remote_eyes import RemoteEyes
from telexist.teleop.devices.remote.sample_datagrams import (
    FORCES,
    TIMES,
    join_samples,
)
from telexist.teleop.devices.remote.sample_wire import pack_sample
from telexist.teleop.devices.remote.sealed_datagrams import (
    DatagramKind,
    Opener,
    Sealer,
)
from telexist.teleop.terms import DeviceSample, Request

__all__ = ["OperatorTalk"]

REPEATED = 2  # samples before the newest that go with it, if there is room


class OperatorTalk(asyncio.DatagramProtocol):
    """The datagrams of one connection.

    Attributes:
        eyes: Joins the pictures that come.
        counts: How often stop and hold were asked for.
        known: How often the robot's side has heard of that.
    """

    def __init__(
        self, keys: Sequence[bytes], show: Callable[[RobotFeedback], None]
    ) -> None:
        """Take the connection's keys, and who is shown what the robot sees and feels.

        Args:
            keys: Of what goes out, of what comes in, and of pictures.
            show: Shows it.
        """
        self._sealer, self._opener = Sealer(keys[0]), Opener(keys[1])
        self.eyes = RemoteEyes(keys[2])
        self._show = show
        self._sequence = 0
        self._last: deque[bytes] = deque(maxlen=1 + REPEATED)
        self._transport: asyncio.DatagramTransport | None = None
        self.counts, self.known = [0, 0], [0, 0]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send there from now on."""
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, addr: Any) -> None:
        """Answer a ping with our time; show pictures and forces."""
        with contextlib.suppress(TelexistError):
            if self.eyes.is_piece(data):
                picture = self.eyes.take(data)
                if picture is not None:
                    self._show(picture)
                return
            kind, content = self._opener.open(data)
            if kind is DatagramKind.TOUCH and len(content) == FORCES.size:
                forces = np.array(FORCES.unpack(content))
                if np.isfinite(forces).all():
                    self._show(RobotFeedback(stamp=clock.now(), hand_forces=forces))
            if kind is DatagramKind.PING and len(content) == TIMES.size:
                sent, _ = TIMES.unpack(content)
                self._put(DatagramKind.PONG, TIMES.pack(sent, clock.now()))

    def error_received(self, exc: Exception) -> None:
        """Go on: TLS tells whether somebody is there."""

    def count(self, asked: Sequence[Request]) -> None:
        """Count stops and holds; every datagram from now on tells of them."""
        self.counts[0] += Request.STOP in asked
        self.counts[1] += Request.HOLD in asked

    def send(self, samples: Sequence[DeviceSample]) -> None:
        """Send samples, with those before them."""
        for sample in samples:
            self._sequence += 1
            self._last.append(pack_sample(sample, self._sequence))
        repeated = self._last if samples else ()
        self._put(DatagramKind.SAMPLES, join_samples(self.counts, repeated))

    def _put(self, kind: DatagramKind, content: bytes) -> None:
        if self._transport is not None:
            self._transport.sendto(self._sealer.seal(kind, content))
