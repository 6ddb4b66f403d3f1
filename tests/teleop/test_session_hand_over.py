"""Several controllers in a session: asked for, shown, and what their faults do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from telexist.launch_scripts.scenario import main as scenario
from telexist.robots.base.interface import JointCommand, RobotState
from telexist.teleop.controllers.servo.servo import ServoController
from telexist.teleop.session.file import SessionChoices
from telexist.teleop.terms.controller_event import (
    ControllerEvent,
    ControllerEventKind,
)
from telexist.teleop.terms.controller_report import ControllerReport
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.robot_reference import RobotReference
from telexist.teleop.terms.tick import State


class Turns(ServoController):
    """Two that take turns, and tell what the test wants."""

    names = ("stand", "go")

    def __init__(self) -> None:
        self.leader = "stand"
        self.events: tuple[ControllerEvent, ...] = ()

    @property
    def notice(self) -> str:
        return f"{self.leader} leads"

    def ask(self, name: str = "") -> None:
        self.leader = name or "go"

    def step(
        self, state: RobotState, reference: RobotReference, dt: float
    ) -> JointCommand:
        return super().step(state, reference, dt)

    def report(self) -> ControllerReport:
        return ControllerReport(values={}, events=self.events)


def test_a_button_asks_for_the_next_one_and_everybody_reads_who_leads(
    bench: Any,
) -> None:
    s = bench
    s.loop.link.controller = turns = Turns()
    s.play(0.1)
    assert s.ticks[-1].notice == "stand leads"
    s.give(s.frame(), Request.CHANGE)
    s.play(0.1)
    assert turns.leader == "go" and s.ticks[-1].notice == "go leads"
    assert "refused_request" not in s.kinds()


def test_where_there_is_one_nobody_is_asked_for(bench: Any) -> None:
    s = bench
    s.give(s.frame(), Request.CHANGE)
    s.play(0.1)
    events = [event for tick in s.ticks for event in tick.events]
    (refused,) = [event for event in events if event.kind == "refused_request"]
    assert "there is no other controller" in refused.reason
    assert s.ticks[-1].notice == ""


def test_a_robot_that_was_stopped_changes_nothing(bench: Any) -> None:
    s = bench
    s.loop.link.controller = turns = Turns()
    s.give(s.frame(), Request.STOP)
    s.play(0.1)
    s.give(s.frame(), Request.CHANGE)
    s.play(0.1)
    assert turns.leader == "stand" and "refused_request" in s.kinds()


def test_a_policy_that_went_astray_holds_the_session(
    bench: Any,
) -> None:
    s = bench
    s.loop.link.controller = turns = Turns()
    s.engage()
    turns.events = (
        ControllerEvent(ControllerEventKind.HAND_OVER, "from stand to go"),
        ControllerEvent(ControllerEventKind.HAND_OVER, "from go to stand"),
        ControllerEvent(ControllerEventKind.HANDED_BACK, "go: it tips; stand leads"),
    )
    s.play(0.005)
    turns.events = ()
    assert s.state is State.HOLDING
    assert s.kinds().count("hand_over") == 2  # each of them, however near
    s.engage()
    assert s.state is State.ACTIVE


def test_a_session_file_without_a_robot_leaves_it_to_the_policy() -> None:
    for words in ("policy:a.onnx", "balance, policy:a.onnx"):
        assert SessionChoices(controller=words).robot_unless_named(None) == ""
        named = SessionChoices(controller=words, robot="g1")
        assert named.robot_unless_named("g1") == "g1"
    assert SessionChoices(controller="balance,walk").robot_unless_named(None)


@pytest.mark.slow
def test_a_robot_that_walks_is_stood_by_the_other_one(tmp_path: Path) -> None:
    file = tmp_path / "changes.json"
    words = ["hand-over", "--robot", "g1", "--changes", "3", "--seed", "3"]
    assert scenario([*words, "--json", str(file)]) == 0
    figures = json.loads(file.read_text())
    assert figures["changes_done"] == figures["changes_asked"] == 3
    assert any(change["going"] for change in figures["changes"])
    assert figures["change_jump_share_max"] < 0.05
    assert figures["joint_past_limit_mrad"] < 5.0
