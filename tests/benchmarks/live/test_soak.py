"""The long run, made short: nothing is lost, and it tells what it should."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from telexist.benchmarks.live.live_session import LiveOptions
from telexist.benchmarks.live.process_memory import resident_mb
from telexist.benchmarks.live.soak import measure
from telexist.retarget.robot_body import RobotBody

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="Linux only"),
]


def test_a_short_soak_loses_nothing_and_grows_little(
    body_of: Callable[[str], RobotBody],
) -> None:
    body_of("icub")
    pytest.importorskip("viser")
    found = measure(LiveOptions(duration=20.0))
    assert found.turns == found.recorded_turns > 500
    assert found.events == found.recorded_events >= 3
    assert found.growth_mb < 40.0  # buffers of plots still fill
    assert len(found.periods_ms) == 10
    assert "engaging" in found.states


def test_memory_that_is_taken_is_seen() -> None:
    before = resident_mb(os.getpid())
    taken = bytearray(os.urandom(1 << 20) * 50)
    assert resident_mb(os.getpid()) - before > 0.8 * len(taken) / 1e6
