"""Joints of a simulated robot while the session goes from any state to any other.

Its hands open and close all the while. Time is scripted, so the figures are the same on
every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from telexist.robots.base.interface import (
    HandCommand,
    JointCommand,
    RobotFeedback,
    RobotState,
)
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.drives.grips import grip_joints
from telexist.robots.mujoco.drive_accelerations import drive_bounds
from telexist.robots.mujoco.robot.servo_simulation import ServoSimulation
from telexist.teleop.settings.settings import EngageSettings, SessionSettings
from telexist.teleop.terms.device_sample import DeviceSample
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.tick import State

PERIOD = 0.005  # [s]
SPEED = 1.001  # of the bound; speeds are MuJoCo's own, at every step of the physics
ACCELERATION = 1.005  # of the bound
"""Between two steps of the physics, 2.5 ms: there is no finer measure, and no window
that would hide a peak. Servos know the model, so little more than rounding is left."""


class MeasuredRobot:
    """A simulated robot of which every step is measured, in time that a test gives."""

    def __init__(self, robot: RobotModel) -> None:
        self.body = robot.body
        mount = "fixed" if robot.body.fixed_base else "pole"
        self._servos = ServoSimulation(robot, mount=mount)
        model = self._servos.simulation.mujoco_model
        self._dofs = model.dof_of_joints
        self.stamp = 0.0
        self._time: float | None = None
        self.sent: list[JointCommand] = []
        self.dq: list[np.ndarray] = []
        self.timestep = self._servos.simulation.timestep

    def connect(self) -> None:
        """Nothing to reach."""

    def read_state(self) -> RobotState:
        if self._time is None:
            self._time = self.stamp
            self._servos.advance_to(self._time)
        while self._time + self.timestep <= self.stamp + 1e-9:
            self._time += self.timestep
            self._servos.advance_to(self._time)
            self.dq.append(self._servos.simulation.data.qvel[self._dofs].copy())
        return self._servos.read_state()

    @property
    def q(self) -> np.ndarray:
        return self._servos.read_state().q

    def send(self, command: JointCommand) -> JointCommand:
        self.sent.append(command)
        self._servos.command(command)
        return command

    def read_feedback(self) -> RobotFeedback | None:
        return None

    def disconnect(self) -> None:
        """Nothing to let go."""


def _play(bench: Any, seconds: float, turns: Callable[[], float]) -> None:
    """Let the operator move, seen at the clip's own rate."""
    end = bench.now + seconds
    before = -1
    while bench.now < end:
        frame, now = bench.frame(), int(bench.now * bench.clip.rate)
        bench.device.sample = DeviceSample(
            stamp=bench.now,
            human=frame if now != before else None,
            hands=_hands(bench.now),
        )
        bench.turn(turns())
        before = now


def _hands(now: float) -> HandCommand:
    """Open and close: the left hand often before it gets there, the right half-way."""
    return HandCommand(
        left=float(now % 0.7 < 0.3), right=(0.0, 1.0, 0.4)[int(now / 0.9) % 3]
    )


def _even() -> float:
    return PERIOD


class UnevenTurns:
    """Turns as samples wake the loop, some of them late, a few far too late."""

    def __init__(self) -> None:
        self._rng = np.random.default_rng(7)

    def __call__(self) -> float:
        kind = self._rng.random()
        if kind < 0.01:
            return float(self._rng.uniform(0.02, 0.12))
        if kind < 0.1:
            return float(self._rng.uniform(PERIOD, 0.02))
        return float(self._rng.uniform(0.0005, PERIOD))


def _go_through_all_states(bench: Any, turns: Callable[[], float]) -> None:
    """Engage while the operator moves fast, hold, engage, stop, reset, engage."""

    def ask(request: Request, seconds: float) -> None:
        bench.give(None, request)
        _play(bench, seconds, turns)

    bench.calibrate()
    bench.now += 4.0  # the operator waves
    _play(bench, 0.1, turns)
    for _ in range(2):
        ask(Request.ENGAGE, 1.5)
        ask(Request.HOLD, 0.4)
        ask(Request.ENGAGE, 0.15)  # on the way
        ask(Request.HOLD, 0.03)  # not yet at rest
        ask(Request.ENGAGE, 1.2)
        bench.silence(0.5)
        _play(bench, 0.1, turns)
        ask(Request.ENGAGE, 1.0)
        ask(Request.STOP, 0.05)  # still moving
        ask(Request.RESET, 0.01)
        ask(Request.ENGAGE, 1.0)
        ask(Request.STOP, 0.5)
        ask(Request.RESET, 0.2)


def _finger_bounds(robot: RobotModel) -> tuple[np.ndarray, np.ndarray]:
    """Return the speeds of the fingers' model, and accelerations by the usual rule."""
    limits = [robot.urdf.joints[joint].limits for joint in grip_joints(robot)]
    velocity = np.array([limit.velocity or 20.0 for limit in limits])
    return velocity, np.minimum(10.0 * velocity, 100.0)


@pytest.mark.slow
@pytest.mark.parametrize("turns", [_even, UnevenTurns()], ids=["even", "uneven"])
@pytest.mark.parametrize("name", ["icub", "g1", "g1_hands", "talos", "nao", "baxter"])
def test_joints_stay_within_their_bounds_from_any_state_to_any(
    name: str,
    turns: Callable[[], float],
    robot_of: Callable[[str], RobotModel],
    make_bench: Callable[..., Any],
) -> None:
    settings = SessionSettings(
        engage=EngageSettings(approach=0.4, approach_speed=1.0)
    ).never_frozen()
    robot = robot_of(name)
    bounds = drive_bounds(robot)
    bench = make_bench(robot.body, settings, bounds)
    bench.robot = bench.loop.link.robot = MeasuredRobot(robot)
    _go_through_all_states(bench, turns)
    visited = {tick.state for tick in bench.ticks}
    assert visited >= set(State) - {State.IDLE}
    bench.require_bounds()
    dq, fingers = np.array(bench.robot.dq), _finger_bounds(robot)
    fast = np.abs(dq).max(axis=0) / np.concatenate([bounds.velocity, fingers[0]])
    ddq = np.diff(dq, axis=0) / bench.robot.timestep
    most = np.concatenate([bounds.acceleration, fingers[1]])
    hard = np.abs(ddq).max(axis=0) / most
    joints = (*robot.body.kinematics.joints, *grip_joints(robot))
    assert fast.max() > 0.3, "nothing moved"
    assert hard.max() > 0.8, "nothing was asked of the drives"
    assert fast.max() <= SPEED, joints[int(fast.argmax())]
    assert hard.max() <= ACCELERATION, joints[int(hard.argmax())]
