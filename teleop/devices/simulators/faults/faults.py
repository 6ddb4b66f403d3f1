"""Faults of a network and of a source, in a plan that a seed makes repeatable.

A plan is written `loss=0.1,delay=0.05,from=5,for=2`:

    loss, duplicate, reorder, truncate, garbage, nan, jump   probability of each, 0 to 1
    delay, jitter      every packet comes later by this, and by up to this [s]
    burst              packets are held and come together, every so often [s]
    freeze             the pose stands still for this long, though packets come [s]
    restart            silence for this long, then the source counts from zero [s]
    from, for          when faults begin and how long they last [s]; else always

`freeze` and `restart` happen once, when the faults begin. `nan`, `jump` and `freeze`
rewrite real payloads: of people's streams, and of treadmills (whose ring jumps, or is
not a number); see `payload_faults.py`.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadInput, UnknownName
from telexist.teleop.devices.simulators.faults.payload_faults import PayloadFaults

__all__ = ["FaultLine", "FaultPlan", "parse_faults"]

_REORDER_BY = 0.05  # [s] by which a packet is held back
_MAX_GARBAGE = 1400  # [bytes]
_MAX_HELD = 10000  # packets on the way
_PROBABILITIES = (
    *("loss", "duplicate", "reorder", "truncate", "garbage", "nan", "jump"),
)
_TIMES = ("delay", "jitter", "burst", "freeze", "restart", "from", "for")


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultPlan:
    """What goes wrong; see the module's text."""

    loss: float = 0.0
    duplicate: float = 0.0
    reorder: float = 0.0
    truncate: float = 0.0
    garbage: float = 0.0
    nan: float = 0.0
    jump: float = 0.0
    delay: float = 0.0
    jitter: float = 0.0
    burst: float = 0.0
    freeze: float = 0.0
    restart: float = 0.0
    start: float = 0.0
    duration: float = math.inf


def parse_faults(text: str) -> FaultPlan:
    """Read a plan such as `loss=0.1,delay=0.05`.

    Raises:
        BadInput: If a word is unknown or a number out of range.
    """
    values: dict[str, float] = {}
    for item in filter(None, (part.strip() for part in text.split(","))):
        name, _, number = item.partition("=")
        if name not in (*_PROBABILITIES, *_TIMES):
            raise UnknownName("fault", name, (*_PROBABILITIES, *_TIMES))
        values[name] = _number(name, number)
    values = {
        {"from": "start", "for": "duration"}.get(k, k): v for k, v in values.items()
    }
    return FaultPlan(**values)


def _number(name: str, text: str) -> float:
    most = 1.0 if name in _PROBABILITIES else 3600.0
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.0 <= value <= most:
        unit = "a probability from 0 to 1" if most == 1.0 else "seconds from 0 to 3600"
        raise BadInput(f"fault {name}={text}: expected {unit}")
    return value


class FaultLine:
    """A line that loses, delays and spoils packets; it has no clock of its own."""

    def __init__(self, plan: FaultPlan, *, seed: int = 0) -> None:
        """Take the plan and the seed of its chances."""
        self._plan = self._next = plan
        self._random = np.random.default_rng(seed)
        self._payload = PayloadFaults(self._random)
        self._held: list[tuple[float, int, bytes]] = []
        self._count = 0
        self._begin: float | None = None
        self._jump: tuple[float | None, bool] = (None, False)  # sample, whether

    def change(self, plan: FaultPlan) -> None:
        """Let other things go wrong, from the next packet on; from any thread."""
        self._next = plan

    def push(self, packet: bytes, now: float) -> None:
        """Put a packet on the line.

        Args:
            packet: What was sent.
            now: When [s].
        """
        if self._begin is None or self._next is not self._plan:
            self._plan, self._begin = self._next, now
        since = now - self._begin - self._plan.start
        if not 0.0 <= since < self._plan.duration:
            self._hold(self._payload.renumber(packet), now)
            return
        plan = self._plan
        if since < plan.restart:
            self._payload.restart_next()
            return
        packet = self._payload.renumber(packet)
        if self._chance(plan.loss):
            return
        packet = self._spoiled(packet, frozen=since < plan.freeze)
        if self._chance(plan.garbage):
            length = int(self._random.integers(1, _MAX_GARBAGE))
            self._hold(self._random.bytes(length), self._arrival(now))
        self._hold(packet, self._arrival(now))
        if self._chance(plan.duplicate):
            self._hold(packet, self._arrival(now))

    def due(self, now: float) -> list[bytes]:
        """Return what arrives until now, in order."""
        packets = []
        while self._held and self._held[0][0] <= now:
            packets.append(heapq.heappop(self._held)[2])
        return packets

    def next_arrival(self) -> float | None:
        """Return when the next packet arrives [s], or None if none is on the way."""
        return self._held[0][0] if self._held else None

    def _spoiled(self, packet: bytes, *, frozen: bool) -> bytes:
        plan = self._plan
        packet = self._payload.freeze(packet) if frozen else self._payload.live(packet)
        if self._jumps(packet):
            packet = self._payload.jump(packet)
        if self._chance(plan.nan):
            packet = self._payload.nan(packet)
        if self._chance(plan.truncate) and len(packet) > 1:
            packet = packet[: int(self._random.integers(1, len(packet)))]
        return packet

    def _jumps(self, packet: bytes) -> bool:
        """Whether the person jumps: in all packets of a sample, or in none."""
        if self._plan.jump <= 0.0:
            return False
        sample = self._payload.sample(packet)
        if sample is None or sample != self._jump[0]:
            self._jump = (sample, self._chance(self._plan.jump))
        return self._jump[1]

    def _arrival(self, now: float) -> float:
        plan = self._plan
        time = now + plan.delay + plan.jitter * float(self._random.random())
        if self._chance(plan.reorder):
            time += _REORDER_BY
        if plan.burst and self._begin is not None:
            time = self._begin + plan.burst * math.ceil(
                (time - self._begin) / plan.burst
            )
        return time

    def _hold(self, packet: bytes, time: float) -> None:
        if len(self._held) < _MAX_HELD:
            heapq.heappush(self._held, (time, self._count, packet))
            self._count += 1

    def _chance(self, probability: float) -> bool:
        return probability > 0.0 and float(self._random.random()) < probability
