"""Forces under the feet over time: which can be believed, and what they were then.

The estimate lags behind the newest sample, so that a fault is known before the moment
that it would spoil: a value that stands still, a stream that ends.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import numpy as np
from telexist.retarget.person_dynamics import GroundForces, SensorState
from telexist.retarget.so3 import Array

__all__ = ["ForceTrack", "ForcesAt"]

MEMORY = 2.0  # [s] of samples
FROZEN = 3  # equal values in a row, under load, are a sensor that stands still
LOADED = 20.0  # [N] a foot that feels so much carries something
LATE = 0.02  # [s] a sample that is on its way so much longer than others is late
DRIFT = 5e-5  # by which the sensor's clock may run off ours
RESTART = 1.0  # [s] a step of the sensor's clock
MISSING = 2.5  # periods without a sample
ON, OFF = 0.15, 0.06  # of the body weight: surely carries, surely does not
SURE, AIR = 0.7, 0.3  # confidence that a foot stands, that it does not


@dataclass(frozen=True, slots=True, kw_only=True)
class ForcesAt:
    """Forces at one moment; where a status is not OK, nothing is known.

    Attributes:
        wrench: (2, 6), as `GroundForces` says.
        deviation: (2, 6).
        in_world: As `GroundForces` says.
        status: Of left and right.
        reason: Why, for people; "" where the status is OK.
    """

    wrench: Array
    deviation: Array
    in_world: bool
    status: tuple[SensorState, SensorState]
    reason: tuple[str, str]


@dataclass(slots=True)
class _Sample:
    time: float
    forces: GroundForces
    late: float
    same: list[int]


class ForceTrack:
    """Keeps the newest samples, and judges them."""

    def __init__(self) -> None:
        """Start without a sample."""
        self._samples: deque[_Sample] = deque()
        self._transit = math.inf
        self._clock = -math.inf
        self._swapped = False

    @property
    def spoke(self) -> bool:
        """Whether a sample has ever come."""
        return self._clock > -math.inf

    def add(self, forces: GroundForces) -> None:
        """Take a sample; one that is no newer than the last is passed over."""
        late = self._lateness(forces)
        time = forces.stamp
        if math.isfinite(forces.source_time):
            time = forces.source_time + self._transit
        if self._samples and time <= self._samples[-1].time:
            if self._samples[-1].time - time < RESTART:
                return
            self._samples.clear()
        last = self._samples[-1] if self._samples else None
        same = [1, 1]
        if last is not None:
            for s in (0, 1):
                if np.array_equal(forces.wrench[s], last.forces.wrench[s]):
                    same[s] = last.same[s] + 1
        self._samples.append(_Sample(time, forces, late, same))
        while self._samples[0].time < time - MEMORY:
            self._samples.popleft()

    def _lateness(self, forces: GroundForces) -> float:
        """Return how much longer than others a sample was on its way [s]."""
        now, clock = forces.stamp, forces.source_time
        passed, self._clock = now - self._clock, now
        if not math.isfinite(clock):
            return 0.0
        transit = now - clock
        if abs(transit - self._transit) > RESTART:  # the first one, or a new clock
            self._transit = transit
        if math.isfinite(passed):
            self._transit += DRIFT * max(passed, 0.0)
        self._transit = min(self._transit, transit)
        return transit - self._transit

    def at(self, time: float, standing: Array, weight: float) -> ForcesAt:
        """Return what the feet felt.

        Args:
            time: [s].
            standing: How sure it is that each foot stands (2,), by its motion.
            weight: Of the body [N].
        """
        samples = list(self._samples)
        after = next((k for k, one in enumerate(samples) if one.time >= time), None)
        if after is None or after == 0 or self._gap(samples, after):
            word = SensorState.TIMEOUT if self.spoke else SensorState.WAITING
            reason = "no sample" if self.spoke else "has not spoken yet"
            return _unknown(word, reason)
        a, b = samples[after - 1], samples[after]
        share = (time - a.time) / (b.time - a.time)
        wrench = (1.0 - share) * a.forces.wrench + share * b.forces.wrench
        self._look_for_exchange(wrench[:, 2], standing, weight)
        newest = [self._run(samples, after, s) for s in (0, 1)]
        found = [self._judge(a, b, s, newest[s]) for s in (0, 1)]
        return ForcesAt(
            wrench=wrench,
            deviation=np.maximum(a.forces.deviation, b.forces.deviation),
            in_world=b.forces.in_world,
            status=(found[0][0], found[1][0]),
            reason=(found[0][1], found[1][1]),
        )

    def _gap(self, samples: list[_Sample], after: int) -> bool:
        times = np.array([one.time for one in samples])
        usual = float(np.median(np.diff(times)))
        return bool(times[after] - times[after - 1] > MISSING * usual)

    def _run(self, samples: list[_Sample], after: int, s: int) -> int:
        """Return how many equal values in a row the sample after is one of."""
        most = samples[after].same[s]
        for one in samples[after + 1 :]:
            if one.same[s] <= most:
                break
            most = one.same[s]
        return most

    def _look_for_exchange(
        self, vertical: Array, standing: Array, weight: float
    ) -> None:
        """See whether the foot in the air feels what the standing one should."""
        for air, ground in ((0, 1), (1, 0)):
            if standing[air] < AIR and standing[ground] > SURE:
                wrong = vertical[air] > ON * weight and vertical[ground] < OFF * weight
                right = vertical[ground] > ON * weight and vertical[air] < OFF * weight
                self._swapped = bool((self._swapped or wrong) and not right)

    def _judge(
        self, a: _Sample, b: _Sample, s: int, run: int
    ) -> tuple[SensorState, str]:
        told = np.isfinite(b.forces.deviation[s])
        both = np.stack([a.forces.wrench[s], b.forces.wrench[s]])[:, told]
        if not told.any():
            return SensorState.TIMEOUT, "no sensor"
        if not np.isfinite(both).all():
            return SensorState.ERROR, "not a number"
        if np.any(np.abs(both) >= 0.999 * b.forces.full_scale[told]):
            return SensorState.OVERFLOW, "at the end of its range"
        if run >= FROZEN and np.abs(both).max() > LOADED:
            return SensorState.ERROR, "stands still"
        late = max(a.late, b.late)
        if late > LATE:
            return SensorState.ERROR, f"late by {1e3 * late:.0f} ms"
        if self._swapped:
            return SensorState.ERROR, "left and right exchanged"
        return SensorState.OK, ""


def _unknown(status: SensorState, reason: str) -> ForcesAt:
    return ForcesAt(
        wrench=np.zeros((2, 6)),
        deviation=np.full((2, 6), np.inf),
        in_world=False,
        status=(status, status),
        reason=(reason, reason),
    )
