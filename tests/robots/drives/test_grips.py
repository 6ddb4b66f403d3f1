"""What a `robot.toml` may say of hands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import BadConfig, ModelNotFound
from telexist.robots.base.interface import HandCommand
from telexist.robots.check.check import check_robot
from telexist.robots.description.library import load_spec
from telexist.robots.description.robot_model import RobotModel, load_robot
from telexist.robots.drives.grips import Grips

ROUNDING = 1e-6  # speeds are differences of positions
STEP = 0.0025  # [s]


def variant(folder: Path, text: str) -> Path:
    path = folder / "robot.toml"
    path.write_text(f'name = "mine"\nextends = "talos"\n{text}')
    return path


def robot_called(name: str) -> RobotModel:
    try:
        return load_robot(name)
    except ModelNotFound:
        pytest.skip(f"the model of {name} is not on this machine")


def talos() -> RobotModel:
    return robot_called("talos")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[grips.middle]\ngripper_left_joint = [0.0, 1.0]", "grips.middle"),
        ("[grips.left]\narm_left_1_joint = [0.0, 1.0]", "locked"),
        ("[grips.left]\ngripper_left_joint = [0.0]", "expected 2 values"),
        ("[grips.left]\ngripper_left_joint = [0.0, inf]", "finite"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, place: str) -> None:
    with pytest.raises(BadConfig, match=place):
        load_spec(variant(tmp_path, text))


def test_a_finger_that_the_model_lacks_is_named(tmp_path: Path) -> None:
    talos()
    locked = '"gripper_left_joint", "gripper_right_joint", "no_joint"'
    text = f"locked = [{locked}]\n[grips.left]\nno_joint = [0.0, 0.1]"
    with pytest.raises(BadConfig, match="no_joint"):
        load_robot(variant(tmp_path, text))


def test_check_finds_fingers_outside_their_limits(tmp_path: Path) -> None:
    talos()
    report = check_robot(
        variant(tmp_path, "[grips.left]\ngripper_left_joint = [0.5, -0.9]")
    )
    assert any(f.level == "error" and f.subject == "grips" for f in report.findings)


def test_fingers_stay_between_open_and_closed() -> None:
    grips = Grips(talos())
    grips.want(HandCommand(left=7.0, right=-1.0))
    for _ in range(300):
        grips.step(0.01)
    assert grips.q == pytest.approx([-0.9, 0.0])
    grips.want(HandCommand(left=float("nan"), right=0.5))
    for _ in range(300):
        grips.step(0.01)
    assert grips.q == pytest.approx([-0.9, -0.45])


@pytest.mark.parametrize("name", ["g1_hands", "talos"])
@pytest.mark.parametrize("seed", range(3))
def test_wild_commands_keep_fingers_within_speed_and_acceleration(
    name: str, seed: int
) -> None:
    robot, rng = robot_called(name), np.random.default_rng(seed)
    grips = Grips(robot)
    limits = [robot.urdf.joints[joint].limits for joint in grips.joints]
    velocity = np.array([limit.velocity or np.inf for limit in limits])
    acceleration = np.minimum(10.0 * velocity, 100.0)
    q, dts = [], []
    for _ in range(3000):
        if rng.random() < 0.02:
            grips.want(HandCommand(left=rng.random(), right=float(rng.integers(2))))
        dts.append(float(rng.choice([0.001, 0.0025, 0.01])))
        grips.step(dts[-1])
        q.append(grips.q)
    dq = np.diff(q, axis=0) / np.array(dts[:-1])[:, None]
    ddq = np.diff(dq, axis=0) / np.array(dts[1:-1])[:, None]
    assert np.all(np.abs(dq) <= velocity * (1.0 + ROUNDING))
    assert np.all(np.abs(ddq) <= acceleration * (1.0 + ROUNDING))
    assert np.abs(dq).max() > 0.9  # [rad/s]


@pytest.mark.parametrize(("name", "seconds"), [("g1_hands", 0.7), ("talos", 1.1)])
def test_hands_close_as_fast_as_people_do_and_stop_there(
    name: str, seconds: float
) -> None:
    """The gripper of Talos is slow: 1 rad/s."""
    grips = Grips(robot_called(name))
    grips.want(HandCommand(left=1.0))
    closed = []
    for _ in range(round(seconds / STEP)):
        grips.step(STEP)
        closed.append(grips.closed[0])
    assert closed[-1] == pytest.approx(1.0, abs=0.005)
    assert np.all(np.diff(closed) >= 0.0)
    assert max(closed) <= 1.0


def test_a_robot_without_hands_has_no_fingers() -> None:
    grips = Grips(load_robot("human48"))
    grips.want(HandCommand(left=1.0))
    assert grips.joints == ()
    grips.step(0.01)
    assert np.shape(grips.q) == (0,)


def test_fingers_go_where_they_are_told_and_by_the_closing_where_they_are_not() -> None:
    robot = robot_called("g1_hands")
    grips = Grips(robot, period=0.01)
    limits = [robot.urdf.joints[joint].limits for joint in grips.joints]
    told = np.array([0.7 * (k.upper if k.upper > 0.1 else k.lower) for k in limits])
    told[7:] = np.nan
    grips.want(HandCommand(left=0.3, right=1.0, fingers=told))
    for _ in range(800):
        grips.step(STEP)
    shut = [ends[1] for ends in robot.spec.grips["right"].values()]
    assert grips.q[:7] == pytest.approx(told[:7], abs=1e-3)
    assert grips.q[7:] == pytest.approx(shut, abs=5e-3)
    grips.want(HandCommand(fingers=np.full(14, 1e9)))  # as far as they can
    for _ in range(800):
        grips.step(STEP)
    assert grips.q == pytest.approx([k.upper for k in limits], abs=1e-3)


def test_fingers_for_another_hand_are_ignored() -> None:
    grips = Grips(robot_called("g1_hands"))
    grips.want(HandCommand(fingers=np.ones(3)))
    grips.step(0.1)
    grips.want(HandCommand(fingers=np.full(14, np.inf)))
    grips.step(0.1)
    assert np.isfinite(grips.q).all()
    assert np.abs(grips.dq).max() == 0.0


@pytest.mark.parametrize("seed", range(2))
def test_wild_fingers_keep_limits_speed_and_acceleration(seed: int) -> None:
    robot, rng = robot_called("g1_hands"), np.random.default_rng(seed)
    grips = Grips(robot)
    limits = [robot.urdf.joints[joint].limits for joint in grips.joints]
    velocity = np.minimum([limit.velocity for limit in limits], 15.0)
    acceleration = np.minimum(10.0 * velocity, 100.0)
    q = []
    for _ in range(2000):
        if rng.random() < 0.1:
            grips.want(HandCommand(fingers=rng.normal(0.0, 2.0, 14)))
        grips.step(STEP)
        q.append(grips.q)
    dq = np.diff(q, axis=0) / STEP
    assert np.all(np.abs(dq) <= velocity * (1.0 + ROUNDING))
    assert np.all(np.abs(np.diff(dq, axis=0)) / STEP <= acceleration * (1 + ROUNDING))
    assert np.all(q >= np.array([k.lower for k in limits]) - ROUNDING)
    assert np.all(q <= np.array([k.upper for k in limits]) + ROUNDING)
    assert np.abs(dq).max() > 3.0
