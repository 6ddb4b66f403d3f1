"""Sensors under the feet of a recorded person, played in time with the recording."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from telexist.retarget.person_dynamics import GroundForces
from telexist.retarget.signals import HumanClip
from telexist.teleop import clock
from telexist.teleop.devices.base import DeviceTraits
from telexist.teleop.devices.forces.clip_forces import sole_forces
from telexist.teleop.devices.forces.sole_faults import LATE, SoleFaults, spoiled
from telexist.teleop.devices.players import PlayedDevice
from telexist.teleop.terms import DeviceSample, Provides

__all__ = ["SimulatedForces"]

PERIOD = 0.01  # [s] between two samples
NOISE = np.array([2.0, 2.0, 2.0, 0.3, 0.3, 0.3])  # [N], [N m]
FULL_SCALE = np.array([1000.0, 1000.0, 2000.0, 200.0, 200.0, 100.0])


class SimulatedForces(PlayedDevice):
    """Says what the feet of a clip feel, from when it is opened, again and again.

    Opened beside a player of the same clip, both go on together.
    """

    def __init__(
        self, clip: HumanClip, *, mass: float, load: float, faults: SoleFaults
    ) -> None:
        """Prepare.

        Args:
            clip: The person.
            mass: Of the body [kg].
            load: Carried in the hands, as the feet feel it [kg].
            faults: What goes wrong.
        """
        super().__init__("simulated force sensors")
        self._clip, self._mass, self._faults = clip, mass, faults
        self._load = load
        self._random = np.random.default_rng(0)
        self._begin = 0.0

    @property
    def provides(self) -> frozenset[Provides]:
        """Forces under the feet."""
        return frozenset({Provides.FORCES})

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]."""
        return 0.1

    @property
    def traits(self) -> DeviceTraits:
        """Nothing is special: it does what sensors do."""
        return DeviceTraits()

    def open(self, wake: Callable[[], None]) -> None:
        """Begin with the clip's first frame."""
        if not self._begin:
            self._begin = clock.now()
        super().open(wake)

    def close(self) -> None:
        """Stop."""
        super().close()
        self._begin = 0.0

    def _play(self, stop: threading.Event) -> None:
        forces = sole_forces(self._clip, self._mass + self._load)
        length = float(self._clip.time[-1]) + 1.0 / max(self._clip.rate, 1.0)
        before: GroundForces | None = None
        waiting: deque[GroundForces] = deque()
        sequence, due = 0, clock.now()
        while not stop.wait(max(0.0, due - clock.now())):
            now = clock.now()
            due = max(due + PERIOD, now)
            since = now - self._begin
            sample = GroundForces(
                stamp=now,
                source_time=since,
                wrench=forces.at(since % length)
                + NOISE * self._random.normal(size=(2, 6)),
                deviation=np.tile(NOISE, (2, 1)),
                full_scale=FULL_SCALE,
            )
            fault = self._faults.at(since)
            given = spoiled(fault, sample, before)
            if given is not None:
                before = given
                waiting.append(given)
            delay = LATE if fault == "late" else 0.0
            while waiting and now - (self._begin + waiting[0].source_time) >= delay:
                sequence += 1
                shown = replace(waiting.popleft(), stamp=now)
                self._mailbox.leave(
                    DeviceSample(stamp=now, sequence=sequence, forces=shown)
                )
