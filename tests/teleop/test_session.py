"""Whole sessions without a network, from opening to summary."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from calibration.capture import Capture
from retarget.human_size import HumanSize
from retarget.robot_body import RobotBody
from teleop.devices.options import DeviceOptions
from teleop.operator_motion import OperatorMotion
from teleop.session import Session
from teleop.session_plan import SessionPlan
from teleop.settings import (
    EngageSettings,
    LoopSettings,
    SafetySettings,
    SessionSettings,
)
from teleop.tick import State, Tick

SETTINGS = SessionSettings(
    loop=LoopSettings(real_time=False), engage=EngageSettings(approach=0.3)
)


@pytest.mark.slow
def test_a_recording_that_is_played_once_ends_the_session(
    body_of: Callable[[str], RobotBody],
) -> None:
    body_of("icub")
    once = SessionPlan(
        backend="fake",
        engage=True,
        end=True,
        devices=DeviceOptions(loop=False, start=32.0),
        settings=SETTINGS,
    )
    session = Session(once)
    session.open()
    summary = session.run(60.0)
    assert summary.duration < 30.0
    assert summary.events["hold"] == 1
    assert "stale" not in summary.events
    assert summary.last_events[-1].state.value == "holding"


class Kept:
    """A sink that keeps what was sent last."""

    def __init__(self) -> None:
        self.ticks: list[Tick] = []

    def put(self, tick: Tick) -> None:
        self.ticks.append(tick)

    def close(self) -> None:
        """Nothing to finish."""


@pytest.mark.slow
def test_a_session_whose_time_is_over_ends_with_the_robot_at_rest(
    body_of: Callable[[str], RobotBody],
) -> None:
    body_of("icub")
    plan = SessionPlan(
        backend="fake",
        engage=True,
        duration=3.0,
        devices=DeviceOptions(start=4.0),  # the operator waves
        settings=SETTINGS,
    )
    kept = Kept()
    session = Session(plan, [kept])
    session.open()
    summary = session.run(60.0)
    assert 3.0 <= summary.duration < 30.0
    moving = [tick for tick in kept.ticks if tick.state is State.ACTIVE]
    assert max(np.abs(tick.reference.dq).max() for tick in moving) > 0.1
    last = kept.ticks[-1]
    assert last.state is State.HOLDING
    assert np.abs(last.reference.dq).max() < 1e-6


def test_a_size_that_the_source_knows_reaches_the_calibration(
    builtin: object,
) -> None:
    seen: list[HumanSize | None] = []
    size = builtin.size  # type: ignore[attr-defined]

    class Watched(Capture):
        def update(self, *args: object, size: HumanSize | None = None, **_: object):  # type: ignore[no-untyped-def, override]
            seen.append(size)
            return super().update(*args, size=size)  # type: ignore[arg-type]

    motion = OperatorMotion(
        lambda *_: pytest.fail("nobody is to be followed"),
        SafetySettings(),
        known_size=lambda: size,
    )
    motion.start_capture(Watched())
    motion.update_capture(None, 0.0)
    assert seen == [size]
