"""Moticon's insoles, live, as their desktop program sends them."""

from __future__ import annotations

import numpy as np
from telexist.retarget.person_dynamics import GroundForces
from telexist.teleop.devices.base import (
    RefusedMessage,
    SampleCounter,
    SequenceVerdict,
)
from telexist.teleop.devices.forces.moticon_wire import (
    MOTICON_PORT,
    InsoleReading,
    parse_moticon,
)
from telexist.teleop.devices.network import (
    LOOPBACK,
    NetworkDevice,
    PacketSource,
    UdpSource,
    listening_text,
    parse_sender,
)
from telexist.teleop.terms import DeviceSample, Provides

__all__ = ["MoticonStream", "insole_forces"]

TICKS = 1000.0  # of the insoles' time in a second
FORCE, LEVER = 0.05, 0.008  # of the force; [m] of its place: deviations
LEAST_FORCE = 10.0  # [N] deviation of a force at rest
LOADED = 20.0  # [N] below which there is no centre of pressure
HEEL = 0.2  # of the insole's length, from the heel to below the ankle
WIDTH = 0.36  # of an insole, of its length
FULL_SCALE = 4000.0  # [N]


class MoticonStream(NetworkDevice):
    """Vertical force and centre of pressure of each foot."""

    def __init__(
        self,
        *,
        host: str = LOOPBACK,
        port: int = MOTICON_PORT,
        sender: str | None = None,
        length: float = 0.26,
        exchanged: bool = False,
    ) -> None:
        """State where to listen; nothing is opened yet.

        Args:
            host: Address of this machine; "0.0.0.0" lets other machines send.
            port: As in Moticon's program, under UDP output.
            sender: The only machine that may send; None lets the first one win.
            length: Of the insoles [m].
            exchanged: The centre of pressure comes as across, along.

        Raises:
            BadInput: If an option is wrong.
        """
        super().__init__()
        self._host, self._port = host, port
        self._sender = None if sender is None else parse_sender(sender)
        self._length, self._exchanged = length, exchanged
        self._counter = SampleCounter()
        self._sequence = 0

    @property
    def name(self) -> str:
        """Short name for messages."""
        port = self._port if self._source is None else self._source.port
        return f"moticon on {self._host}:{port}"

    @property
    def provides(self) -> frozenset[Provides]:
        """Forces under the feet."""
        return frozenset({Provides.FORCES})

    @property
    def manual(self) -> str:
        """Where it listens."""
        where = listening_text(self._host, self.port, "udp")
        return f"{where}; in Moticon's program choose UDP output to this port"

    def make_source(self) -> PacketSource:
        """Return the UDP thread."""
        return UdpSource(
            self, self.mailbox, host=self._host, port=self._port, sender=self._sender
        )

    def sender_changed(self) -> None:
        """Forget what the former sender said."""
        self._counter.reset()

    def handle(self, data: bytes, stamp: float) -> None:
        """Take one datagram.

        Raises:
            RefusedMessage: If it must not be used.
        """
        reading = parse_moticon(data)
        verdict = self._counter.judge(round(reading.time * TICKS), stamp)
        if verdict is SequenceVerdict.LATE:
            raise RefusedMessage("late", f"time {reading.time:.3f} s")
        if verdict is SequenceVerdict.SAME:
            raise RefusedMessage("duplicate", f"time {reading.time:.3f} s")
        if self._exchanged:
            centre = reading.pressure_centre[:, ::-1]
            reading = InsoleReading(
                time=reading.time, pressure_centre=centre, force=reading.force
            )
        self._sequence += 1
        forces = insole_forces(reading, self._length, stamp)
        self.mailbox.put(
            DeviceSample(stamp=stamp, sequence=self._sequence, forces=forces)
        )


def insole_forces(reading: InsoleReading, length: float, stamp: float) -> GroundForces:
    """Return what insoles say as forces: vertical, and moments about level axes.

    Args:
        reading: Of both insoles.
        length: Of an insole [m].
        stamp: Arrival [s].
    """
    wrench, deviation = np.full((2, 6), np.nan), np.full((2, 6), np.inf)
    for s, force in enumerate(reading.force):
        wrench[s, 2] = force
        size = abs(force) if np.isfinite(force) else 0.0
        deviation[s, 2] = LEAST_FORCE + FORCE * size
        ahead, left = reading.pressure_centre[s] * (length, WIDTH * length)
        if size > LOADED:
            ahead += (0.5 - HEEL) * length  # from the insole's middle to the ankle's
            wrench[s, 3], wrench[s, 4] = left * force, -ahead * force
            deviation[s, 3:5] = LEVER * size + 0.5
        elif np.isfinite(force):  # a foot in the air: no moments either
            wrench[s, 3:5], deviation[s, 3:5] = 0.0, 1.0
    return GroundForces(
        stamp=stamp,
        source_time=reading.time,
        wrench=wrench,
        deviation=deviation,
        full_scale=np.array([np.inf, np.inf, FULL_SCALE, np.inf, np.inf, np.inf]),
    )
