"""Squats and lifted legs: the robot's legs do what the operator's do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.robots.description.joint_sides import leg_joints
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics.dynamics_model import DynamicsModel
from telexist.robots.dynamics.standing_posture import standing_posture

ROBOTS = ["icub", "g1", "talos"]


def squat_of(robot: RobotModel, extension: float, lean: float = 0.0) -> np.ndarray:
    model = DynamicsModel(robot)
    return standing_posture(model, extension=extension, lean=lean).q


def over_soles(w: object) -> float:
    soles = w.simulation.sole_middles()  # type: ignore[attr-defined]
    com = w.simulation.centre_of_mass()  # type: ignore[attr-defined]
    return float(com[2] - soles[:, 2].min())


@pytest.mark.parametrize("name", ROBOTS)
def test_squats_with_the_operator_and_rises_again(
    name: str, world: Callable, robot_of: Callable[[str], RobotModel]
) -> None:
    w = world(name)
    w.run(0.5)
    high = over_soles(w)
    w.run(2.5, q=squat_of(robot_of(name), 0.88, 0.2))
    low = over_soles(w)
    length = robot_of(name).body.leg_length
    assert high - low > 0.03 * length
    assert w.controller.mode == "standing"
    w.run(2.0)
    assert over_soles(w) == pytest.approx(high, abs=0.005)


@pytest.mark.parametrize("name", ROBOTS)
def test_never_squats_deeper_than_its_drives_can(
    name: str, world: Callable, robot_of: Callable[[str], RobotModel]
) -> None:
    w = world(name)
    w.run(3.0, q=squat_of(robot_of(name), 0.55, 0.4))
    assert w.controller.mode == "standing"
    tau = np.array(w.tau[-100:]).mean(axis=0)
    legs = np.array([g == "legs" for g in w.controller.model.actuators.groups])
    assert np.abs(tau / w.controller.model.actuators.effort)[legs].max() < 0.85


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("foot", [0, 1])
def test_a_lifted_leg_follows_the_operators_leg(
    name: str, foot: int, world: Callable, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    w = world(name)
    own = leg_joints(robot, ("left", "right")[foot])
    q = np.where(own, squat_of(robot, 0.75), w.controller.posture.q)
    w.run(6.0, q=q, planted=(foot == 1, foot == 0))
    soles = w.simulation.sole_middles()
    assert soles[foot, 2] - soles[1 - foot, 2] > 0.1 * robot.body.leg_length
    error = (w.simulation.true_state().q - q)[own]
    assert np.abs(error).max() < 0.15  # Talos's soles keep apart by its hip roll


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_a_lifted_foot_keeps_off_the_floor_and_the_other_leg(
    name: str, world: Callable, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    w = world(name)
    own = leg_joints(robot, "right")
    q = np.array(w.controller.posture.q)
    q[own] = robot.body.neutral.q[own]  # straight: into the floor if it were followed
    rolls = [i for i in np.flatnonzero(own) if abs(axis_of(robot, i)[0]) > 0.9]
    q[rolls[0]] += 0.5 * np.sign(axis_of(robot, rolls[0])[0])  # towards the other leg
    w.run(4.5, q=q, planted=(True, False))
    for _ in range(20):
        w.run(0.05, q=q, planted=(True, False))
        soles = w.simulation.sole_middles()
        assert w.simulation.true_reading().foot_wrenches[1, 2] == 0.0
        assert soles[1, 2] > 0.01
        assert soles[0, 1] - soles[1, 1] > w.controller.parameters.min_step_width - 0.01
    assert w.controller.mode == "standing"


def axis_of(robot: RobotModel, joint: int) -> np.ndarray:
    kinematics = robot.body.kinematics
    kinematics.update(robot.body.neutral)
    return kinematics.angular_columns()[:, 6 + joint]


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_feet_that_flutter_do_not_bring_it_down(name: str, world: Callable) -> None:
    w = world(name)
    rng = np.random.default_rng(2)
    for _ in range(60):
        planted = rng.random(2) < 0.6
        w.run(0.1, planted=(bool(planted[0]), bool(planted[1])))
    assert w.controller.mode == "standing"
    assert not [event for event in w.events if event.startswith(("fall", "step"))]


def test_legs_that_are_not_finite_keep_the_last_good_ones(world: Callable) -> None:
    w = world("icub")
    q = np.array(w.controller.posture.q)
    q[::2] = np.nan
    w.run(0.5, q=q)
    assert w.controller.mode == "standing"
    assert [event for event in w.events if event.startswith("reference:")] == [
        "reference: not finite: held"
    ]


@pytest.mark.parametrize("name", ROBOTS)
def test_commands_say_where_the_joints_are_to_be(
    name: str, world: Callable, robot_of: Callable[[str], RobotModel]
) -> None:
    w = world(name)
    straight = robot_of(name).body.neutral.q  # the operator's legs; the robot's bend
    errors = []
    for _ in range(300):
        state = w.simulation.read_state()
        command = w.controller.step(state, w.reference(q=straight), 0.005)
        w.simulation.set_torques(command.tau)
        w.simulation.advance(0.005)
        errors.append(np.abs(command.q - w.simulation.true_state().q))
    legs = np.array([g == "legs" for g in w.controller.model.actuators.groups])
    knees = np.abs(straight - w.simulation.true_state().q)[legs].max()
    assert knees > 0.3
    assert np.array(errors)[100:, legs].max() < 0.02  # sensors are noisy and late
    assert np.array(errors)[-1, ~legs].max() < 0.05


def test_a_limp_robot_is_asked_for_no_other_place(world: Callable) -> None:
    w = world("icub")
    w.run(0.1)
    broken = replace(
        w.simulation.read_state(), dq=np.full(w.controller.model.n, np.nan)
    )
    w.controller.step(broken, w.reference(), 0.005)
    assert w.controller.mode == "fallen"
    state = w.simulation.read_state()
    command = w.controller.step(state, w.reference(), 0.005)
    assert np.array_equal(command.q, state.q)
