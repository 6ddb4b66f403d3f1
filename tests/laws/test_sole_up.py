"""A sole's up direction against two turns that are undone by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.so3 import exp_so3
from telexist.robots.description.library import list_robots
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics.dynamics_model import BodyState, DynamicsModel
from telexist.robots.dynamics.sole_roll import TIPPED, can_roll

ROUNDING = 1e-12  # of some dozen sums
WITHOUT_ROLL = {"h1"}  # what is known of the shipped robots: their ankles only pitch


def state_of(robot: RobotModel, rng: np.random.Generator) -> BodyState:
    n = robot.body.kinematics.n
    return BodyState(
        world_p_base=rng.normal(size=3),
        world_R_base=exp_so3(0.4 * rng.normal(size=3)),
        q=rng.uniform(robot.body.lower, robot.body.upper),
        world_v_base=rng.normal(size=3),
        world_w_base=rng.normal(size=3),
        dq=rng.normal(size=n),
    )


def yaw_pitch_roll(R: np.ndarray) -> tuple[float, float, float]:
    """Return the angles of R = Rz(yaw) Ry(pitch) Rx(roll)."""
    yaw = np.arctan2(R[1, 0], R[0, 0])
    pitch = np.arctan2(-R[2, 0], np.hypot(R[2, 1], R[2, 2]))
    return yaw, pitch, np.arctan2(R[2, 1], R[2, 2])


@pytest.mark.parametrize("name", list_robots())
def test_only_soles_without_ankle_roll_cannot_roll(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    model = DynamicsModel(robot_of(name))
    assert (model.soles_roll == (name not in WITHOUT_ROLL)).all()


def test_a_leg_rolls_its_sole_by_its_ankle_and_not_by_its_hip() -> None:
    """Columns by hand: a joint with axis a at r above the sole moves it by r x a."""

    def column(axis: tuple[float, float, float], height: float) -> np.ndarray:
        return np.concatenate([np.cross(axis, (0.0, 0.0, -height)), axis])

    hip = [column(axis, 0.9) for axis in ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0))]
    pitch = [column((0, 1.0, 0), height) for height in (0.5, 0.08)]
    ankle = column((1.0, 0, 0), 0.08)
    oblique = column((0.7, 0, 0.7), 0.08)
    crooked = column((0.01, 1.0, 0), 0.04)
    assert not can_roll(np.transpose(hip + pitch), 0.25)
    assert can_roll(np.transpose([*hip, *pitch, ankle]), 0.25)
    assert can_roll(np.transpose([*hip, *pitch, oblique]), 0.25)
    assert not can_roll(np.transpose([*hip, *pitch, crooked]), 0.25)
    assert not can_roll(np.zeros((6, 0)), 0.25)


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_up_of_soles_that_roll_is_their_normal(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    model = DynamicsModel(robot)
    model.update(state_of(robot, np.random.default_rng(6)))
    assert (model.sole_up == model.sole_R[:, :, 2]).all()
    assert not model.sole_tip.any()
    assert not model.sole_edge.any()


def test_up_of_soles_that_cannot_roll_is_that_of_yaw_and_pitch_alone(
    robot_of: Callable[[str], RobotModel],
) -> None:
    robot = robot_of("h1")
    model, rng = DynamicsModel(robot), np.random.default_rng(7)
    width = robot.body.soles["left"].width
    for share in (1.0, 0.1, 0.01, 0.0):  # down to soles that are nearly flat
        state = state_of(robot, rng)
        turn = exp_so3(share * rng.normal(size=3))
        state = replace(state, q=share * state.q, world_R_base=turn)
        model.update(state)
        for i, R in enumerate(model.sole_R):
            yaw, pitch, roll = yaw_pitch_roll(R)
            unrolled = exp_so3(np.array([0.0, 0.0, yaw])) @ exp_so3(
                np.array([0.0, pitch, 0.0])
            )
            assert np.allclose(model.sole_up[i], unrolled[:, 2], atol=ROUNDING)
            tip = np.clip(-np.sin(roll) / TIPPED, -1.0, 1.0)
            assert model.sole_tip[i] == pytest.approx(tip, abs=ROUNDING / TIPPED)
            edge = R @ np.array([0.0, 0.5 * width * tip, 0.0])
            assert np.allclose(model.sole_edge[i], edge, atol=ROUNDING / TIPPED)


def test_a_sole_stands_on_its_lower_edge(robot_of: Callable[[str], RobotModel]) -> None:
    robot = robot_of("h1")
    model = DynamicsModel(robot)
    neutral = robot.body.neutral
    for roll, lower in ((0.1, -1.0), (-0.1, 1.0)):
        model.update(
            BodyState(
                world_p_base=neutral.world_p_base,
                world_R_base=exp_so3(np.array([roll, 0.0, 0.0])) @ neutral.world_R_base,
                q=neutral.q,
                world_v_base=np.zeros(3),
                world_w_base=np.zeros(3),
                dq=np.zeros(model.n),
            )
        )
        assert (model.sole_tip == lower).all()
        assert (model.sole_edge[:, 2] < 0.0).all()
        assert np.allclose(model.sole_up, (0.0, 0.0, 1.0), atol=1e-2)
