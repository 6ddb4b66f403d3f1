"""The controller's model and the simulator's are one: two libraries as witnesses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from telexist.retarget.so3 import exp_so3
from telexist.robots.description.library import list_robots
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics.dynamics_model import BodyState, DynamicsModel
from telexist.robots.mujoco.dynamics import model_agreement, mujoco_data
from telexist.robots.mujoco.model import build_mujoco

AGREE = 1e-9  # [kg], [kg m^2], [N m]: the figure of the specification
ROUNDING = 1e-12  # [m], [m/s]: of some hundred sums
STEP = 1e-6  # [s] of finite differences
DIFFERENCES = 1e-4  # of finite differences, relative to 1 + the value


def random_state(robot: RobotModel, rng: np.random.Generator) -> BodyState:
    n = robot.body.kinematics.n
    return BodyState(
        world_p_base=rng.normal(size=3),
        world_R_base=exp_so3(rng.normal(size=3)),
        q=rng.uniform(robot.body.lower, robot.body.upper),
        world_v_base=rng.normal(size=3),
        world_w_base=rng.normal(size=3),
        dq=rng.normal(size=n),
    )


def moved(state: BodyState, dt: float) -> BodyState:
    return BodyState(
        world_p_base=state.world_p_base + dt * state.world_v_base,
        world_R_base=exp_so3(dt * state.world_w_base) @ state.world_R_base,
        q=state.q + dt * state.dq,
        world_v_base=state.world_v_base,
        world_w_base=state.world_w_base,
        dq=state.dq,
    )


@pytest.mark.parametrize("name", list_robots())
def test_controller_and_simulator_have_the_same_dynamics(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    simulated, model = build_mujoco(robot), DynamicsModel(robot)
    rng = np.random.default_rng(5)
    for _ in range(3):
        found = model_agreement(simulated, model, random_state(robot, rng))
        assert max(found.mass, found.mass_matrix, found.bias) < AGREE


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_jacobians_and_biases_are_rates(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    model = DynamicsModel(robot)
    state = random_state(robot, np.random.default_rng(2))
    rates, values = [], []
    for dt in (0.0, STEP):
        model.update(moved(state, dt))
        values.append([*model.sole_p.copy(), model.com.copy()])
        rates.append(model.sole_J @ state.nu)
    model.update(state)
    for i in (0, 1):
        speed = (values[1][i] - values[0][i]) / STEP
        assert np.allclose(model.sole_v[i, :3], speed, atol=DIFFERENCES)
        change = (rates[1][i] - rates[0][i]) / STEP
        scale = 1.0 + np.abs(change).max()
        assert np.abs(model.sole_bias[i] - change).max() < 1e-3 * scale
    assert np.allclose(model.com_vel, (values[1][-1] - values[0][-1]) / STEP, atol=1e-4)


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_soles_are_where_their_frames_are(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    """Our own sums against pinocchio's; near half a turn quaternions differ."""
    robot = robot_of(name)
    model, rng = DynamicsModel(robot), np.random.default_rng(3)
    turns = [rng.normal(size=3), *(3.1 * np.eye(3))]
    for turn in turns:
        state = replace(random_state(robot, rng), world_R_base=exp_so3(turn))
        model.update(state)
        for i, frame in enumerate(model.sole_frames()):
            assert np.allclose(model.sole_p[i], model.position(frame), atol=ROUNDING)
            assert np.allclose(model.sole_R[i], model.rotation(frame), atol=ROUNDING)
            assert np.allclose(model.sole_v[i], model.velocity(frame), atol=ROUNDING)
            assert np.allclose(model.sole_J[i], model.jacobian(frame), atol=ROUNDING)
        p, R, v = model.sole_p.copy(), model.sole_R.copy(), model.sole_v.copy()
        model.update_positions(state)
        assert np.allclose(model.sole_p, p, atol=ROUNDING)
        assert np.allclose(model.sole_R, R, atol=ROUNDING)
        assert np.allclose(model.sole_v, v, atol=ROUNDING)
        R_base = state.world_R_base
        model.update_posture(state.q, state.dq)
        seen = state.world_p_base + model.sole_p @ R_base.T
        assert np.allclose(seen, p, atol=ROUNDING)


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_angular_momentum_is_the_simulators(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    simulated, model = build_mujoco(robot), DynamicsModel(robot)
    state = random_state(robot, np.random.default_rng(4))
    model.update(state)
    data = mujoco_data(simulated, state)
    mujoco.mj_subtreeVel(simulated.model, data)
    body = simulated.base_body
    assert np.allclose(model.com, data.subtree_com[body], atol=AGREE)
    assert np.allclose(model.com_vel, data.subtree_linvel[body], atol=AGREE)
    assert np.allclose(model.angular_momentum, data.subtree_angmom[body], atol=AGREE)
