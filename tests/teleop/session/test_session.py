"""Whole sessions without a network, from opening to summary."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from telexist.calibration.capture import Capture
from telexist.retarget.human_size import HumanSize
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import HumanClip
from telexist.teleop.devices.base.options import DeviceOptions
from telexist.teleop.devices.keyboard.keys import KEYS
from telexist.teleop.loop.operator_motion import OperatorMotion
from telexist.teleop.recording.session_header import start_header
from telexist.teleop.recording.session_recorder import SessionRecorder
from telexist.teleop.session.plan import SessionPlan
from telexist.teleop.session.session import Session
from telexist.teleop.settings.settings import (
    EngageSettings,
    LoopSettings,
    SafetySettings,
    SessionSettings,
)
from telexist.teleop.terms.robot_reference import RobotReference
from telexist.teleop.terms.tick import State, Tick

SETTINGS = SessionSettings(
    loop=LoopSettings(real_time=False),
    engage=EngageSettings(approach=0.3),
    # a busy machine is slow, which is no fault here
    safety=SafetySettings(deadline=30.0, stalled=30.0, robot_deadline=30.0),
)
LONG = 600.0  # [s] that no session here takes, however busy the machine


@pytest.mark.slow
def test_a_recording_that_is_played_once_ends_the_session(
    body_of: Callable[[str], RobotBody],
) -> None:
    body_of("icub")
    once = SessionPlan(
        backend="fake",
        engage=True,
        end=True,
        devices=DeviceOptions(loop=False, start=28.0),
        settings=SETTINGS,
    )
    session = Session(once)
    session.open()
    summary = session.run(LONG)
    assert summary.duration < LONG
    assert summary.events["hold"] == 1
    assert "stale" not in summary.events
    assert summary.last_events[-1].state.value == "holding"


class Silent:
    """A sink that ends the session once somebody is said to be silent."""

    def __init__(self) -> None:
        self.end: Callable[[float], None] = lambda after: None

    def put(self, tick: Tick) -> None:
        if any(event.kind == "no_samples" for event in tick.events):
            self.end(0.0)

    def close(self) -> None:
        """Nothing to finish."""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_a_session_says_where_it_listens_and_which_key_does_what(
    body_of: Callable[[str], RobotBody], monkeypatch: pytest.MonkeyPatch
) -> None:
    body_of("icub")
    hand, other = os.openpty()
    inputs = ("keyboard", "treadmill:cyberith:0?only=treadmill")
    plan = SessionPlan(
        backend="fake", source="xsens:0", inputs=inputs, settings=SETTINGS
    )
    with os.fdopen(other, "rb", 0) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        silent = Silent()
        session = Session(plan, [silent])
        silent.end = session.loop.stop_soon
        lines = session.open()
        told = session.run(LONG)
    os.close(hand)
    said = {line.partition(": ")[0].split()[0]: line for line in lines}
    assert "127.0.0.1:0 by" not in said["xsens"]  # the real port
    assert "by UDP" in said["xsens"] and "Network Streamer" in said["xsens"]
    assert "cyberith_sender.py" in said["cyberith"]
    assert KEYS in said["keyboard"]
    assert told.events["no_samples"] >= 1
    reasons = [e.reason for e in told.last_events if e.kind == "no_samples"]
    waited = [re.search("no sample has come for ([0-9]+) s", r) for r in reasons]
    assert any(found is not None and int(found[1]) >= 5 for found in waited)


@pytest.mark.slow
def test_a_recording_that_cannot_be_read_on_ends_the_session_as_a_lost_device(
    body_of: Callable[[str], RobotBody],
    builtin: HumanClip,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "hostile.mcap"
    recorder = SessionRecorder(path, start_header(body_of("icub"), deadline=0.1))
    q = np.zeros(len(body_of("icub").kinematics.joints))
    for number in range(30):
        frame = replace(builtin.frame(number), stamp=number / 60.0, sequence=number)
        if number == 20:  # a segment that nobody has
            object.__setattr__(frame, "segments", (*frame.segments[:-1], "Tail"))
        recorder.put(
            Tick(
                number=number,
                stamp=frame.stamp,
                period=1.0 / 60.0,
                state=State.IDLE,
                raw=frame,
                reference=RobotReference(stamp=0.0, q=q, dq=q, ddq=q),
            )
        )
    recorder.close()
    source = f"session:{path}"
    session = Session(
        SessionPlan(backend="fake", source=source, end=True, settings=SETTINGS)
    )
    session.open()
    summary = session.run(LONG)
    assert summary.duration < LONG
    assert summary.events["device_lost"] == 1
    assert "Traceback" not in capsys.readouterr().err


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
        duration=6.0,
        devices=DeviceOptions(start=4.0),  # the operator waves
        settings=SETTINGS,
    )
    kept = Kept()
    session = Session(plan, [kept])
    session.open()
    summary = session.run(LONG)
    assert 6.0 <= summary.duration < LONG
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
