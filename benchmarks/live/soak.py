"""A long session: does memory grow, does the period drift, is an event lost?

A simulated Xsens suit at 200 Hz in another process drives a robot in MuJoCo, with the
page served and everything recorded. Memory is that of the session's own processes. A
robot that was held is engaged again after two seconds, as an operator would; every hold
is counted with its reason.

    telexist bench soak --duration 600 --json soak.json
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from telexist.benchmarks.live.live_session import LiveOptions, run_live
from telexist.benchmarks.live.process_memory import MemoryWatch
from telexist.benchmarks.tables import describe_machine, print_table, write_json
from telexist.teleop.recording import SessionReader
from telexist.teleop.sinks import Histogram
from telexist.teleop.terms import State, Tick

__all__ = ["Soak", "main", "measure"]

SETTLED = 60.0  # [s] after which nothing should grow any more
ALLOWED_GROWTH_MB = 10.0
ALLOWED_ACTIVE = 0.9  # of the time: a robot that was held shows nothing
ALLOWED_DRIFT = 0.02  # of the median period
PATIENCE = 2.0  # [s] of the operator with a robot that was held
_BINS = 10  # parts of the session whose median periods are compared


class TurnCounter:
    """Counts turns and events, and gathers the periods of each part of the session."""

    def __init__(self, duration: float) -> None:
        """Take how long the session is [s]."""
        self._duration = duration
        self._first: float | None = None
        self._held = False
        self._periods = [Histogram() for _ in range(_BINS)]
        self.turns = self.events = 0
        self.worst, self.holds = 0.0, list[str]()

    def put(self, tick: Tick) -> None:
        """Count one turn."""
        if self._first is None:
            self._first = tick.stamp
        share = (tick.stamp - self._first) / self._duration
        part = min(int(share * _BINS), _BINS - 1)
        self._periods[part].add(tick.period)
        self.turns += 1
        self.events += len(tick.events)
        self.worst = max(self.worst, tick.period)
        held = [event for event in tick.events if event.state is State.HOLDING]
        if held and not self._held:
            since = tick.stamp - self._first
            self.holds.append(f"{since:.1f} s: {held[0].kind}: {held[0].reason}")
        self._held = tick.state is State.HOLDING

    def close(self) -> None:
        """Do nothing: there is nothing to finish."""

    @property
    def periods_ms(self) -> list[float]:
        """The median period in each tenth of the session [ms]."""
        medians = [1e3 * period.percentile(50.0) for period in self._periods]
        return [round(median, 4) for median in medians]


@dataclass(frozen=True, slots=True, kw_only=True)
class Soak:
    """What a long session was like.

    Attributes:
        duration: [s].
        memory_mb: Of all its processes every ten seconds.
        growth_mb: From one minute (or a third of it) to the end.
        periods_ms: Median period of the loop in each tenth.
        drift: Of the median period from the second tenth to the last, as a share.
        turns: Of the loop.
        events: That the loop told.
        recorded_turns: That the recording has.
        recorded_events: Likewise.
        latency_ms: Arrival of a sample to its command: p50, p99, worst.
        kinds: How often each kind of event came.
        states: Seconds in each state.
        worst_turn_ms: Longest time between the beginnings of two turns.
        holds: Why the robot was held each time.
    """

    duration: float
    memory_mb: list[float]
    growth_mb: float
    periods_ms: list[float]
    drift: float
    turns: int
    events: int
    recorded_turns: int
    recorded_events: int
    latency_ms: tuple[float, float, float]
    kinds: dict[str, int]
    states: dict[str, float]
    worst_turn_ms: float
    holds: list[str]

    @property
    def good(self) -> bool:
        """Whether nothing grew, drifted or was lost while the robot followed."""
        driven = self.states.get("active", 0.0) >= ALLOWED_ACTIVE * self.duration
        same = (self.turns, self.events) == (self.recorded_turns, self.recorded_events)
        still = abs(self.drift) <= ALLOWED_DRIFT
        return driven and same and still and self.growth_mb <= ALLOWED_GROWTH_MB


def measure(options: LiveOptions) -> Soak:
    """Run one session.

    Raises:
        TelexistError: If the session cannot be opened.
    """
    counter, memory = TurnCounter(options.duration), MemoryWatch()
    with tempfile.TemporaryDirectory() as folder:
        run = run_live(options, Path(folder), [counter], memory.start)
        memory.stop()
        counts = SessionReader(run.recording).counts()
    periods = counter.periods_ms
    return Soak(
        duration=run.summary.duration,
        memory_mb=memory.every(10.0),
        growth_mb=memory.growth_mb(min(SETTLED, options.duration / 3.0)),
        periods_ms=periods,
        drift=periods[-1] / periods[1] - 1.0,
        turns=counter.turns,
        events=counter.events,
        recorded_turns=counts.get("loop", 0),
        recorded_events=counts.get("events", 0),
        latency_ms=run.summary.latency_ms,
        kinds=run.summary.events,
        states=run.summary.states,
        worst_turn_ms=round(1e3 * counter.worst, 1),
        holds=counter.holds,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the table, and return 1 if anything grew or was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--robot", default="icub")
    add("--rate", type=float, default=200.0, help="of the suit [Hz]")
    add("--duration", type=float, default=600.0, help="[s]")
    add("--no-page", action="store_true")
    add("--json", type=Path, help="write the numbers to this file")
    args = parser.parse_args(argv)
    found = measure(
        LiveOptions(
            robot=args.robot,
            rate=args.rate,
            duration=args.duration,
            page=not args.no_page,
            patience=PATIENCE,
        )
    )
    rows = [(name, str(value)) for name, value in asdict(found).items()]
    print_table(f"{args.robot}: {found.duration:.0f} s", ("", "found"), rows)
    write_json(args.json, {"machine": describe_machine(["mujoco"]), **asdict(found)})
    return int(not found.good)


if __name__ == "__main__":
    raise SystemExit(main())
