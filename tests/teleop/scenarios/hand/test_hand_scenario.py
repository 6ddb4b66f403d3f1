"""A hand that goes ahead while somebody pulls at it: noise, physics, torques."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from telexist.launch_scripts.telexist import main
from telexist.retarget.advance import AdvanceLaw, straight_path
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics.dynamics_model import DynamicsModel
from telexist.teleop.scenarios.hand.hand_figures import hand_figures
from telexist.teleop.scenarios.hand.hand_laws import make_hand_law
from telexist.teleop.scenarios.hand.hand_reach import find_hand_reach
from telexist.teleop.scenarios.hand.hand_run import (
    HandPull,
    HandRun,
    HandWorld,
    run_hand,
)
from telexist.teleop.scenarios.hand.joint_observer import JointObserver

LONG = 3.6  # [s]: alone it arrives after 3.2 s
Go = Callable[..., HandRun]


@pytest.fixture(scope="module")
def go(robot_of: Callable[[str], RobotModel]) -> Go:
    world = HandWorld(robot=robot_of("icub"), seed=11)

    def run(law: str, force: tuple[float, float, float], **more: float) -> HandRun:
        duration = more.pop("duration", LONG)
        pull = HandPull(force=np.array(force), **more)
        return run_hand(world, law, pull, duration=duration)

    return run


@pytest.fixture(scope="module")
def alone(go: Go) -> HandRun:
    return go("classical", (0.0, 0.0, 0.0))


@pytest.mark.slow
def test_help_makes_the_hand_faster_and_keeps_it_on_its_path(
    go: Go, alone: HandRun
) -> None:
    run = go("advance", (10.0, 0.0, 0.0), duration=2.0)
    assert run.arrived is not None
    assert alone.arrived is not None
    assert run.arrived < 0.5 * alone.arrived
    trace = run.trace
    assert trace.array("error").max() < 0.003
    assert trace.array("energy").max() < 2.0 * trace.array("energy")[0]


@pytest.mark.slow
@pytest.mark.parametrize("force", [(-10.0, 0.0, 0.0), (0.0, 10.0, 0.0)])
def test_what_is_no_help_changes_no_time(
    force: tuple[float, float, float], go: Go, alone: HandRun
) -> None:
    run = go("advance", force)
    assert run.arrived == pytest.approx(alone.arrived, rel=0.01)
    assert run.trace.array("error").max() < 0.003


@pytest.mark.slow
def test_letting_go_comes_back_without_a_jump(go: Go) -> None:
    run = go("advance", (10.0, 0.0, 0.0), let_go=0.45, duration=2.0)
    figures = hand_figures(run, run, 0.45)
    assert figures["back_after"] < 1.5
    assert figures["error_after_max_mm"] < 3.0
    time, place = run.trace.array("time"), run.trace.array("place")
    speed = np.linalg.norm(np.diff(place, axis=0), axis=1) / (time[1] - time[0])
    assert np.abs(np.diff(speed)).max() < 0.02  # [m/s] in a step; it goes at 0.1


@pytest.mark.slow
def test_the_partner_aware_law_leaves_its_path_as_in_the_prototypes(go: Go) -> None:
    run = go("partner", (0.0, 0.0, 10.0), duration=1.5)
    assert run.trace.array("error").max() > 0.01
    assert run.trace.array("alpha").min() < 0.0


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_the_way_is_the_hands_by_its_own_model(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    model, body = DynamicsModel(robot), robot.body
    reach = find_hand_reach(robot, model)
    for share, q in zip((0.0, 0.5, 1.0), reach.postures[[0, 4, 8]], strict=True):
        assert np.all(q >= body.lower)
        assert np.all(q <= body.upper)
        assert not (q - body.neutral.q)[~reach.arm].any()
        place = hand_of(body, reach.side, q)
        np.testing.assert_allclose(
            place, reach.start + share * reach.way, atol=1.5e-3
        )  # as near as the search asks
    between, slope = reach.posture(0.3)
    nearby, _ = reach.posture(0.3 + 1e-6)
    np.testing.assert_allclose((nearby - between) / 1e-6, slope, atol=1e-6)


def hand_of(body: RobotBody, side: str, q: Array) -> Array:
    """Return the hand from the base in the other kinematics of the house."""
    kinematics = body.kinematics
    R = body.neutral.world_R_base
    pose = Configuration(world_p_base=np.zeros(3), world_R_base=R, q=q)
    kinematics.update(pose)
    return kinematics.position(kinematics.frame(body.hands[side]))


def test_the_observer_is_better_than_the_sensors() -> None:
    rng, dt = np.random.default_rng(1), 0.005
    time = np.arange(0.0, 4.0, dt)
    q, dq, ddq = np.sin(time), np.cos(time), -np.sin(time)
    observer, errors = JointObserver(np.zeros(1), dt), []
    observer.dq[:] = 1.0
    for k in range(1, len(time)):
        felt = q[k] + 1e-4 * rng.normal(), dq[k] + 0.02 * rng.normal()
        observer.step(np.array([felt[0]]), np.array([felt[1]]), ddq[k - 1 : k], dt)
        errors.append(observer.dq[0] - dq[k])
    assert np.std(errors) < 0.5 * 0.02


def test_a_law_that_is_not_there_is_refused() -> None:
    path, gains = straight_path(np.zeros(3), np.ones(3), 1.0), AdvanceLaw()
    with pytest.raises(UnknownName, match="law"):
        make_hand_law("?", path, gains, speed=1.0, hand_mass=1.0)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--force", "nan"], "--force"),
        (["--force", "1e6"], "--force"),
        (["--direction", "north"], "--direction"),
        (["--controller", "other"], "partner"),
    ],
)
def test_wrong_words_are_one_line(
    words: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scenario", "hand", *words]) == 2
    text = capsys.readouterr().err.strip()
    assert len(text.splitlines()) == 1
    assert named in text


@pytest.mark.slow
def test_the_command_writes_figures_and_a_sheet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], shared_data: Path
) -> None:
    out, sheet = tmp_path / "hand.json", tmp_path / "hand.png"
    words = ["--force", "10", "--advance", "--duration", "1.2", "--json", str(out)]
    words += ["--models", str(shared_data / "robots"), "--plot", str(sheet)]
    assert main(["scenario", "hand", *words]) == 0
    figures = json.loads(out.read_text())
    assert figures["law"] == "advance"
    assert figures["completion_time"] < 1.2
    assert figures["completion_time_alone"] is None  # it would take 3.2 s
    assert sheet.stat().st_size > 10_000
    assert "the hand arrived" in capsys.readouterr().out


def test_a_robot_without_hands_is_told(robot_of: Callable[[str], RobotModel]) -> None:
    robot = robot_of("icub")
    body = replace(robot.body, hands={})
    with pytest.raises(BadInput, match="no hands"):
        find_hand_reach(replace(robot, body=body), DynamicsModel(robot))
