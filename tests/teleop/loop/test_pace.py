"""Turns follow the stream, but do not rise with it."""

from __future__ import annotations

import pytest
from telexist.teleop.loop.pace import BURST, SPACING, Pace

PERIOD = 0.005  # [s]


def turns_a_second(stream: float, seconds: float = 2.0) -> tuple[float, float]:
    """Play the loop in its own time; return its turns a second and the longest wait."""
    pace, now, due, sample = Pace(PERIOD), 0.0, 0.0, 0.0
    turns, waited = 0, 0.0
    while now < seconds:
        sampled = sample <= now
        if sampled:
            waited = max(waited, now - sample) if stream <= 1.0 / PERIOD else 0.0
            sample = (int(now * stream + 1e-9) + 1) / stream
        turns += 1
        due = now + PERIOD * (1.05 if sampled else 1.0)
        now = max(min(due, sample), pace.soonest(now, sampled=sampled), now + 1e-4)
    return turns / seconds, waited


@pytest.mark.parametrize("stream", [1.0, 60.0, 190.0, 240.0, 480.0, 1000.0, 2000.0])
def test_turns_are_bounded_whatever_arrives(stream: float) -> None:
    turns, _ = turns_a_second(stream)
    assert turns <= 2.0 / (SPACING * PERIOD) + 2 * BURST
    if stream >= 1.0 / (SPACING * PERIOD):
        assert turns == pytest.approx(1.0 / (SPACING * PERIOD), rel=0.02)


def test_a_few_samples_that_come_together_are_each_served() -> None:
    pace = Pace(PERIOD)
    for k in range(100):  # pairs, a hundredth of a second apart
        began = 0.01 * k
        assert pace.soonest(began, sampled=True) <= began + 1e-4
        pace.soonest(began + 1e-4, sampled=True)


@pytest.mark.parametrize("stream", [30.0, 60.0, 90.0, 100.0, 120.0, 200.0])
def test_a_sample_slower_than_the_loop_is_served_at_once(stream: float) -> None:
    _, waited = turns_a_second(stream)
    assert waited <= 1.1e-3  # [s] the shortest turn there is, and rounding
