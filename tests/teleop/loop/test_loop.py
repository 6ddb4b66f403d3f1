from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from telexist.retarget.errors import BadFrame, DeviceLost, RobotLost
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import rotation_z
from telexist.robots.base.interface import RobotFeedback
from telexist.teleop.loop.operator_input import OperatorInput
from telexist.teleop.settings.settings import (
    EngageSettings,
    SafetySettings,
    SessionSettings,
)
from telexist.teleop.terms.device_sample import Provides
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.tick import State


def _turned(frame: HumanFrame, angle: float) -> HumanFrame:
    return dataclasses.replace(frame, rotations=rotation_z(angle) @ frame.rotations)


def _nan(frame: HumanFrame) -> HumanFrame:
    rotations = frame.rotations.copy()
    rotations[4, 0, 0] = np.nan
    return dataclasses.replace(frame, rotations=rotations)


def _lose(bench: Any, *provides: Provides) -> None:
    """Let a second device of the bench vanish."""

    class Gone(type(bench.device)):
        name, lost = "mat", True

        def read(self) -> None:
            if self.lost:
                raise DeviceLost("was unplugged: plug it in again")

    gone = Gone()
    gone.provides = frozenset(provides)
    bench.loop.input = OperatorInput([bench.device, gone])


@pytest.mark.parametrize(
    ("provides", "kind", "again"),
    [
        ((Provides.TREADMILL, Provides.WALK), "device_lost", State.HOLDING),
        ((Provides.REQUESTS,), "buttons_lost", State.ENGAGING),
    ],
)
def test_a_lost_device_holds_and_a_lost_stream_must_be_back_to_engage(
    bench: Any, provides: tuple[Provides, ...], kind: str, again: State
) -> None:
    bench.engage()
    bench.device.program = True  # so that what is lost was the only stop
    _lose(bench, *provides)
    bench.play(0.2)
    assert bench.state is State.HOLDING
    events = [e for t in bench.ticks for e in t.events if e.kind == kind]
    assert [e.reason for e in events] == ["mat: was unplugged: plug it in again"]
    tick = bench.give(bench.frame(), Request.ENGAGE)
    assert bench.state is again
    refused = [e.reason for e in tick.events if e.kind == "refused_request"]
    assert bool(refused) is (again is State.HOLDING)
    assert all("mat: was unplugged" in reason for reason in refused)
    bench.require_bounds()


def test_lost_buttons_are_told_while_others_can_stop_the_robot(bench: Any) -> None:
    bench.engage()
    before = bench.state
    _lose(bench, Provides.REQUESTS)
    bench.play(0.2)
    assert bench.state is before
    events = [e for t in bench.ticks for e in t.events if e.kind == "buttons_away"]
    assert [e.device for e in events] == ["mat"]
    assert "scripted can stop the robot" in events[0].reason


def test_a_session_may_choose_to_go_on_without_a_device(
    make_bench: Any, body_of: Callable[[str], RobotBody]
) -> None:
    settings = SessionSettings(reactions={"device_lost": "note"}).never_frozen()
    bench = make_bench(body_of("icub"), settings)
    bench.engage()
    _lose(bench, Provides.TREADMILL)
    bench.play(0.2)
    assert bench.state is State.ACTIVE
    assert "device_lost" in bench.kinds()
    bench.give(bench.frame(), Request.HOLD)
    bench.give(bench.frame(), Request.ENGAGE)
    assert bench.state is State.ENGAGING


def test_a_camera_that_ends_is_told_and_nothing_else(bench: Any) -> None:
    bench.engage()
    said = [RobotFeedback(stamp=bench.now, camera_problem="it has ended")]
    bench.robot.read_feedback = lambda: said.pop() if said else None
    bench.play(0.2)
    assert bench.state is State.ACTIVE
    told = [e.reason for t in bench.ticks for e in t.events if e.kind == "camera_lost"]
    assert told == ["no pictures: it has ended"]


def test_nothing_moves_before_somebody_engages(bench: Any) -> None:
    start = bench.robot.q.copy()
    bench.play(0.5)
    bench.calibrate()
    bench.play(2.0)
    np.testing.assert_array_equal(bench.robot.q, start)
    assert bench.state is State.CALIBRATED


def test_engaged_robot_follows_the_operator(bench: Any) -> None:
    bench.engage()
    bench.play(6.0)
    targets = bench.loop.motion.targets
    assert np.abs(bench.robot.q - targets.q).max() < 0.35
    assert np.ptp([c.q for c in bench.robot.sent], axis=0).max() > 0.5
    bench.require_bounds()


def test_engagement_needs_a_profile_and_a_fresh_sample(bench: Any) -> None:
    bench.give(bench.frame(), Request.ENGAGE)
    assert bench.state is State.IDLE
    bench.calibrate()
    bench.play(0.1)
    bench.silence(0.3)
    bench.give(None, Request.ENGAGE)
    assert bench.state is State.CALIBRATED
    reasons = [e.reason for t in bench.ticks for e in t.events]
    assert any("calibrate first" in reason for reason in reasons)
    assert any("no fresh sample" in reason for reason in reasons)


def test_an_operator_far_away_is_refused_if_so_chosen(
    body_of: Callable[[str], RobotBody], make_bench: Any
) -> None:
    settings = SessionSettings(engage=EngageSettings(refuse_beyond=0.3))
    bench = make_bench(body_of("icub"), settings.never_frozen())
    bench.calibrate()
    far = int(5.0 * bench.clip.rate)
    while bench.loop.reference.distance(_targets(bench, far)) < 0.5:
        far += 10
    bench.give(bench.frame(far), Request.ENGAGE)
    assert bench.state is State.CALIBRATED
    assert "come closer" in bench.ticks[-1].events[-1].reason


def _targets(bench: Any, index: int) -> np.ndarray:
    for _ in range(40):
        bench.give(bench.frame(index))
    q: np.ndarray = bench.loop.motion.targets.q
    return q


@pytest.mark.parametrize("request_", [Request.STOP, Request.HOLD])
def test_stop_and_hold_brake_within_bounds_and_stay(
    bench: Any, request_: Request
) -> None:
    bench.engage()
    bench.play(4.0)
    bench.give(bench.frame(), request_)
    bench.play(1.0)
    at_rest = bench.robot.q.copy()
    bench.play(2.0)  # the operator goes on moving
    np.testing.assert_array_equal(bench.robot.q, at_rest)
    bench.require_bounds()


def test_a_dead_link_holds_and_its_return_does_not_move_the_robot(bench: Any) -> None:
    bench.engage()
    bench.play(3.0)
    bench.silence(1.0)
    assert bench.state is State.HOLDING
    assert "stale" in bench.kinds()
    held = bench.robot.q.copy()
    bench.play(1.0)
    np.testing.assert_array_equal(bench.robot.q, held)
    bench.give(bench.frame(), Request.ENGAGE)
    bench.play(4.0)
    assert bench.state is State.ACTIVE
    bench.require_bounds()


def test_after_a_chosen_time_a_held_robot_returns_to_neutral(
    body_of: Callable[[str], RobotBody], make_bench: Any
) -> None:
    settings = SessionSettings(safety=SafetySettings(return_after=1.0)).never_frozen()
    bench = make_bench(body_of("g1"), settings)
    bench.engage()
    bench.play(4.0)
    bench.silence(8.0)
    np.testing.assert_allclose(bench.robot.q, bench.body.neutral.q, atol=1e-3)
    assert bench.kinds().count("return") == 1
    bench.require_bounds()


def test_bad_samples_are_told_and_do_not_move_the_robot(bench: Any) -> None:
    bench.engage()
    for _ in range(100):
        bench.give(_nan(bench.frame()))
    assert "nan" in bench.kinds()
    assert bench.state is State.HOLDING  # no good sample for longer than the deadline
    stale = [e for t in bench.ticks for e in t.events if e.kind == "stale"]
    assert "rotations not finite" in stale[0].reason
    bench.require_bounds()


def test_a_frame_without_what_is_needed_is_called_incomplete(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Retargeter, frame: HumanFrame) -> None:
        raise BadFrame("shows none of Head, T8, Pelvis")

    bench.engage()
    monkeypatch.setattr(Retargeter, "step", refuse)
    bench.give(bench.frame())
    assert "incomplete" in bench.kinds()
    assert "nan" not in bench.kinds()
    bench.require_bounds()


def test_one_outlier_changes_nothing_and_a_jump_holds(bench: Any) -> None:
    bench.engage()
    bench.give(_turned(bench.frame(), 2.0))
    bench.play(0.5)
    assert bench.state is State.ACTIVE
    for _ in range(5):
        bench.give(_turned(bench.frame(), 2.0))
    assert bench.state is State.HOLDING
    assert "jump" in bench.kinds()
    bench.require_bounds()


def test_a_lost_robot_stops_the_session(bench: Any) -> None:
    bench.engage()
    bench.robot.lost = RobotLost("the cable is out")
    bench.play(0.1)
    assert bench.state is State.STOPPED
    assert "robot_lost" in bench.kinds()
    bench.robot.lost = None
    bench.give(bench.frame(), Request.ENGAGE)
    assert bench.state is State.STOPPED  # not without a reset


def test_a_reset_does_not_jerk_a_robot_that_lags_behind(bench: Any) -> None:
    bench.engage()
    bench.play(4.0)
    bench.give(bench.frame(), Request.STOP)
    bench.robot.q = bench.robot.q - 0.05  # the servos have not come to rest yet
    bench.give(bench.frame(), Request.RESET)
    bench.play(0.5)
    bench.require_bounds()


def test_a_robot_that_does_not_follow_is_stopped(bench: Any) -> None:
    bench.engage()
    stuck = bench.robot.q + 1.0
    for _ in range(200):
        bench.robot.q = stuck
        bench.give(bench.frame())
    assert bench.state is State.STOPPED
    assert "tracking" in bench.kinds()


def test_a_late_loop_is_told_and_a_stalled_one_holds(bench: Any) -> None:
    bench.engage()
    bench.turn(period=0.04)
    bench.play(0.1)
    assert "overrun" in bench.kinds()
    assert bench.state is State.ACTIVE
    bench.turn(period=0.6)
    bench.give(bench.frame())
    assert bench.state is State.HOLDING


def test_calibration_from_within_a_session(bench: Any) -> None:
    bench.give(bench.frame(0), Request.CALIBRATE)
    rng = np.random.default_rng(0)
    for _ in range(300):  # the operator stands in N-pose, turned, with sensor noise
        frame = _turned(bench.frame(0), 0.7)
        noise = rng.normal(0.0, 1e-3, (23, 1))
        wobble = np.array([rotation_z(float(x[0])) for x in noise])
        bench.give(dataclasses.replace(frame, rotations=wobble @ frame.rotations))
        if bench.state is State.CALIBRATED:
            break
    assert bench.state is State.CALIBRATED
    assert bench.loop.motion.profile.heading == pytest.approx(0.7, abs=0.01)


def test_a_moving_operator_is_not_calibrated(bench: Any) -> None:
    bench.now = 10.0 + 5.0
    bench.give(bench.frame(), Request.CALIBRATE)
    bench.play(2.0)
    assert bench.state is State.IDLE
    assert "calibration_refused" in bench.kinds()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["icub", "g1"])
def test_bounds_hold_whatever_happens(
    name: str, seed: int, body_of: Callable[[str], RobotBody], make_bench: Any
) -> None:
    rng = np.random.default_rng(seed)
    bench = make_bench(body_of(name), SessionSettings().never_frozen())
    bench.engage()
    requests = [*Request, Request.ENGAGE, Request.ENGAGE, Request.RESET]
    for _ in range(100):
        match rng.integers(0, 8):
            case 0:
                bench.give(bench.frame(), rng.choice(requests))
            case 1:
                bench.silence(rng.uniform(0.01, 0.3))
            case 2:
                bench.give(_nan(bench.frame()))
            case 3:
                bench.now += rng.uniform(0.0, 0.3)  # a late turn
            case 4:
                for _ in range(rng.integers(1, 6)):
                    bench.give(_turned(bench.frame(), rng.uniform(-3, 3)))
            case _:
                bench.play(rng.uniform(0.05, 0.3))
    assert {State.HOLDING, State.ACTIVE} <= {tick.state for tick in bench.ticks}
    bench.require_bounds()
