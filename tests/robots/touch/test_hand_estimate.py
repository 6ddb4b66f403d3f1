"""Forces that the arms' torques tell, beside those that the simulator applies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.robots.base import RobotState
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics import reaching_posture
from telexist.robots.mujoco import (
    NO_NOISE,
    Disturbances,
    Push,
    SensorNoise,
    Simulation,
    build_mujoco,
)
from telexist.robots.touch import HandEstimate

RobotOf = Callable[[str], RobotModel]
PERIOD = 0.005  # [s]
START = 1.5  # [s] of the pull


class BentArms:
    """A robot on a pole whose arms are bent and may sway, pulled at its left hand."""

    def __init__(
        self,
        robot: RobotModel,
        force: tuple[float, float, float],
        *,
        friction: float = 0.0,
        noise: SensorNoise = NO_NOISE,
        ramp: float = 0.3,
        up: float = 0.15,
    ) -> None:
        body = robot.body
        body.kinematics.update(body.neutral)
        hands = {
            side: body.kinematics.position(body.kinematics.frame(link))
            for side, link in body.hands.items()
        }
        ahead = body.leg_length * np.array([0.2, 0.0, up])
        goals = {side: place + ahead for side, place in hands.items()}
        self.q = reaching_posture(robot, body.neutral, goals).q
        self.simulation = Simulation(
            build_mujoco(robot, mount="pole"),
            noise=noise,
            disturbances=Disturbances(joint_friction=friction),
        )
        self.simulation.reset(replace(body.neutral, q=self.q))
        world_f = np.concatenate([force, np.zeros(3)])
        self.simulation.push(
            Push(world_f=world_f, start=START, duration=9.0, hand="left", ramp=ramp)
        )
        effort = self.simulation.mujoco_model.actuators.effort
        self.kp, self.estimate = 5.0 * effort, HandEstimate(robot)
        groups = np.array(self.simulation.mujoco_model.actuators.groups)
        self.arms = groups == "arms"
        self.simulation.set_servos(self.q, kp=self.kp, kd=0.1 * self.kp)
        self.simulation.advance(2.0 * PERIOD)  # the first reading is of no torques

    def run(
        self, duration: float, sway: float = 0.0
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return errors and estimates (t, 2, 3), and their deviations (t, 2, 6)."""
        errors, forces, deviations = [], [], []
        rates = np.linspace(0.3, 0.6, len(self.q)) * 2.0 * np.pi
        for k in range(round(duration / PERIOD)):
            swing = np.where(self.arms, sway * np.sin(rates * k * PERIOD), 0.0)
            speed = np.where(self.arms, sway * rates * np.cos(rates * k * PERIOD), 0.0)
            self.simulation.set_servos(
                self.q + swing, kp=self.kp, kd=0.1 * self.kp, dq=speed
            )
            self.simulation.advance(PERIOD)
            true = self.simulation.true_reading().hand_wrenches
            told = self.estimate.step(
                replace(self.simulation.read_state(), hand_wrenches=None)
            )
            assert told.hand_wrenches is not None
            assert told.hand_deviations is not None
            assert true is not None
            errors.append((told.hand_wrenches - true)[:, :3])
            forces.append(told.hand_wrenches[:, :3])
            deviations.append(told.hand_deviations)
        return np.array(errors), np.array(forces), np.array(deviations)


def rms(errors: np.ndarray) -> float:
    """Return the root mean square of the left hand's error after the pull began."""
    late = errors[round((START + 1.0) / PERIOD) :, 0]
    return float(np.sqrt(np.square(late).sum(axis=1).mean()))


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_an_arm_at_rest_tells_a_force_in_any_direction(
    name: str, robot_of: RobotOf
) -> None:
    errors, forces, _ = BentArms(robot_of(name), (8.0, -6.0, 10.0)).run(3.5)
    assert rms(errors) < 1.0
    assert np.linalg.norm(forces[-1, 0]) == pytest.approx(np.sqrt(200.0), rel=0.05)
    assert np.linalg.norm(forces[-1, 1]) < 0.5  # the other hand feels nothing


@pytest.mark.slow
@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_with_friction_and_noise_a_moving_arm_knows_how_far_it_may_be_off(
    name: str, robot_of: RobotOf
) -> None:
    bent = BentArms(robot_of(name), (10.0, 0.0, 8.0), friction=0.5, noise=SensorNoise())
    errors, _, deviations = bent.run(6.0, sway=0.2)
    assert rms(errors) < 6.0
    late = slice(round((START + 1.0) / PERIOD), None)
    scaled = errors[late, 0] / deviations[late, 0, :3]
    assert np.sqrt(np.square(scaled).mean()) < 2.0  # the deviation is honest
    learnt = bent.estimate.friction[bent.arms]
    assert np.median(learnt) == pytest.approx(0.5, abs=0.15)


def test_it_lags_by_the_time_that_it_states(robot_of: RobotOf) -> None:
    bent = BentArms(robot_of("g1"), (0.0, 0.0, 10.0), ramp=0.0)
    _, forces, _ = bent.run(START + 0.4)
    size = np.linalg.norm(forces[:, 0], axis=1)
    reached = np.flatnonzero(size > (1.0 - np.exp(-1.0)) * size[-1])[0] * PERIOD
    assert reached - START == pytest.approx(bent.estimate.lag, abs=0.02)


def test_a_stretched_arm_says_that_it_does_not_know(robot_of: RobotOf) -> None:
    """A force along an arm that hangs loads no joint."""
    robot = robot_of("g1")
    simulation = Simulation(build_mujoco(robot, mount="pole"), noise=NO_NOISE)
    estimate, q = HandEstimate(robot), robot.body.neutral.q
    effort = simulation.mujoco_model.actuators.effort
    simulation.set_servos(q, kp=5.0 * effort, kd=0.5 * effort)
    for _ in range(100):
        simulation.advance(PERIOD)
        told = estimate.step(replace(simulation.read_state(), hand_wrenches=None))
    assert told.hand_deviations is not None
    bent = BentArms(robot, (0.0, 0.0, 0.0))
    _, _, deviations = bent.run(0.5)
    assert told.hand_deviations[0, :3].max() > 2.0 * deviations[-1, 0, :3].max()


def still(robot: RobotModel) -> RobotState:
    """Return a state of a robot at rest."""
    simulation = Simulation(build_mujoco(robot, mount="pole"), noise=NO_NOISE)
    simulation.set_torques(np.full(simulation.n, 0.1))
    simulation.advance(0.01)
    return simulation.read_state()


def test_what_sensors_say_stays_and_what_nobody_says_stays_unknown(
    robot_of: RobotOf,
) -> None:
    robot = robot_of("g1")
    state, estimate = still(robot), HandEstimate(robot)
    assert estimate.step(state) is state
    blind = replace(state, hand_wrenches=None)
    mute = replace(blind, tau=np.zeros_like(blind.tau))
    assert estimate.step(mute) is mute
    broken = replace(blind, tau=np.full_like(blind.tau, np.nan))
    assert estimate.step(broken) is broken
    assert estimate.step(blind).hand_wrenches is not None


def test_a_gap_in_time_begins_anew_and_the_same_state_says_the_same(
    robot_of: RobotOf,
) -> None:
    robot = robot_of("g1")
    state, estimate = replace(still(robot), hand_wrenches=None), HandEstimate(robot)
    for k in range(300):
        told = estimate.step(replace(state, stamp=state.stamp + PERIOD * k))
    again = estimate.step(replace(state, stamp=state.stamp + PERIOD * 299))
    assert told.hand_wrenches is not None
    assert again.hand_wrenches is not None
    assert np.array_equal(told.hand_wrenches, again.hand_wrenches)
    late = estimate.step(replace(state, stamp=state.stamp + 60.0))
    assert late.hand_wrenches is not None
    assert not late.hand_wrenches.any()  # nobody touches in the first moments
