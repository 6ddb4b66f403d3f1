from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pytest
from telexist.retarget.errors import BadInput, SimulationDiverged
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.drives.actuators import GRAVITY, actuators_of
from telexist.robots.dynamics.dynamics_model import DynamicsModel
from telexist.robots.mujoco.disturbances import Disturbances
from telexist.robots.mujoco.model import build_mujoco
from telexist.robots.mujoco.push import Push
from telexist.robots.mujoco.robot_spec import POLE_HEIGHT
from telexist.robots.mujoco.sensors import NO_NOISE
from telexist.robots.mujoco.simulation import Simulation

THREE = ("icub", "g1", "talos")


def stiff(robot: RobotModel, simulation: Simulation) -> None:
    scale = robot.urdf.mass * GRAVITY * robot.body.leg_length
    kp = np.full(simulation.n, scale)
    legs = np.array(simulation.mujoco_model.actuators.groups) == "legs"
    kp[legs] *= 4.0
    q = np.zeros(simulation.n)
    q[: len(robot.body.neutral.q)] = robot.body.neutral.q
    simulation.set_servos(q, kp=kp, kd=0.02 * kp)


@pytest.mark.parametrize("name", THREE)
def test_stands_on_servos_with_its_weight_on_the_soles(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    simulation = Simulation(build_mujoco(robot), noise=NO_NOISE)
    stiff(robot, simulation)
    simulation.advance(2.0)
    reading = simulation.read_state()
    weight = robot.urdf.mass * GRAVITY
    assert reading.foot_wrenches[:, 2].sum() == pytest.approx(weight, rel=1e-3)
    assert np.linalg.norm(reading.imu_acceleration) == pytest.approx(GRAVITY, rel=1e-3)
    moved = simulation.true_state().world_p_base - robot.body.neutral.world_p_base
    assert np.abs(moved).max() < 0.01


@pytest.mark.parametrize("name", THREE)
def test_on_a_pole_the_feet_hang(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    simulation = Simulation(build_mujoco(robot, mount="pole"), noise=NO_NOISE)
    stiff(robot, simulation)
    simulation.advance(0.5)
    state = simulation.true_state()
    lifted = robot.body.neutral.world_p_base + [0.0, 0.0, POLE_HEIGHT]
    assert np.allclose(state.world_p_base, lifted)
    assert not simulation.read_state().foot_wrenches.any()
    assert np.abs(state.q - robot.body.neutral.q).max() < 0.05


def test_a_run_repeats_to_the_last_bit(robot_of: Callable[[str], RobotModel]) -> None:
    robot = robot_of("g1")
    ends = []
    for _ in range(2):
        simulation = Simulation(build_mujoco(robot), seed=3)
        simulation.push(Push(world_f=np.array([20.0] * 6), start=0.1, duration=0.2))
        stiff(robot, simulation)
        simulation.advance(0.5)
        ends.append(simulation.read_state())
    assert np.array_equal(ends[0].q, ends[1].q)
    assert np.array_equal(ends[0].foot_wrenches, ends[1].foot_wrenches)


def test_times_that_are_no_whole_steps_add_up(
    robot_of: Callable[[str], RobotModel],
) -> None:
    simulation = Simulation(build_mujoco(robot_of("g1")))
    for _ in range(300):
        simulation.advance(1.0 / 300.0)
    assert simulation.time == pytest.approx(1.0, abs=simulation.timestep)


def test_a_push_gives_its_impulse(robot_of: Callable[[str], RobotModel]) -> None:
    robot = robot_of("g1")
    simulation = Simulation(build_mujoco(robot), noise=NO_NOISE)
    simulation.model.opt.gravity[:] = 0.0  # in the air, so that nothing else acts
    simulation.data.qpos[2] += 1.0
    stiff(robot, simulation)
    mujoco.mj_forward(simulation.model, simulation.data)
    before = simulation.data.subtree_com[1].copy()
    force = np.array([0.0, 50.0, 0.0, 0.0, 0.0, 0.0])
    simulation.push(Push(world_f=force, start=0.0, duration=0.02))
    simulation.advance(0.52)
    moved = simulation.data.subtree_com[1] - before
    speed = 50.0 * 0.02 / robot.urdf.mass
    assert np.allclose(moved, [0.0, speed * 0.51, 0.0], atol=0.02 * speed)


def test_a_push_to_the_left_is_to_the_left_of_a_turned_robot(
    robot_of: Callable[[str], RobotModel],
) -> None:
    robot = robot_of("g1")
    simulation = Simulation(build_mujoco(robot), noise=NO_NOISE)
    simulation.model.opt.gravity[:] = 0.0
    simulation.data.qpos[2] += 1.0
    stiff(robot, simulation)
    half = np.deg2rad(45.0)  # the robot heads to world y
    neutral, turned = np.array(simulation.data.qpos[3:7]), np.zeros(4)
    turn = np.array([np.cos(half), 0.0, 0.0, np.sin(half)])
    mujoco.mju_mulQuat(turned, turn, neutral)
    simulation.data.qpos[3:7] = turned
    mujoco.mj_forward(simulation.model, simulation.data)
    assert simulation.heading() == pytest.approx(np.pi / 2.0)
    before = simulation.data.subtree_com[1].copy()
    force = np.array([0.0, 50.0, 0.0, 0.0, 0.0, 0.0])
    simulation.push(Push(world_f=force, start=0.1, duration=0.02, turns=True))
    simulation.advance(0.62)
    moved = simulation.data.subtree_com[1] - before
    speed = 50.0 * 0.02 / robot.urdf.mass
    assert np.allclose(moved, [-speed * 0.51, 0.0, 0.0], atol=0.02 * speed)


def test_a_delayed_torque_arrives_late(robot_of: Callable[[str], RobotModel]) -> None:
    delay = Disturbances(torque_delay=0.01)
    simulation = Simulation(build_mujoco(robot_of("g1")), disturbances=delay)
    simulation.set_torques(np.full(simulation.n, 1.0))
    simulation.advance(0.01)
    assert not simulation.applied_torques().any()
    simulation.advance(0.005)
    assert np.allclose(simulation.applied_torques(), 1.0)


def test_on_a_slope_the_soles_lie_flat(robot_of: Callable[[str], RobotModel]) -> None:
    robot = robot_of("g1")
    slope = Disturbances(slope=np.deg2rad(2.0))
    simulation = Simulation(build_mujoco(robot), disturbances=slope, noise=NO_NOISE)
    stiff(robot, simulation)
    simulation.advance(0.1)
    assert (simulation.read_state().foot_wrenches[:, 2] > 50.0).all()


@pytest.mark.parametrize("name", ["g1", "talos"])  # Talos: more than its URDF says
def test_torques_are_cut_at_the_effort(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    simulation = Simulation(build_mujoco(robot, mount="pole"))
    simulation.set_torques(np.full(simulation.n, 1e6))
    simulation.advance(0.005)
    assert np.allclose(simulation.applied_torques(), actuators_of(robot).effort)


def test_nan_is_refused(robot_of: Callable[[str], RobotModel]) -> None:
    simulation = Simulation(build_mujoco(robot_of("g1")))
    with pytest.raises(BadInput):
        simulation.set_torques(np.full(simulation.n, np.nan))
    with pytest.raises(BadInput):
        Disturbances(mass_scale=np.nan)


def test_dummy_efforts_are_replaced_by_the_rule(
    robot_of: Callable[[str], RobotModel],
) -> None:
    robot = robot_of("icub")
    drives = actuators_of(robot)
    assert drives.effort.max() < robot.urdf.mass * GRAVITY * robot.body.leg_length
    assert "l_knee" not in drives.estimated
    assert "l_elbow" in drives.estimated


def test_talos_holds_six_kilogrammes_with_an_arm_outstretched(
    robot_of: Callable[[str], RobotModel],
) -> None:
    """What Stasse et al. (Humanoids 2017) publish of it."""
    robot = robot_of("talos")
    model, body = DynamicsModel(robot), robot.body
    q = np.array(body.neutral.q)
    shoulder = model.joints.index("arm_left_2_joint")
    q[shoulder] = np.pi / 2.0
    load = model.weight_torques(q, np.array(body.neutral.world_R_base))[shoulder]
    body.kinematics.update(replace(body.neutral, q=q))
    hand, joint = (
        body.kinematics.position(body.kinematics.frame(f"arm_left_{k}_link"))
        for k in (7, 2)
    )
    reach = float(np.linalg.norm((hand - joint)[:2]))
    assert 0.4 < reach < 0.8
    needed = abs(load) + 6.0 * GRAVITY * reach
    assert needed < model.actuators.effort[shoulder]


def test_joints_locked_in_the_body_may_move_here(
    robot_of: Callable[[str], RobotModel],
) -> None:
    robot = robot_of("talos")
    fingers = tuple(robot.spec.locked)
    simulated = build_mujoco(robot, mount="pole", unlocked=fingers)
    assert simulated.joints[-len(fingers) :] == fingers
    assert simulated.model.nu == robot.body.kinematics.n + len(fingers)
    Simulation(simulated).advance(0.01)


@pytest.mark.parametrize("force", [np.nan, 1e300])
def test_physics_without_an_answer_is_an_error_until_a_reset(
    force: float,
    robot_of: Callable[[str], RobotModel],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    simulation = Simulation(build_mujoco(robot_of("g1")))
    world_f = np.array([0.0, force, 0.0, 0.0, 0.0, 0.0])
    simulation.push(Push(world_f=world_f, start=0.01, duration=0.01))
    with pytest.raises(SimulationDiverged, match="the base"):
        simulation.advance(0.1)
    with pytest.raises(SimulationDiverged):
        simulation.advance(0.1)
    assert not list(tmp_path.iterdir())  # MuJoCo's own log file
    simulation.reset()
    simulation.advance(0.1)


def test_a_broken_joint_is_named(robot_of: Callable[[str], RobotModel]) -> None:
    simulation = Simulation(build_mujoco(robot_of("g1")))
    place = simulation.mujoco_model.qpos_of_joints[4]
    simulation.data.qpos[place] = np.nan
    with pytest.raises(SimulationDiverged, match=simulation.mujoco_model.joints[4]):
        simulation.advance(0.01)
