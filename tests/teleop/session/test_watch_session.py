"""A session without a robot: watched, recorded, exported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.person_dynamics import SHAPES, PersonDynamics
from telexist.teleop.recording import SessionReader
from telexist.teleop.recording.export import ExportOptions, export_session
from telexist.teleop.session import SessionPlan, WatchSession
from telexist.teleop.sinks import Summary
from telexist.teleop.terms import Request, Tick


class Kept:
    """Keeps every tick."""

    def __init__(self) -> None:
        self.ticks: list[Tick] = []
        self.end: Callable[[], None] = lambda: None

    def put(self, tick: Tick) -> None:
        self.ticks.append(tick)
        if sum(tick.human is not None for tick in self.ticks) > 9:
            self.end()

    def close(self) -> None:
        """Do nothing."""


def dynamics(stamp: float) -> PersonDynamics:
    rng = np.random.default_rng(int(stamp))
    arrays = {name: rng.normal(size=shape) for name, shape in SHAPES.items()}
    return PersonDynamics(stamp=stamp, lag=0.06, mass=70.0, **arrays)


class Estimates:
    """Stands where the estimate does, and answers every turn."""

    def __init__(self) -> None:
        self.count = 0

    def take_notes(self) -> tuple[()]:
        return ()

    def take(self) -> tuple[PersonDynamics, ...]:
        self.count += 1
        return (dynamics(float(self.count)),)

    def open(self) -> None:
        """Do nothing."""

    def put(self, tick: Tick) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def watched(folder: Path) -> tuple[WatchSession, Kept, Summary]:
    kept = Kept()
    plan = SessionPlan(source="builtin", record=folder, engage=True, dynamics=True)
    session = WatchSession(plan, [kept])
    session.dynamics = session.loop.dynamics = Estimates()  # type: ignore[assignment]
    session.open()
    for request in (Request.ENGAGE, Request.STOP):
        session.request(request)
    kept.end = session.loop.stop_soon
    return session, kept, session.run(120.0)


def test_a_person_is_watched_recorded_and_exported(tmp_path: Path) -> None:
    session, kept, summary = watched(tmp_path)
    assert summary.turns >= 10
    refused = [e.reason for tick in kept.ticks for e in tick.events]
    assert "engage by caller: there is no robot" in refused
    assert "stop by caller: there is no robot" in refused
    assert all(tick.command is None and tick.robot is None for tick in kept.ticks)
    shown = [tick for tick in kept.ticks if tick.human is not None]
    assert len(shown) > 5
    assert session.recorder is not None
    assert session.recorder.path.name.endswith("_person.mcap")
    reader = SessionReader(session.recorder.path)
    assert reader.header.robot == "" and reader.header.joints == ()
    kept_arrays = reader.arrays("dynamics")
    first = dynamics(1.0)
    for name in SHAPES:
        assert np.array_equal(kept_arrays[name][0], getattr(first, name)), name
    assert kept_arrays["mass"][0] == 70.0
    assert reader.counts()["human"] == len(shown)
    assert "reference" not in reader.counts()

    place, _ = export_session(reader, "csv", tmp_path, ExportOptions())
    head = (place / "dynamics.csv").read_text().splitlines()[0].split(",")
    for column in (
        "torques.jRightKnee_roty [N m]",
        "torques_sd.jL5S1_rotx [N m]",
        "moments.LeftLowerLeg.y [N m]",
        "foot_wrenches_sd.left.fz [N]",
        "hand_loads.right [kg]",
        "scores.lifting_index",
        "lag [s]",
    ):
        assert column in head, column
    assert len(set(head)) == len(head)
    place, _ = export_session(reader, "clip", tmp_path, ExportOptions())
    assert any(place.iterdir())


def test_a_source_that_shows_nobody_is_refused() -> None:
    plan = SessionPlan(source="keyboard", dynamics=True)
    with pytest.raises(Exception, match="nobody is shown"):
        WatchSession(replace(plan, source="keyboard"))
