"""The simulated drives: tracking, hands, limits and the watchdog on torques."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from telexist.retarget.errors import ModelNotFound
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.smoothing import MinimumJerkFilter, minimum_jerk
from telexist.robots.base.interface import HandCommand, JointCommand
from telexist.robots.description.robot_model import RobotModel, load_robot
from telexist.robots.drives.grips import grip_joints
from telexist.robots.drives.set_points import PERIODS_LATE
from telexist.robots.mujoco.robot.servo_simulation import (
    TORQUE_DEADLINE,
    ServoSimulation,
)
from telexist.robots.mujoco.robot.servos import (
    FREQUENCY,
    FULL_EFFORT_ERROR,
    servo_gains,
)
from telexist.robots.mujoco.sensors import SensorNoise

RATE = 200.0  # [Hz] of commands
STEP = 1.0 / (4.0 * RATE)  # of the way to the first posture, which takes 4 s
TRACKING = 0.02  # [rad] that servos may miss a smoothed motion by
STILL = 1e-4  # [rad/s] of joints that nothing but rounding moves
DELAY = round(PERIODS_LATE)  # commands between one and its being reached


def robot_called(name: str) -> RobotModel:
    try:
        return load_robot(name)
    except ModelNotFound:
        pytest.skip(f"the model of {name} is not on this machine")


def command(robot: RobotModel, stamp: float, **change: object) -> JointCommand:
    n = robot.body.kinematics.n
    values = {"q": robot.body.neutral.q, "dq": np.zeros(n)} | change
    return JointCommand(stamp=stamp, **values)  # type: ignore[arg-type]


def largest_error(
    robot: RobotModel, *, start: float, end: float, speed: float
) -> float:
    """Return how far the joints are from a smoothed motion, at worst [rad].

    Servos follow on purpose with a delay, so that they know where commands go.
    """
    clip = builtin_clip(rate=RATE / speed)
    frames = [frame for frame in clip.frames() if start <= frame.stamp < end]
    retargeter = Retargeter(robot.body, clip.size)
    servos = ServoSimulation(robot)
    smoother = MinimumJerkFilter(np.full(robot.body.kinematics.n, 0.3))
    smoother.reset(robot.body.neutral.q)
    servos.advance_to(0.0)
    first, neutral = retargeter.step(frames[0]).q, robot.body.neutral.q
    way = [neutral + s * (first - neutral) for s in minimum_jerk(np.arange(0, 1, STEP))]
    goals = [*way, *(retargeter.step(frame).q for frame in frames[1:])]
    worst, due = 0.0, deque([smoother.x.copy()] * DELAY, maxlen=DELAY)
    for k, goal in enumerate(goals):
        now = k / RATE
        servos.advance_to(now)
        q = smoother.step(goal, 1.0 / RATE).copy()
        worst = max(worst, float(np.abs(servos.read_state().q - due[0]).max()))
        due.append(q)
        servos.command(command(robot, now, q=q, dq=smoother.dx.copy()))
    return worst


@pytest.mark.parametrize("name", ["icub", "g1"])
def test_servos_follow_a_smoothed_motion(name: str) -> None:
    robot = robot_called(name)
    assert largest_error(robot, start=4.0, end=6.0, speed=1.0) < TRACKING


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "speed"), [("icub", 1.0), ("g1", 1.0), ("talos", 0.4), ("baxter", 0.5)]
)
def test_servos_follow_a_long_motion(name: str, speed: float) -> None:
    """Slower where the motion asks for more torque than the robot has."""
    robot = robot_called(name)
    assert largest_error(robot, start=0.0, end=10.0, speed=speed) < TRACKING


def test_gains_follow_the_stated_rule() -> None:
    simulation = ServoSimulation(robot_called("icub")).simulation
    gains = servo_gains(simulation.mujoco_model)
    drives = simulation.mujoco_model.actuators
    assert np.all(gains.kp > 0.0)
    assert np.all(gains.kp * FULL_EFFORT_ERROR <= drives.effort + 1e-9)
    free = gains.kp * FULL_EFFORT_ERROR < 0.99 * drives.effort
    assert free.any()
    inertia = gains.kp[free] / FREQUENCY**2
    damping = gains.kd[free] + drives.damping[free]
    assert damping == pytest.approx(2.0 * np.sqrt(gains.kp[free] * inertia))


def test_a_still_robot_stays_at_its_command_to_rounding() -> None:
    robot = robot_called("icub")
    servos = ServoSimulation(robot)
    servos.advance_to(10.0)
    servos.advance_to(12.0)
    state = servos.read_state()
    assert np.abs(state.q - robot.body.neutral.q).max() < 1e-6
    assert state.stamp == pytest.approx(12.0, abs=0.003)
    assert np.abs(state.tau).max() > 1.0  # its torque sensors feel its weight


def test_noise_hides_the_base_of_a_free_robot_only() -> None:
    robot = robot_called("icub")
    bolted = ServoSimulation(robot, noise=SensorNoise()).read_state()
    free = ServoSimulation(robot, mount="free", noise=SensorNoise()).read_state()
    assert bolted.world_p_base is not None
    assert free.world_p_base is None


def test_time_that_cannot_be_caught_up_is_skipped_and_counted() -> None:
    servos = ServoSimulation(robot_called("icub"))
    servos.advance_to(0.0)
    steps = servos.advance_to(1.0, most=0.05)
    assert steps * servos.simulation.timestep == pytest.approx(0.05, abs=0.003)
    assert servos.skipped == pytest.approx(0.95, abs=0.003)
    assert servos.read_state().stamp == pytest.approx(1.0, abs=0.003)


def test_old_torques_turn_into_damping() -> None:
    robot = robot_called("icub")
    servos = ServoSimulation(robot)
    servos.advance_to(0.0)
    elbow = robot.body.kinematics.index("l_elbow")
    tau = np.zeros(robot.body.kinematics.n)
    tau[elbow] = 0.5
    servos.command(command(robot, 0.0, tau=tau))
    servos.advance_to(0.8 * TORQUE_DEADLINE)
    moving = servos.read_state().dq[elbow]
    servos.advance_to(TORQUE_DEADLINE + 0.5)
    assert moving > 0.1
    assert abs(servos.read_state().dq[elbow]) < 0.05 * moving


@pytest.mark.parametrize("name", ["g1_hands", "talos"])
def test_hands_close_and_open_at_a_bounded_speed(name: str) -> None:
    robot = robot_called(name)
    servos = ServoSimulation(robot)
    servos.advance_to(0.0)
    model = servos.simulation.mujoco_model
    fingers = model.qpos_of_joints[robot.body.kinematics.n :]
    assert model.joints[robot.body.kinematics.n :] == grip_joints(robot)
    servos.command(command(robot, 0.0, hands=HandCommand(left=1.0)))
    seen = []
    for k in range(1, 401):
        servos.advance_to(k * 0.01)
        seen.append(servos.simulation.data.qpos[fingers].copy())
    grips = robot.spec.grips
    left = np.array([ends[1] for ends in grips["left"].values()])
    right = np.array([ends[0] for ends in grips["right"].values()])
    assert np.abs(seen[-1] - np.concatenate([left, right])).max() < 0.01
    limits = [
        robot.urdf.joints[j].limits.velocity or np.inf for j in grip_joints(robot)
    ]
    speeds = np.abs(np.diff(seen, axis=0)).max(axis=0) / 0.01
    assert np.all(speeds < 1.2 * np.minimum(np.array(limits), 5.0))
    servos.command(command(robot, 4.0, hands=HandCommand(left=0.5)))
    servos.advance_to(8.0)
    assert servos.hands.left == pytest.approx(0.5)


def test_fingers_of_the_physics_go_where_each_is_told() -> None:
    robot = robot_called("g1_hands")
    servos = ServoSimulation(robot)
    servos.advance_to(0.0)
    joints = grip_joints(robot)
    limits = [robot.urdf.joints[joint].limits for joint in joints]
    share = np.linspace(0.1, 0.9, len(joints))
    told = np.array([k.lower for k in limits])
    told = told + share * (np.array([k.upper for k in limits]) - told)
    servos.command(command(robot, 0.0, hands=HandCommand(fingers=told)))
    servos.advance_to(2.0)
    places = servos.simulation.mujoco_model.qpos_of_joints[robot.body.kinematics.n :]
    assert servos.simulation.data.qpos[places] == pytest.approx(told, abs=0.01)


@pytest.mark.parametrize("name", ["g1_hands", "talos"])
def test_hands_that_open_and_close_do_not_move_the_arms(name: str) -> None:
    robot = robot_called(name)
    servos = ServoSimulation(robot)
    servos.advance_to(0.0)
    worst = 0.0
    for k in range(400):
        hands = HandCommand(left=float(k % 80 < 40), right=float(k % 50 < 20))
        servos.command(command(robot, k / RATE, hands=hands))
        servos.advance_to((k + 1) / RATE)
        worst = max(worst, float(np.abs(servos.read_state().dq).max()))
    assert 0.0 < servos.hands.left < 1.0
    assert worst < STILL
