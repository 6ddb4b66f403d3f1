"""Laws of the second pass: forces against pinocchio, derivatives by differences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pinocchio as pin
import pytest
from telexist.retarget.ahead import (
    Postures,
    ask_forces,
    joint_torques,
    moments_of,
    place_bodies,
    point_columns,
)
from telexist.retarget.ahead.body_motion import turn_columns
from telexist.retarget.so3 import Array, exp_so3, log_so3
from telexist.robots.description import RobotModel
from telexist.robots.dynamics import DynamicsModel, simulation_urdf

Robot = Callable[[str], RobotModel]

DT = 1e-3  # [s]: differences of smooth motion are exact to about 1e-6
FRAMES = 9


def moving(robot: RobotModel, rng: np.random.Generator) -> Postures:
    """Return a robot that turns, jumps and waves."""
    time = DT * np.arange(FRAMES)[:, None]
    n = robot.body.kinematics.n
    size, phase = 0.3 * rng.normal(size=n), rng.normal(size=n)
    return Postures(
        p=np.hstack([np.sin(time), 0.2 * time, 0.7 + 0.1 * np.cos(3.0 * time)]),
        R=exp_so3(np.sin(2.0 * time + 0.3) * rng.normal(size=3)),
        q=robot.body.neutral.q + size * np.sin(3.0 * time + phase),
    )


def shifted(given: Postures, x: Array) -> Postures:
    return Postures(
        p=given.p + x[:, :3],
        R=exp_so3(x[:, 3:6]) @ given.R,
        q=given.q + x[:, 6:],
    )


@pytest.mark.parametrize("name", ["g1", "icub"])
def test_forces_and_torques_are_those_of_pinocchio(robot_of: Robot, name: str) -> None:
    robot = robot_of(name)
    given = moving(robot, np.random.default_rng(1))
    masses = DynamicsModel(robot).masses()
    tree = robot.body.kinematics.tree()
    placed = place_bodies(tree, given)
    asked = ask_forces(placed, masses, DT)
    ddq = np.diff(given.q, n=2, axis=0) / DT**2
    tau = joint_torques(tree, placed, masses, asked, ddq)
    model = pin.buildModelFromXML(simulation_urdf(robot), pin.JointModelFreeFlyer())
    model.armature = np.concatenate([np.zeros(6), masses.armature])
    model.gravity.linear = np.array([0.0, 0.0, -9.81])
    data = model.createData()
    full = [
        np.concatenate([p, pin.Quaternion(R).coeffs(), q])
        for p, R, q in zip(*given, strict=True)
    ]
    k = FRAMES // 2
    before, after = (
        pin.difference(model, full[k + i], full[k + i + 1]) / DT for i in (-1, 0)
    )
    known = pin.rnea(model, data, full[k], (before + after) / 2, (after - before) / DT)
    pin.forwardKinematics(model, data, full[k])
    base = data.oMi[1].act(pin.Force(known[:6])).vector
    np.testing.assert_allclose(asked.F[k - 1], base[:3], atol=1e-2)
    np.testing.assert_allclose(asked.M[k - 1], base[3:], atol=1e-2)
    np.testing.assert_allclose(tau[k - 1], known[6:], atol=1e-3)
    zmp = np.array([-base[4], base[3]]) / base[2]
    np.testing.assert_allclose(asked.zmp[k - 1], zmp, atol=1e-4)


def test_columns_are_the_derivatives_of_places_and_turns(robot_of: Robot) -> None:
    robot, rng = robot_of("g1"), np.random.default_rng(2)
    given, tree = moving(robot, rng), robot.body.kinematics.tree()
    placed, x = place_bodies(tree, given), 1e-6 * rng.normal(size=(FRAMES, 35))
    after = place_bodies(tree, shifted(given, x))
    for body in (0, 6, 20, 29):
        way = point_columns(placed, body, placed.p[body]) @ x[..., None]
        went = after.p[body] - placed.p[body]
        np.testing.assert_allclose(way[..., 0], went, atol=1e-10)
        turn = turn_columns(placed, body) @ x[..., None]
        turned = log_so3(after.R[body] @ np.swapaxes(placed.R[body], 1, 2))
        np.testing.assert_allclose(turn[..., 0], turned, atol=1e-10)


def test_moments_are_linear_in_three_frames(robot_of: Robot) -> None:
    robot, rng = robot_of("g1"), np.random.default_rng(3)
    given, tree = moving(robot, rng), robot.body.kinematics.tree()
    masses = DynamicsModel(robot).masses()
    placed, dt = place_bodies(tree, given), 1.0 / 60.0
    asked = ask_forces(placed, masses, dt)
    moments = moments_of(placed, masses, asked, dt)
    x = 1e-6 * rng.normal(size=(FRAMES, 35))
    after = ask_forces(place_bodies(tree, shifted(given, x)), masses, dt)
    said = sum(
        np.einsum("tic,tc->ti", moments.moment[i], x[i : i + FRAMES - 2])
        for i in range(3)
    )
    went = after.M - asked.M
    # the gyroscopic part of the turning of single bodies is left out
    assert np.abs(said - went).max() < 2e-3 * np.abs(went).max()
    com = np.einsum("tic,tc->ti", moments.com, x)
    np.testing.assert_allclose(com, after.com - asked.com, atol=1e-10)
