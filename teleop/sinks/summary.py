"""What a session was like: rates, latencies, events, limits touched."""

from __future__ import annotations

import math
from collections import Counter, deque
from dataclasses import dataclass

import numpy as np
from telexist.robots.base import RobotState
from telexist.robots.drives import Bounds
from telexist.teleop.sinks.histogram import Histogram
from telexist.teleop.terms import STAGES, Event, State, Tick

__all__ = ["Summary", "SummarySink"]

DRIVEN = (State.ENGAGING, State.ACTIVE, State.HOLDING)
MOST_EVENTS = 2000  # kept for the end; the recording has all


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The figures of a session; times in milliseconds, p50 and p99 in that order.

    Attributes:
        duration: [s].
        turns: Of the loop.
        samples: Human samples that were followed.
        rate: Turns a second [Hz].
        sample_rate: Samples a second [Hz].
        latency_ms: Arrival of a sample to the first joint command that contains it:
            p50, p99, worst.
        stages_ms: Each stage's share: p50, p99.
        period_ms: Between two turns while the robot is driven: p50, p99, worst.
        age_ms: Of the newest sample when a command went out: p50, p99.
        tracking_deg: Greatest difference between command and joint while active; legs
            that balance are commanded to where balance needs them.
        joint_speed: Greatest measured speed of a joint, as a share of its bound.
        joint_acceleration: Greatest change of measured speed between two states of the
            robot, as a share of the bound on accelerations.
        states: Seconds in each state.
        events: How often each kind of event came.
        last_events: The events themselves, the newest 2000.
    """

    duration: float
    turns: int
    samples: int
    rate: float
    sample_rate: float
    latency_ms: tuple[float, float, float]
    stages_ms: dict[str, tuple[float, float]]
    period_ms: tuple[float, float, float]
    age_ms: tuple[float, float]
    tracking_deg: float
    joint_speed: float
    joint_acceleration: float
    states: dict[str, float]
    events: dict[str, int]
    last_events: tuple[Event, ...]


class SummarySink:
    """Gathers a summary tick by tick, in constant memory."""

    def __init__(self, bounds: Bounds | None = None) -> None:
        """Start empty.

        Args:
            bounds: What measured joints are compared with; None where sensors are too
                noisy for that.
        """
        self._bounds = bounds
        self._robot: RobotState | None = None
        none = float("nan") if bounds is None else 0.0
        self._speed = self._acceleration = none
        self._latency, self._period, self._age = Histogram(), Histogram(), Histogram()
        self._stages = [Histogram() for _ in STAGES]
        self._states: dict[State, float] = dict.fromkeys(State, 0.0)
        self._kinds: Counter[str] = Counter()
        self._events: deque[Event] = deque(maxlen=MOST_EVENTS)
        self._first: float | None = None
        self._last = 0.0
        self._turns = self._samples = 0
        self._tracking = 0.0

    def put(self, tick: Tick) -> None:
        """Count one tick."""
        if self._first is None:
            self._first = tick.stamp
        self._last = tick.stamp
        self._turns += 1
        if tick.period > 0.0:
            if tick.state in DRIVEN:
                self._period.add(tick.period)
            self._states[tick.state] += tick.period
        driven = tick.state in DRIVEN
        self._samples += driven and tick.targets is not None
        if driven and any(tick.stages):
            self._latency.add(sum(tick.stages))
            for histogram, duration in zip(self._stages, tick.stages, strict=True):
                histogram.add(duration)
        if math.isfinite(tick.age):
            self._age.add(tick.age)
        self._track(tick)
        if tick.robot is not None and self._bounds is not None:
            self._measure(tick.robot, self._bounds)
        for event in tick.events:
            self._kinds[event.kind] += 1
            self._events.append(event)

    def _track(self, tick: Tick) -> None:
        command, robot = tick.command, tick.robot
        if tick.state is State.ACTIVE and command is not None and robot is not None:
            error = float(np.abs(command.q - robot.q).max(initial=0.0))
            self._tracking = max(self._tracking, error)

    def _measure(self, robot: RobotState, bounds: Bounds) -> None:
        before, self._robot = self._robot, robot
        if before is None or robot.stamp <= before.stamp:
            return
        ddq = (robot.dq - before.dq) / (robot.stamp - before.stamp)
        speed = np.abs(robot.dq) / bounds.velocity
        acceleration = np.abs(ddq) / bounds.acceleration
        self._speed = max(self._speed, float(speed.max(initial=0.0)))
        self._acceleration = max(
            self._acceleration, float(acceleration.max(initial=0.0))
        )

    def close(self) -> None:
        """Do nothing: there is nothing to finish."""

    def summary(self) -> Summary:
        """Return the figures so far."""
        duration = self._last - (self._first or 0.0)
        per_second = 1.0 / duration if duration > 0.0 else 0.0
        return Summary(
            duration=duration,
            turns=self._turns,
            samples=self._samples,
            rate=self._turns * per_second,
            sample_rate=self._samples * per_second,
            latency_ms=(*_ms(self._latency), self._latency.worst * 1e3),
            stages_ms={
                name: _ms(histogram)
                for name, histogram in zip(STAGES, self._stages, strict=True)
            },
            period_ms=(*_ms(self._period), self._period.worst * 1e3),
            age_ms=_ms(self._age),
            tracking_deg=float(np.degrees(self._tracking)),
            joint_speed=self._speed,
            joint_acceleration=self._acceleration,
            states={state.value: t for state, t in self._states.items() if t},
            events=dict(self._kinds),
            last_events=tuple(self._events),
        )


def _ms(histogram: Histogram) -> tuple[float, float]:
    return histogram.percentile(50.0) * 1e3, histogram.percentile(99.0) * 1e3
