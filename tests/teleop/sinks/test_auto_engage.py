"""A session without hands: calibration until it succeeds, engagement once."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
from telexist.benchmarks.live.live_session import PatientOperator
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import rotation_z
from telexist.teleop.settings.settings import EngageSettings, SessionSettings
from telexist.teleop.sinks.auto_engage import AutoEngage
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.tick import State


def _standing(frame: HumanFrame, random: np.random.Generator) -> HumanFrame:
    """Return the frame as sensors see somebody who stands still."""
    turn = rotation_z(random.normal(0.0, 1e-5))
    return dataclasses.replace(frame, rotations=turn @ frame.rotations)


def test_a_refused_calibration_is_asked_for_again(bench: Any) -> None:
    asked: list[Request] = []
    sink, random = AutoEngage(asked.append, calibrate=True), np.random.default_rng(1)

    def play(seconds: float, *, moving: bool) -> None:
        for _ in range(round(seconds / 0.005)):
            frame = bench.frame() if moving else _standing(bench.frame(0), random)
            requests, asked[:] = tuple(asked), []
            sink.put(bench.give(frame, *requests))

    bench.now += 4.0  # the operator waves
    play(2.0, moving=True)
    assert "calibration_refused" in bench.kinds()
    assert bench.state is State.IDLE
    play(4.0, moving=False)
    assert bench.state in (State.ENGAGING, State.ACTIVE)
    assert bench.kinds().count("engage") == 1


def test_a_hold_is_not_ended_by_it(bench: Any) -> None:
    asked: list[Request] = []
    sink = AutoEngage(asked.append, calibrate=True)
    bench.engage()
    for tick in bench.ticks:
        sink.put(tick)
    asked.clear()
    bench.give(None, Request.HOLD)
    for _ in range(100):
        sink.put(bench.give(bench.frame()))
    assert asked == []


def _drive(bench: Any, sink: AutoEngage, asked: list[Request], seconds: float) -> None:
    for _ in range(round(seconds / 0.005)):
        requests, asked[:] = tuple(asked), []
        sink.put(bench.give(bench.frame(), *requests))


def test_where_nobody_else_can_it_engages_once_the_operator_is_near(
    make_bench: Callable[..., Any], body_of: Callable[[str], RobotBody]
) -> None:
    near = SessionSettings(engage=EngageSettings(approach=0.3, refuse_beyond=1.0))
    bench = make_bench(body_of("icub"), near.never_frozen())
    asked: list[Request] = []
    sink = AutoEngage(
        asked.append,
        calibrate=False,
        again=True,
        obstacle=lambda: bench.loop.engage_conditions(bench.now).obstacle(),
    )
    bench.calibrate()
    bench.now = 8.0  # the operator waves
    _drive(bench, sink, asked, 0.5)
    assert bench.state is State.CALIBRATED
    _drive(bench, sink, asked, 8.0)
    assert bench.kinds().count("refused_request") == 1
    assert bench.kinds().count("engage") == 1
    assert bench.state in (State.ENGAGING, State.ACTIVE)
    bench.give(None, Request.STOP)
    bench.give(None, Request.RESET)
    _drive(bench, sink, asked, 4.0)
    assert bench.state is State.CALIBRATED  # a stop takes a deliberate act


def test_where_somebody_else_can_engage_it_asks_once(
    make_bench: Callable[..., Any], body_of: Callable[[str], RobotBody]
) -> None:
    near = SessionSettings(engage=EngageSettings(approach=0.3, refuse_beyond=1.0))
    bench = make_bench(body_of("icub"), near.never_frozen())
    asked: list[Request] = []
    sink = AutoEngage(asked.append, calibrate=False)
    bench.calibrate()
    bench.now = 8.0
    _drive(bench, sink, asked, 8.0)
    assert bench.kinds().count("refused_request") == 1
    assert bench.state is State.CALIBRATED


def test_what_somebody_else_begins_is_only_asked_for_after_a_refusal(
    bench: Any,
) -> None:
    asked: list[Request] = []
    sink = AutoEngage(asked.append, calibrate=False, begin=False, again=True)
    sink.put(bench.give(None, Request.ENGAGE))  # too early: nobody is calibrated
    bench.calibrate()
    _drive(bench, sink, asked, 1.0)
    assert bench.kinds().count("engage") == 1
    other: list[Request] = []
    sink = AutoEngage(other.append, calibrate=False, begin=False, again=True)
    for tick in bench.ticks:
        if tick.state is State.CALIBRATED:
            sink.put(tick)
    assert other == []


def test_a_patient_operator_engages_after_a_while_and_only_a_held_robot(
    bench: Any,
) -> None:
    asked: list[Request] = []
    operator = PatientOperator(2.0)
    operator.ask = asked.append

    def play(seconds: float) -> None:
        for _ in range(round(seconds / 0.005)):
            requests, asked[:] = tuple(asked), []
            operator.put(bench.give(bench.frame(), *requests))

    bench.engage()
    play(3.0)
    assert bench.kinds().count("engage") == 1
    bench.give(None, Request.HOLD)
    play(1.9)
    assert bench.state is State.HOLDING
    play(0.3)
    assert bench.state in (State.ENGAGING, State.ACTIVE)
    bench.give(None, Request.STOP)
    play(4.0)
    assert bench.state is State.STOPPED
