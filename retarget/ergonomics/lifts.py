"""Lifts found in the load of the hands: when something was taken, and where put.

A load is noisy, above all while the body moves. That one is there is told by a mean
over a quarter of a second: while the person is nearly still at once, else when it is
beyond what motion feigns. When it came is then the instant that best divides the
samples since the last one into without and with.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import numpy as np
from telexist.retarget.ergonomics.lifting import LiftingIndex, lifting_index
from telexist.retarget.ergonomics.settings import ErgonomicSettings

__all__ = ["HandPlace", "HandLift", "LiftFinder"]

LEVEL = 0.25  # [s] of the mean that tells that something is held
MEMORY = 4.0  # [s] of samples in which the instant is looked for
GROWS = 1.1  # times what it was an eighth of a second ago: a load still grows
SURE = 1.5  # deviations of one moment that the mean load of a moving person must have
QUARTER = 900.0  # [s] over which lifts are counted for their frequency
RARE = 0.2  # lifts a minute, at the most


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPlace:
    """Where the hands are, as the lifting equation asks.

    Attributes:
        horizontal: Ahead of the middle between the ankles [m].
        height: Over the floor [m].
        asymmetry_deg: To the side of where the feet point [deg].
    """

    horizontal: float
    height: float
    asymmetry_deg: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLift:
    """Something that was taken and put.

    Attributes:
        start: When it was taken [s].
        end: When it was put, or now [s].
        load: Mean in both hands [kg].
        load_sd: Deviation of the load at one moment [kg].
        origin: Where it was taken.
        destination: Where it was farthest from there in height.
        at_origin: Judged there, by the estimated load.
        at_destination: Judged there.
        lifts_a_minute: How often, as it was judged.
    """

    start: float
    end: float
    load: float
    load_sd: float
    origin: HandPlace
    destination: HandPlace
    at_origin: LiftingIndex
    at_destination: LiftingIndex
    lifts_a_minute: float

    @property
    def index(self) -> float:
        """The larger lifting index: destinations need control, too."""
        return max(self.at_origin.index, self.at_destination.index)

    @property
    def index_sd(self) -> float:
        """Its deviation, from that of the load."""
        limits = (self.at_origin.recommended, self.at_destination.recommended)
        least = min(limits)
        return self.load_sd / least if least > 0.0 else math.inf


@dataclass(slots=True)
class _Held:
    start: float
    total: float
    deviations: float
    count: int
    origin: HandPlace
    farthest: HandPlace

    def add(self, load: float, spread: float, place: HandPlace) -> None:
        self.total += load
        self.deviations += spread
        self.count += 1
        if abs(place.height - self.origin.height) > abs(
            self.farthest.height - self.origin.height
        ):
            self.farthest = place


_Sample = tuple[float, float, float, HandPlace]


class LiftFinder:
    """Takes the load of the hands, sample by sample.

    Attributes:
        lifts: Those that have ended.
        count: Those that have begun.
    """

    def __init__(self, settings: ErgonomicSettings) -> None:
        """Begin with empty hands."""
        self.lifts: list[HandLift] = []
        self.count = 0
        self._settings = settings
        self._samples: deque[_Sample] = deque()
        self._held: _Held | None = None
        self._starts: deque[float] = deque()
        self._changed = -math.inf

    def add(
        self,
        time: float,
        load: float,
        spread: float,
        place: HandPlace,
        *,
        calm: bool = True,
    ) -> None:
        """Take a sample.

        Args:
            time: Increasing [s].
            load: Of both hands [kg].
            spread: Its deviation [kg].
            place: Of the hands.
            calm: Whether the person is nearly still.
        """
        if not (math.isfinite(load) and spread <= self._settings.most_doubt):
            return
        if self._samples and time <= self._samples[-1][0]:
            return
        if self._samples and time - self._samples[-1][0] > LEVEL:
            self._samples.clear()  # too seldom to tell when something came
        self._samples.append((time, load, spread, place))
        while self._samples[0][0] < time - MEMORY:
            self._samples.popleft()
        if self._held is not None:
            self._held.add(load, spread, place)
        if time - max(self._samples[0][0], self._changed) < LEVEL:
            return
        level, deviation = self._level(time)
        doubt = self._settings.least_load
        if not calm:
            doubt = max(doubt, SURE * deviation)
        if self._held is None:
            if level > doubt and self._settled(time, level):
                self._start()
        elif level < 0.5 * self.held and (calm or self.held - level > doubt):
            self._changed = self._after_step(rising=False)[0][0]
            self._end(self._changed)

    @property
    def held(self) -> float:
        """What is held now [kg]; 0 with empty hands."""
        held = self._held
        return held.total / held.count if held is not None and held.count else 0.0

    @property
    def current(self) -> HandLift | None:
        """The lift that goes on, judged so far, or the last one."""
        if self._held is not None and self._held.count:
            return self._judged(self._held, self._samples[-1][0])
        return self.lifts[-1] if self.lifts else None

    def close(self) -> None:
        """End what is held with the recording."""
        if self._held is not None:
            self._end(self._samples[-1][0])

    def _level(self, time: float) -> tuple[float, float]:
        """Return the mean load before a time, and the deviation of one moment."""
        total, spread, count = 0.0, 0.0, 0
        for when, load, deviation, _ in reversed(self._samples):
            if when > time:
                continue
            if when <= time - LEVEL:
                break
            total, spread, count = total + load, spread + deviation, count + 1
        return total / max(count, 1), spread / max(count, 1)

    def _settled(self, time: float, level: float) -> bool:
        """Whether the load is all on: it grows no more."""
        before, _ = self._level(time - LEVEL / 2.0)
        return level < GROWS * before

    def _start(self) -> None:
        rows = self._after_step(rising=True)
        first = rows[0]
        held = _Held(first[0], 0.0, 0.0, 0, first[3], first[3])
        for _, load, deviation, place in rows:
            held.add(load, deviation, place)
        self._held, self._changed = held, first[0]
        self.count += 1
        self._starts.append(first[0])
        while self._starts[0] < first[0] - QUARTER:
            self._starts.popleft()

    def _end(self, time: float) -> None:
        held, self._held = self._held, None
        if held is None:
            return
        for when, load, spread, _ in self._samples:  # those with empty hands again
            if when >= time and when > held.start and held.count > 1:
                held.total -= load
                held.deviations -= spread
                held.count -= 1
        if time - held.start < self._settings.least_hold:
            self.count -= 1
            self._starts.pop()
            return
        self.lifts.append(self._judged(held, time))

    def _after_step(self, *, rising: bool) -> list[_Sample]:
        """Return the samples after the step that fits those since the last one best."""
        samples = [s for s in self._samples if s[0] >= self._changed]
        loads = np.array([s[1] for s in samples])
        n = len(loads)
        sums = np.concatenate([[0.0], np.cumsum(loads)])
        k = np.arange(1, n)
        before, after = sums[k] / k, (sums[n] - sums[k]) / (n - k)
        gain = k * (n - k) / n * (after - before) ** 2
        gain[(after > before) != rising] = -1.0
        return samples[int(k[np.argmax(gain)]) if n > 1 else 0 :]

    def _judged(self, held: _Held, end: float) -> HandLift:
        often = self._settings.lifts_a_minute or self._often()
        load = max(held.total / held.count, 0.0)
        spread = held.deviations / held.count
        travel = abs(held.farthest.height - held.origin.height)
        judged = [
            lifting_index(
                load,
                horizontal=max(place.horizontal, 0.0),
                height=max(place.height, 0.0),
                travel=travel,
                asymmetry_deg=place.asymmetry_deg,
                lifts_a_minute=often,
                hours=self._settings.hours,
                coupling=self._settings.coupling,
            )
            for place in (held.origin, held.farthest)
        ]
        return HandLift(
            start=held.start,
            end=end,
            load=load,
            load_sd=spread,
            origin=held.origin,
            destination=held.farthest,
            at_origin=judged[0],
            at_destination=judged[1],
            lifts_a_minute=often,
        )

    def _often(self) -> float:
        """Return how many lifts a minute there were."""
        if len(self._starts) < 2:
            return RARE
        minutes = (self._starts[-1] - self._starts[0]) / 60.0
        return max((len(self._starts) - 1) / max(minutes, 1e-3), RARE)
