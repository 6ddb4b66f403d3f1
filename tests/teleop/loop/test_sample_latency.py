from __future__ import annotations

import math
from typing import Any

from telexist.teleop.controllers.servo.servo import ServoController
from telexist.teleop.loop.sample_latency import SampleLatency
from telexist.teleop.sinks.summary import SummarySink
from telexist.teleop.terms.tick import STAGES


def turn_at(began: float) -> tuple[float, ...]:
    """Return the stamps of a turn: 1 ms to read, 2, 3, 4 and 5 for what follows."""
    stamps = [began]
    for duration in (0.001, 0.002, 0.003, 0.004, 0.005):
        stamps.append(stamps[-1] + duration)
    return tuple(stamps)


def test_a_sample_that_is_commanded_at_once_takes_what_its_turn_takes() -> None:
    stages = SampleLatency().stages(9.9, turn_at(10.0), followed=True, commanded=True)
    for seconds, known in zip(
        stages, (0.1, 0.001, 0.002, 0.003, 0.004, 0.005), strict=True
    ):
        assert math.isclose(seconds, known, abs_tol=1e-12)


def test_a_sample_waits_for_the_turn_of_the_controller() -> None:
    latency = SampleLatency()
    none = latency.stages(10.0, turn_at(10.0), followed=True, commanded=False)
    assert not any(none)
    stages = latency.stages(10.0, turn_at(10.1), followed=False, commanded=True)
    assert math.isclose(sum(stages), 0.115)  # from its arrival to the command
    wait, read, retarget, *_ = stages
    assert math.isclose(read, 0.001, abs_tol=1e-12)  # in the turn that did it
    assert math.isclose(retarget, 0.002, abs_tol=1e-12)
    assert math.isclose(wait, 0.115 - 0.015, abs_tol=1e-12)
    again = latency.stages(10.0, turn_at(10.2), followed=False, commanded=True)
    assert not any(again)


def test_a_command_is_as_late_as_its_newest_sample() -> None:
    latency = SampleLatency()
    latency.stages(10.0, turn_at(10.0), followed=True, commanded=False)
    stages = latency.stages(10.1, turn_at(10.1), followed=True, commanded=True)
    assert math.isclose(sum(stages), 0.015)


class SlowServo(ServoController):
    """Has a command in every fourth turn of the loop."""

    period = 0.02


def test_turns_without_a_command_count_no_latency(bench: Any) -> None:
    bench.loop.link.controller = SlowServo()
    bench.engage()
    sink = SummarySink()
    first, sent = len(bench.ticks), len(bench.robot.sent)
    bench.play(1.0)
    for tick in bench.ticks[first:]:
        sink.put(tick)
    timed = [tick for tick in bench.ticks[first:] if any(tick.stages)]
    assert len(timed) == len(bench.robot.sent) - sent
    assert len(timed) < 0.5 * (len(bench.ticks) - first)
    figures = sink.summary()
    assert figures.samples > len(timed)
    assert all(figures.stages_ms[name][0] > 0.0 for name in STAGES[1:])  # at once


def test_a_turn_for_a_sample_does_not_put_the_controller_off(bench: Any) -> None:
    link, servo = bench.loop.link, SlowServo()
    assert link.due(bench.now) == math.inf  # nothing was controlled yet
    stepped = bench.give(bench.frame()).stamp
    assert link.due(stepped) == math.inf  # a servo steps in every turn
    link.controller = servo
    bench.give(bench.frame())  # a sample between two steps
    assert link.due(bench.ticks[-1].stamp) == stepped + servo.period
