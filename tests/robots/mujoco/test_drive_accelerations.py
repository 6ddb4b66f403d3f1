"""Accelerations that drives can make: against MuJoCo's inverse dynamics."""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np
import pytest
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.drives.command_limiter import joint_bounds
from telexist.robots.mujoco.drive_accelerations import drive_accelerations, drive_bounds
from telexist.robots.mujoco.model import build_mujoco


@pytest.mark.parametrize("name", ["icub", "g1", "talos", "baxter"])
def test_drives_can_accelerate_all_joints_at_once_in_any_posture(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot, rng = robot_of(name), np.random.default_rng(11)
    model = build_mujoco(robot, mount="fixed")
    model.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_GRAVITY
    model.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    bounds, n = drive_bounds(robot), robot.body.kinematics.n
    data = mujoco.MjData(model.model)
    used = []
    for _ in range(300):
        u = rng.uniform(0.15, 0.85, n)
        q = robot.body.lower + u * (robot.body.upper - robot.body.lower)
        data.qpos[model.qpos_of_joints[:n]] = q
        data.qacc[model.dof_of_joints[:n]] = rng.choice([-1, 1], n) * (
            bounds.acceleration
        )
        mujoco.mj_inverse(model.model, data)
        tau = data.qfrc_inverse[model.dof_of_joints[:n]]
        used.append(np.abs(tau) / model.actuators.effort[:n])
    rms = np.sqrt(np.mean(np.square(used), axis=0))
    assert rms.max() < 1.0
    before = joint_bounds(robot.body).acceleration
    assert np.all(bounds.acceleration <= before)


def test_strong_drives_keep_what_is_asked(
    robot_of: Callable[[str], RobotModel],
) -> None:
    model = build_mujoco(robot_of("icub"), mount="fixed")
    asked = np.full(robot_of("icub").body.kinematics.n, 1.0)
    np.testing.assert_array_equal(drive_accelerations(model, asked), asked)


def test_shares_of_speed_and_acceleration_are_taken(
    robot_of: Callable[[str], RobotModel],
) -> None:
    robot = robot_of("g1")
    full, slow = drive_bounds(robot), drive_bounds(robot, acceleration=0.25)
    np.testing.assert_allclose(slow.acceleration, 0.25 * full.acceleration)
    np.testing.assert_array_equal(slow.velocity, full.velocity)
