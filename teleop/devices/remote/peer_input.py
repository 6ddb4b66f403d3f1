"""What a connected operator's side says: its samples, in our time, and its requests."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeGuard

import numpy as np
from telexist.retarget.printable import printable
from telexist.retarget.so3 import Array
from telexist.teleop import clock
from telexist.teleop.devices.base import (
    FrameBuilder,
    Mailbox,
    PeerClock,
    RefusedMessage,
)
from telexist.teleop.devices.remote.sample_datagrams import (
    FORCES,
    MOST_FORCE,
    TIMES,
    split_samples,
)
from telexist.teleop.devices.remote.sample_wire import SentSample, unpack_sample
from telexist.teleop.devices.remote.sealed_datagrams import (
    DatagramKind,
    Opener,
    Sealer,
    new_key,
)
from telexist.teleop.terms import DeviceSample, Request

__all__ = ["DEADLINE", "PeerInput"]

DEADLINE = 0.3  # [s] a sample that was measured earlier moves nothing
FRESH_REQUEST = 1.0  # [s] a request other than stop or hold that is older does nothing
ALWAYS = (Request.STOP, Request.HOLD)


class PeerInput:
    """Takes what comes and leaves in a mailbox what may be used.

    Attributes:
        keys: Of datagrams from the operator's side, to it, and of pictures to it.
        address: Where its datagrams come from; None before the first.
        clock: Its clock.
        counts: How often it has asked for a stop and for a hold.
        age: Of the newest sample when it came [s]; NaN before the first.
    """

    def __init__(self, mailbox: Mailbox) -> None:
        """Begin with new keys."""
        self.keys = (new_key(), new_key(), new_key())
        self._opener, self._sealer = Opener(self.keys[0]), Sealer(self.keys[1])
        self._pictures = Sealer(self.keys[2])
        self._mailbox, self._frames = mailbox, FrameBuilder()
        self.address: Any = None
        self.clock, self.age = PeerClock(), math.nan
        self._newest = 0
        self.counts = [0, 0]

    def ping(self) -> bytes:
        """Return a datagram that asks for its time."""
        return self._sealer.seal(DatagramKind.PING, TIMES.pack(clock.now(), 0.0))

    def seal_touch(self, forces: Array) -> bytes:
        """Return a datagram with the forces at the robot's hands (2,) [N]."""
        content = FORCES.pack(*np.clip(forces, 0.0, MOST_FORCE))
        return self._sealer.seal(DatagramKind.TOUCH, content)

    def seal_picture(self, content: bytes) -> bytes:
        """Return a datagram with a piece of a picture."""
        return self._pictures.seal(DatagramKind.PICTURE, content)

    def take_datagram(self, data: bytes, address: Any) -> None:
        """Take whatever came; what is not the peer's is counted and forgotten."""
        now = clock.now()
        try:
            kind, content = self._opener.open(data)
            self.address = address
            if kind is DatagramKind.PONG and len(content) == TIMES.size:
                sent, theirs = TIMES.unpack(content)
                if math.isfinite(sent) and math.isfinite(theirs):
                    self.clock.add(sent, theirs, now)
            elif kind is DatagramKind.SAMPLES:
                self._take_samples(content, now)
            else:
                raise RefusedMessage("malformed", "a datagram of the wrong kind")
        except RefusedMessage as error:
            who = f"{error.problem}, from {printable(str(address))[:60]}"
            self._mailbox.drop(now, error.reason, detail=who)

    def take_requests(self, message: Mapping[str, Any]) -> None:
        """Take what was asked over TLS, but what a stop or hold has overtaken."""
        now, known = clock.now(), {request.value: request for request in Request}
        words, sent = message.get("requests"), message.get("sent")
        counts = message.get("counts")
        if not (_are_words(words, known) and _is_time(sent) and _are_counts(counts)):
            self._mailbox.drop(now, "malformed", detail="requests that nobody knows")
            return
        asked = [known[word] for word in words]
        newest = [max(pair) for pair in zip(counts, self.counts, strict=True)]
        overtaken, self.counts = newest != counts, newest
        fresh = now - self.clock.ours(sent) <= FRESH_REQUEST and not overtaken
        taken = tuple(r for r in asked if fresh or r in ALWAYS)
        if len(taken) < len(asked):
            detail = "requests too old, or overtaken by a stop or hold"
            self._mailbox.drop(now, "late", len(asked) - len(taken), detail=detail)
        if taken:
            self._mailbox.put(DeviceSample(stamp=now, requests=taken))

    def _take_samples(self, content: bytes, now: float) -> None:
        counts, packed = split_samples(content)
        pairs = zip(ALWAYS, counts, self.counts, strict=True)
        urgent = tuple(request for request, new, old in pairs if new > old)
        self.counts = [max(pair) for pair in zip(counts, self.counts, strict=True)]
        if urgent:
            self._mailbox.put(DeviceSample(stamp=now, requests=urgent))
        for data in packed:
            sent = unpack_sample(data)
            if sent.sequence > self._newest:
                self._take_sample(sent, now)

    def _take_sample(self, sent: SentSample, now: float) -> None:
        gap, self._newest = sent.sequence - self._newest - 1, sent.sequence
        if gap > 0:
            self._mailbox.drop(now, "lost", gap)
        stamp = min(self.clock.ours(sent.stamp), now)
        if now - stamp > DEADLINE:
            age = f"{now - stamp:.1f} s old" if self.clock.known else "of no time yet"
            self._mailbox.drop(now, "late", detail=age)
            return
        self.age, person, human = now - stamp, sent.person, None
        if person is not None:
            human = self._frames.build(
                person.segments,
                person.rotations,
                person.positions,
                stamp=stamp,
                sequence=sent.sequence,
                source_time=sent.stamp,
                hand_points=person.hand_points,
            )
        self._mailbox.put(replace(sent.rest, stamp=stamp, human=human))


def _are_words(words: object, known: Mapping[str, Request]) -> TypeGuard[list[str]]:
    return isinstance(words, list) and all(
        isinstance(word, str) and word in known for word in words
    )


def _is_time(value: object) -> TypeGuard[float]:
    return isinstance(value, float) and math.isfinite(value)


def _are_counts(value: object) -> TypeGuard[list[int]]:
    if not isinstance(value, list) or len(value) != len(ALWAYS):
        return False
    return all(isinstance(k, int) and 0 <= k < 1 << 32 for k in value)
