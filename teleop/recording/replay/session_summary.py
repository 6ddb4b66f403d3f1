"""What happened in a session, in a page of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from telexist.teleop import clock
from telexist.teleop.recording import SessionReader
from telexist.teleop.terms import STAGES

__all__ = ["summary_lines"]

MAX_EVENTS = 40


def summary_lines(reader: SessionReader) -> Iterator[str]:
    """Yield the lines: who, how long, rates, latencies, tracking, states, events.

    Raises:
        BadRecording: If a message is wrong.
    """
    header = reader.header
    started = clock.date_text(min(max(header.started, 0.0), 4e9))
    yield f"session    {reader.path.name}"
    yield f"robot      {header.robot}, {len(header.joints)} joints"
    yield f"operator   {header.operator or 'unknown'}"
    yield f"started    {started} UTC"
    loop = reader.arrays("loop")
    if not loop:
        yield "holds no turns of the loop"
    else:
        yield from _times(loop)
        yield from _tracking(reader)
    yield from _counts(reader)
    yield from _events(reader)
    for problem in reader.problems:
        yield f"note       {problem}"


def _times(loop: dict[str, np.ndarray]) -> Iterator[str]:
    periods = loop["period"][1:]
    length = float(loop["stamp"][-1] - loop["stamp"][0])
    yield f"length     {length:.2f} s, {len(loop['tick'])} turns"
    if len(periods) and np.isfinite(periods).any():
        rate, worst = 1.0 / np.nanmean(periods), 1e3 * np.nanmax(periods)
        yield f"loop       {rate:.1f} Hz, longest turn {worst:.2f} ms"
    states = Counter(loop["state"].tolist())
    share = ", ".join(f"{k} {v / len(loop['tick']):.0%}" for k, v in states.items())
    yield f"states     {share}"
    served = loop["stages"][np.nan_to_num(loop["stages"]).sum(axis=1) > 0.0]
    if not len(served):
        return
    yield "latency    p50 and p99 [ms] from the arrival of a sample to the command"
    for name, values in zip(STAGES, served.T, strict=True):
        yield f"  {name:<9}{_percentiles(values)}"
    yield f"  {'all':<9}{_percentiles(served.sum(axis=1))}"


def _percentiles(values: np.ndarray) -> str:
    low, high = 1e3 * np.nanpercentile(values, [50, 99])
    return f"{low:8.3f} {high:8.3f}"


def _tracking(reader: SessionReader) -> Iterator[str]:
    """Compare each command with the state of the robot in the same turn."""
    robot, command = reader.arrays("robot"), reader.arrays("command")
    if not robot or not command:
        return
    _, a, b = np.intersect1d(robot["tick"], command["tick"], return_indices=True)
    if not len(a):
        return
    errors = np.abs(robot["q"][a] - command["q"][b])
    if not np.isfinite(errors).any():
        return
    worst = int(np.nanargmax(np.nanmax(errors, axis=0)))
    rms = float(np.sqrt(np.nanmean(errors**2)))
    yield (
        f"tracking   rms {np.degrees(rms):.2f} deg, worst "
        f"{np.degrees(np.nanmax(errors)):.2f} deg ({reader.header.joints[worst]})"
    )


def _counts(reader: SessionReader) -> Iterator[str]:
    counts = ", ".join(f"{name} {n}" for name, n in reader.counts().items())
    yield f"messages   {counts}"


def _events(reader: SessionReader) -> Iterator[str]:
    events = reader.events()
    begin = reader.header.stamp
    yield f"events     {len(events)}"
    for event in events[:MAX_EVENTS]:
        when = f"{event.stamp - begin:9.3f} s"
        yield f"  {when}  {event.kind}: {event.reason} ({event.state.value})"
    if len(events) > MAX_EVENTS:
        yield f"  ... and {len(events) - MAX_EVENTS} more: telexist export --format csv"
