"""Forces under the feet over time: which can be believed, and what they were then.

Each foot is followed for itself: its sensor may be another device's than the other's. A
sample that tells nothing of a foot is none of that foot.

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
        in_world: As `GroundForces` says, of left and right.
        status: Of left and right.
        reason: Why, for people; "" where the status is OK.
    """

    wrench: Array
    deviation: Array
    in_world: tuple[bool, bool]
    status: tuple[SensorState, SensorState]
    reason: tuple[str, str]


@dataclass(slots=True)
class _Sample:
    time: float
    wrench: Array
    forces: GroundForces
    late: float
    same: int


_Found = tuple[Array, Array, bool, SensorState, str]


class ForceTrack:
    """Keeps the newest samples, and judges them."""

    def __init__(self) -> None:
        """Start without a sample."""
        self._feet = (_FootTrack(0), _FootTrack(1))
        self._swapped = False

    def add(self, forces: GroundForces) -> None:
        """Take a sample; one that is no newer than the last is passed over."""
        for foot in self._feet:
            foot.add(forces)

    def at(self, time: float, standing: Array, weight: float) -> ForcesAt:
        """Return what the feet felt.

        Args:
            time: [s].
            standing: How sure it is that each foot stands (2,), by its motion.
            weight: Of the body [N].
        """
        left, right = (foot.at(time) for foot in self._feet)
        vertical = np.array([left[0][2], right[0][2]])
        self._look_for_exchange(vertical, standing, weight)
        found = [self._unless_swapped(one) for one in (left, right)]
        return ForcesAt(
            wrench=np.stack([one[0] for one in found]),
            deviation=np.stack([one[1] for one in found]),
            in_world=(left[2], right[2]),
            status=(found[0][3], found[1][3]),
            reason=(found[0][4], found[1][4]),
        )

    def _unless_swapped(self, found: _Found) -> _Found:
        if self._swapped and found[3] is SensorState.OK:
            return (*found[:3], SensorState.ERROR, "left and right exchanged")
        return found

    def _look_for_exchange(
        self, vertical: Array, standing: Array, weight: float
    ) -> None:
        """See whether the foot in the air feels what the standing one should."""
        for air, ground in ((0, 1), (1, 0)):
            if standing[air] < AIR and standing[ground] > SURE:
                wrong = vertical[air] > ON * weight and vertical[ground] < OFF * weight
                right = vertical[ground] > ON * weight and vertical[air] < OFF * weight
                self._swapped = bool((self._swapped or wrong) and not right)


class _FootTrack:
    """The samples of one foot."""

    def __init__(self, side: int) -> None:
        self._side = side
        self._samples: deque[_Sample] = deque()
        self._transit = math.inf
        self._clock = -math.inf

    def add(self, forces: GroundForces) -> None:
        if not np.isfinite(forces.deviation[self._side]).any():
            return
        late, wrench = self._lateness(forces), forces.wrench[self._side]
        time = forces.stamp
        if math.isfinite(forces.source_time):
            time = forces.source_time + self._transit
        if self._samples and time <= self._samples[-1].time:
            if self._samples[-1].time - time < RESTART:
                return
            self._samples.clear()
        same = 1
        if self._samples and np.array_equal(wrench, self._samples[-1].wrench):
            same = self._samples[-1].same + 1
        self._samples.append(_Sample(time, wrench, forces, late, same))
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

    def at(self, time: float) -> _Found:
        """Return wrench, deviation, whether in the world, status and reason."""
        samples = list(self._samples)
        after = next((k for k, one in enumerate(samples) if one.time >= time), None)
        if after is None or after == 0 or self._gap(samples, after):
            spoke = self._clock > -math.inf
            word = SensorState.TIMEOUT if spoke else SensorState.WAITING
            reason = "no sample" if spoke else "has not spoken yet"
            return np.zeros(6), np.full(6, np.inf), False, word, reason
        a, b = samples[after - 1], samples[after]
        share = (time - a.time) / (b.time - a.time)
        status, reason = self._judge(a, b, self._run(samples, after))
        deviations = a.forces.deviation[self._side], b.forces.deviation[self._side]
        return (
            (1.0 - share) * a.wrench + share * b.wrench,
            np.maximum(*deviations),
            b.forces.in_world,
            status,
            reason,
        )

    def _gap(self, samples: list[_Sample], after: int) -> bool:
        times = np.array([one.time for one in samples])
        usual = float(np.median(np.diff(times)))
        return bool(times[after] - times[after - 1] > MISSING * usual)

    def _run(self, samples: list[_Sample], after: int) -> int:
        """Return how many equal values in a row the sample after is one of."""
        most = samples[after].same
        for one in samples[after + 1 :]:
            if one.same <= most:
                break
            most = one.same
        return most

    def _judge(self, a: _Sample, b: _Sample, run: int) -> tuple[SensorState, str]:
        told = np.isfinite(b.forces.deviation[self._side])
        both = np.stack([a.wrench, b.wrench])[:, told]
        if not np.isfinite(both).all():
            return SensorState.ERROR, "not a number"
        if np.any(np.abs(both) >= 0.999 * b.forces.full_scale[told]):
            return SensorState.OVERFLOW, "at the end of its range"
        if run >= FROZEN and np.abs(both).max() > LOADED:
            return SensorState.ERROR, "stands still"
        late = max(a.late, b.late)
        if late > LATE:
            return SensorState.ERROR, f"late by {1e3 * late:.0f} ms"
        return SensorState.OK, ""
