from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.so3 import exp_so3
from telexist.robots.base.interface import RobotState
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.drives.actuators import GRAVITY
from telexist.robots.dynamics.dynamics_model import BodyState, DynamicsModel
from telexist.robots.mujoco.push import Push
from telexist.teleop.controllers.parameters.sensing_parameters import SensingParameters
from telexist.teleop.controllers.sensing.push_estimate import PushEstimate

DT = 0.005  # [s]
USUAL = SensingParameters()
QUIET = 0.5 * USUAL.push_least  # what noise of the sensors may amount to, body weights
EXACT = 1e-6  # body weights: one linear system against another


class Free:
    """A robot in the air, and what its sensors feel when it is pushed at the base."""

    def __init__(self, robot: RobotModel, turn: float = 0.0) -> None:
        self.model, body = DynamicsModel(robot), robot.body
        self.R = exp_so3(np.array([0.1, -0.2, turn])) @ body.neutral.world_R_base
        n = self.model.n
        self.model.update(
            BodyState(
                world_p_base=np.zeros(3),
                world_R_base=np.array(self.R, order="C"),
                q=np.array(body.neutral.q),
                world_v_base=np.zeros(3),
                world_w_base=np.zeros(3),
                dq=np.zeros(n),
            )
        )
        self.weight = self.model.mass * GRAVITY
        self.estimate = PushEstimate(self.model)

    def reading(self, push: object, wrenches: np.ndarray) -> RobotState:
        """Return what follows from the equations of motion without any torque.

        Args:
            push: Force at the base link's centre of mass, body weights (3,).
            wrenches: On the soles, world axes (2, 6) [N], [N m].
        """
        model, force = self.model, np.array(push) * self.weight
        lever = self.R @ model.base_p_mass
        applied = -model.h
        applied[:3] += force
        applied[3:6] += np.cross(lever, force)
        for J, f in zip(model.sole_J, wrenches, strict=True):
            applied += J.T @ f
        acceleration = np.linalg.solve(model.M, applied)
        felt = [
            np.concatenate([R.T @ f[:3], R.T @ f[3:]])
            for R, f in zip(model.sole_R, wrenches, strict=True)
        ]
        return RobotState(
            stamp=0.0,
            q=np.zeros(model.n),
            dq=np.zeros(model.n),
            tau=np.zeros(model.n),
            imu_acceleration=self.R.T @ (acceleration[:3] + [0.0, 0.0, GRAVITY]),
            imu_angular_velocity=np.zeros(3),
            imu_world_R_base=self.R,
            foot_wrenches=np.array(felt),
        )

    def expect(self, wrenches: np.ndarray) -> None:
        """Tell the estimate what would happen without a push."""
        still = self.reading(np.zeros(3), wrenches).imu_acceleration
        self.estimate.expect(self.R @ still - [0.0, 0.0, GRAVITY], wrenches)

    def after(self, state: RobotState, time: float) -> np.ndarray:
        for _ in range(round(time / DT)):
            self.estimate.step(state, np.array(self.R, order="C"), DT)
        return self.estimate.value


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
@pytest.mark.parametrize("turn", [0.0, 2.0])
def test_a_push_is_what_the_equations_of_motion_need(
    name: str, turn: float, robot_of: Callable[[str], RobotModel]
) -> None:
    """Forward dynamics with random forces under the feet is undone."""
    free, rng = Free(robot_of(name), turn), np.random.default_rng(1)
    for _ in range(5):
        push = np.array([*rng.uniform(-0.6, 0.6, 2), rng.uniform(-0.1, 0.1)])
        asked = rng.normal(size=(2, 6)) * 0.1 * free.weight
        given = asked + rng.normal(size=(2, 6)) * 0.005 * free.weight
        free.expect(asked)
        state = free.reading(push, given)
        found = free.estimate._unexplained(
            np.array(free.R, order="C"), state.imu_acceleration, state.foot_wrenches
        )
        assert np.allclose(found, push[:2], atol=EXACT)


def test_what_was_asked_for_is_no_push(robot_of: Callable[[str], RobotModel]) -> None:
    free = Free(robot_of("icub"))
    wrenches = np.full((2, 6), 0.3 * free.weight)
    free.expect(wrenches)
    assert not free.after(free.reading(np.zeros(3), wrenches), 0.1).any()


def test_noise_is_no_push_and_what_is_sure_counts_in_full(
    robot_of: Callable[[str], RobotModel],
) -> None:
    free, none = Free(robot_of("icub")), np.zeros((2, 6))
    free.expect(none)
    assert not free.after(
        free.reading((0.9 * USUAL.push_least, 0.0, 0.0), none), 1.0
    ).any()
    found = free.after(free.reading((0.0, 1.2 * USUAL.push_sure, 0.0), none), 0.05)
    assert np.allclose(found, [0.0, 1.2 * USUAL.push_sure], atol=0.05)


def test_what_lasts_is_no_push_for_long(robot_of: Callable[[str], RobotModel]) -> None:
    free, none = Free(robot_of("icub")), np.zeros((2, 6))
    free.expect(none)
    leaning = free.reading((0.0, 0.4, 0.0), none)
    assert free.after(leaning, 0.1)[1] > 0.3
    assert not free.after(leaning, 3.0 * USUAL.push_lasting).any()


def test_soles_that_feel_what_is_not_there_are_no_push(
    robot_of: Callable[[str], RobotModel],
) -> None:
    free, none = Free(robot_of("icub")), np.zeros((2, 6))
    free.expect(none)
    still = free.reading(np.zeros(3), none)
    lie = np.array([[0.0, 0.4, 0.5, 0.0, 0.0, 0.0], [0.0, 0.0, 0.5, 0.0, 0.0, 0.0]])
    wrong = replace(still, foot_wrenches=lie * free.weight)
    assert not free.after(wrong, 0.1).any()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
@pytest.mark.parametrize("direction", [(0.0, 0.4), (-0.25, 0.0)])
def test_a_simulated_push_is_felt_in_time_and_as_great_as_it_is(
    name: str, direction: tuple[float, float], world: Callable
) -> None:
    w = world(name)
    force = np.array([*direction, 0.0, 0.0, 0.0, 0.0]) * w.controller.qp.weight
    w.simulation.push(Push(world_f=force, start=1.0, duration=0.2))
    w.run(1.0)
    assert not w.controller.push.value.any()
    w.run(0.03)
    assert np.linalg.norm(w.controller.push.value) > 0.5 * np.linalg.norm(direction)
    felt = []
    for _ in range(30):
        w.run(w.controller.period)
        felt.append(w.controller.push.value)
    assert np.allclose(np.mean(felt, axis=0), direction, atol=0.1)
    w.run(0.08)
    assert np.linalg.norm(w.controller.push.value) < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_arms_that_swing_fast_are_no_push(
    name: str, world: Callable, robot_of: Callable[[str], RobotModel]
) -> None:
    w = world(name)
    arms = np.array([g == "arms" for g in w.controller.model.actuators.groups])
    start, rate = w.controller.posture.q, 2.0 * np.pi  # [rad/s]
    body = robot_of(name).body
    size = np.where(arms, np.minimum(0.3, 0.5 * (body.upper - body.lower)), 0.0)
    way = np.where(start + size > body.upper, -size, size)
    for i in range(600):
        t = i * w.controller.period
        c, d = np.cos(rate * t), np.sin(rate * t)
        q, dq, ddq = (
            0.5 * way * (1.0 - c),
            0.5 * way * rate * d,
            0.5 * way * rate**2 * c,
        )
        w.run(w.controller.period, q=start + q, dq=dq, ddq=ddq)
        if i > 40:  # they start with a jerk
            assert np.linalg.norm(w.controller.push.value) < QUIET
    assert w.controller.mode == "standing"
