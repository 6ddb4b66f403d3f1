"""What a motion asks is what its joints and base do, seen by other means."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.kinematics import Configuration
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import exp_so3
from telexist.robots.description.robot_model import RobotModel, load_robot
from telexist.robots.dynamics import DynamicsModel
from telexist.robots.mujoco import Simulation, build_mujoco
from telexist.robots.mujoco.dynamics import mujoco_data
from telexist.teleop.controllers.parameters import control_parameters
from telexist.teleop.controllers.playing import play_motion, sample_motion

PERIOD = 0.005


@pytest.fixture(scope="module")
def icub() -> RobotModel:
    return load_robot("icub")


@pytest.fixture(scope="module")
def model(icub: RobotModel) -> DynamicsModel:
    return DynamicsModel(icub)


@pytest.fixture(scope="module")
def swaying(icub: RobotModel, model: DynamicsModel) -> RobotMotion:
    """Return a base that sways and turns slowly, knees that bend, at odd times."""
    ready: Configuration = control_parameters(model).posture
    rng = np.random.default_rng(4)
    time = np.cumsum(rng.uniform(0.015, 0.025, 100))
    s = np.sin(2.0 * np.pi * 0.5 * (time - time[0]))
    q = np.tile(ready.q, (len(time), 1))
    for name in ("l_knee", "r_knee", "torso_pitch"):
        q[:, icub.body.kinematics.index(name)] += 0.1 * s
    p = np.tile(ready.world_p_base, (len(time), 1))
    p[:, 1] += 0.02 * s
    turns = exp_so3(np.outer(s, [0.0, 0.05, 0.4]))
    on = np.ones(len(time), dtype=bool)
    return RobotMotion(
        robot="icub",
        source="made",
        time=time,
        joint_names=icub.body.kinematics.joints,
        joint_positions=q,
        joint_velocities=np.gradient(q, time, axis=0),
        base_position=p,
        base_rotation=turns @ ready.world_R_base,
        contact_left=on,
        contact_right=on,
    )


def test_velocities_are_those_of_the_formula(swaying: RobotMotion) -> None:
    sampled = sample_motion(swaying, swaying.joint_names, PERIOD)
    w = 2.0 * np.pi * 0.5
    inside = slice(60, len(sampled.time) - 60)
    wave = np.cos(w * sampled.time)[inside]
    assert np.abs(sampled.v[inside, 1] - 0.02 * w * wave).max() < 1e-3
    assert np.abs(sampled.w[inside, 2] - 0.4 * w * wave).max() < 2e-2
    assert np.allclose(np.diff(sampled.time), PERIOD)


def test_columns_are_in_the_order_that_is_asked(swaying: RobotMotion) -> None:
    forward = sample_motion(swaying, swaying.joint_names, PERIOD)
    backward = sample_motion(swaying, swaying.joint_names[::-1], PERIOD)
    assert np.array_equal(forward.q, backward.q[:, ::-1])


def test_what_cannot_be_played_is_told(swaying: RobotMotion) -> None:
    with pytest.raises(UnknownName, match="tail"):
        sample_motion(swaying, ("tail",), PERIOD)
    names = ("time", "joint_positions", "joint_velocities", "base_position")
    names += ("base_rotation", "contact_left", "contact_right")
    short = replace(swaying, **{name: getattr(swaying, name)[:5] for name in names})
    with pytest.raises(BadInput, match="5 frames"):
        sample_motion(short, swaying.joint_names, PERIOD)


def test_balance_is_what_mujoco_sees(
    icub: RobotModel, model: DynamicsModel, swaying: RobotMotion
) -> None:
    played = play_motion(model, swaying, PERIOD)
    simulated = build_mujoco(icub)
    for k in (80, 150):
        frame = played.frames[k]
        data = mujoco_data(simulated, frame.state)
        mujoco.mj_subtreeVel(simulated.model, data)
        body = simulated.base_body
        assert np.allclose(frame.com, data.subtree_com[body], atol=1e-6)
        assert np.allclose(frame.com_vel, data.subtree_linvel[body], atol=1e-6)
        assert np.allclose(frame.momentum, data.subtree_angmom[body], atol=1e-5)


def test_a_robot_starts_with_the_motion_s_velocity(
    icub: RobotModel, model: DynamicsModel, swaying: RobotMotion
) -> None:
    state = play_motion(model, swaying, PERIOD).frames[0].state
    simulation = Simulation(build_mujoco(icub))
    simulation.start_moving(state)
    true = simulation.true_state()
    assert np.allclose(true.nu, state.nu, atol=1e-9)
    assert np.allclose(true.q, state.q)
    assert np.allclose(true.world_R_base, state.world_R_base, atol=1e-9)
