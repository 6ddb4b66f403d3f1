"""A policy that looks on, takes over, and is relieved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from telexist.retarget.errors import BadInput
from telexist.robots.base.interface import JointCommand, RobotState
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.drives.actuators import actuators_of
from telexist.teleop.controllers.policy.policy_controller import PolicyController
from telexist.teleop.controllers.policy.read_policy import read_policy
from telexist.teleop.terms.base_reference import BaseReference
from telexist.teleop.terms.robot_reference import RobotReference
from telexist.teleop.terms.walk_command import WalkCommand

Write = Callable[..., Path]
DT = 0.005  # [s]
SAME = 1e-6  # the network takes 32 bits

TOML = """
rate = 50
joints = {joints}
default = {{ ".*knee.*" = 0.3, ".*" = 0.05 }}
stiffness = 20
damping = 2
[action]
scale = 0.5
[[observation]]
terms = ["base_ang_vel", "projected_gravity", "command", "joint_pos", "joint_vel"]
[[observation]]
terms = ["actions", "reference_height"]
frames = 4
newest_first = true
"""


def controller_of(
    write: Write, g1: RobotModel, joints: tuple[str, ...], text: str = TOML
) -> PolicyController:
    n = len(joints)
    path = write(9 + 2 * n + 4 * (n + 1), n, weight=2e-6).with_suffix(".toml")
    path.write_text(text.format(joints=list(joints)))
    return PolicyController(g1, read_policy(path))


def reading(rng: np.random.Generator, robot: RobotModel, stamp: float) -> RobotState:
    n = robot.body.kinematics.n
    middle = 0.5 * (robot.body.lower + robot.body.upper)
    return RobotState(
        stamp=stamp,
        q=middle + 0.02 * rng.standard_normal(n),
        dq=0.05 * rng.standard_normal(n),
        tau=np.zeros(n),
        imu_acceleration=np.array([0.0, 0.0, 9.81]),
        imu_angular_velocity=0.1 * rng.standard_normal(3),
        imu_world_R_base=Rotation.from_euler("xyz", [0.02, 0.05, 1.9]).as_matrix(),
        foot_wrenches=np.tile([0.0, 0.0, 150.0, 0.0, 0.0, 0.0], (2, 1)),
    )


def wish(robot: RobotModel) -> RobotReference:
    ready, zero = robot.body.neutral, np.zeros(robot.body.kinematics.n)
    base = BaseReference(
        world_p_base=np.array([1.0, 2.0, 0.7]),
        world_R_base=ready.world_R_base,
        world_v_base=np.zeros(3),
        world_w_base=np.zeros(3),
    )
    walk = WalkCommand(vx=0.4, vy=-0.1, wz=0.2)
    return RobotReference(stamp=0.0, q=ready.q, dq=zero, ddq=zero, walk=walk, base=base)


def torques(command: JointCommand, state: RobotState) -> np.ndarray:
    gains = command.gains
    assert gains is not None
    return command.torques + gains.kp * (command.q - state.q) - gains.kd * state.dq


def test_who_looks_on_has_seen_what_the_one_that_leads_has_seen(
    g1: RobotModel, joints: tuple[str, ...], write_network: Write
) -> None:
    leads = controller_of(write_network, g1, joints)
    looks = controller_of(write_network, g1, joints)
    rng = np.random.default_rng(3)
    state, reference = reading(rng, g1, 0.0), wish(g1)
    leads.reset(state)
    looks.reset(state)
    free = np.ones(len(joints), dtype=bool)
    order = [g1.body.kinematics.joints.index(joint) for joint in joints]
    effort = actuators_of(g1).effort
    for k in range(4 * 8):
        state = reading(rng, g1, DT * (k + 1))
        command = leads.step(state, reference, DT)
        given = np.clip(torques(command, state), -effort, effort)
        free &= (np.abs(given) < effort)[order]  # what is cut cannot be known
        looks.look_on(state, reference, given, DT)
        if leads.asked:
            apart = np.abs(leads.observation - looks.observation)
            actions = apart[9 + 2 * len(joints) :].reshape(4, -1)[:, : len(joints)]
            assert apart[: 9 + 2 * len(joints)].max() < SAME
            assert actions[:, free].max() < SAME
    assert leads.asked == 8 and free.sum() > 10


def test_who_takes_over_answers_to_what_it_saw_at_once(
    g1: RobotModel, joints: tuple[str, ...], write_network: Write
) -> None:
    looks = controller_of(write_network, g1, joints)
    rng, n = np.random.default_rng(5), len(joints)
    looks.reset(reading(rng, g1, 0.0))
    for k in range(10):
        looks.look_on(reading(rng, g1, DT * (k + 1)), wish(g1), np.zeros(n), DT)
    state = reading(rng, g1, DT * 11)
    looks.take_over(state)
    answer = looks.policy.network.run(looks.observation)
    default = np.array([0.3 if "knee" in j else 0.05 for j in joints])
    order = [g1.body.kinematics.joints.index(joint) for joint in joints]
    command = looks.step(state, wish(g1), DT)
    target = np.empty(n)
    target[order] = default + 0.5 * answer
    expected = np.clip(target, g1.body.lower, g1.body.upper)
    assert np.abs(command.q - expected).max() < 1e-9
    assert looks.asked == 1  # and its own rate goes on


def test_who_has_no_answer_does_not_take_over(
    g1: RobotModel, joints: tuple[str, ...], write_network: Write
) -> None:
    looks = controller_of(write_network, g1, joints)
    rng, n = np.random.default_rng(6), len(joints)
    looks.reset(reading(rng, g1, 0.0))
    with pytest.raises(BadInput, match="seen nothing"):
        looks.take_over(reading(rng, g1, 0.0))
    for k in range(4):
        bad = reading(rng, g1, DT * (k + 1))
        bad = replace(bad, imu_angular_velocity=np.full(3, 1e6))
        looks.look_on(bad, wish(g1), np.zeros(n), DT)
    with pytest.raises(BadInput, match="nan"):
        looks.take_over(bad)
    looks.look_on(
        reading(rng, g1, 1.0), replace(wish(g1), base=None), np.zeros(n), 4 * DT
    )
    with pytest.raises(BadInput, match="nobody shows one"):
        looks.take_over(bad)
    for k in range(4):
        looks.look_on(reading(rng, g1, 1.1 + DT * k), wish(g1), np.zeros(n), DT)
    looks.take_over(bad)  # it has come to its senses


def test_it_is_astray_when_it_tips_sinks_or_is_silent(
    g1: RobotModel, joints: tuple[str, ...], write_network: Write
) -> None:
    leads = controller_of(write_network, g1, joints)
    rng = np.random.default_rng(7)
    upright = replace(reading(rng, g1, 0.0), imu_world_R_base=np.eye(3))
    leads.reset(upright)
    leads.step(upright, wish(g1), DT)
    ready = replace(wish(g1), base=None)
    assert leads.astray(upright, ready) == "" or "at" in leads.astray(upright, ready)
    tipped = Rotation.from_euler("y", 0.5).as_matrix()
    tips = replace(upright, imu_world_R_base=tipped)
    assert "tilted by 29 degrees" in leads.astray(tips, ready)
    silent = replace(
        reading(rng, g1, 1.0),
        imu_angular_velocity=np.full(3, 1e6),
        imu_world_R_base=np.eye(3),
    )
    leads.step(silent, wish(g1), 4 * DT)
    assert "nan" in leads.astray(upright, ready)
