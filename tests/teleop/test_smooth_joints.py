"""Joints of a simulated robot while the session goes from any state to any other.

Time is scripted, so the figures are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from retarget.robot_body import RobotBody
from robots.body import Robot
from robots.interface import JointCommand, RobotFeedback, RobotState
from robots.servo_simulation import ServoSimulation
from teleop.devices.interface import Request
from teleop.settings import EngageSettings, SessionSettings
from teleop.tick import State

SPEED_FACTOR = 1.1  # servos overshoot a speed that was reached with full acceleration
ACCELERATION_FACTOR = 1.8
"""Commands change their acceleration from one turn to the next by up to twice its
bound; servos hear of it a turn later, and make up for the turn that they missed."""
WINDOW = 0.01  # [s] over which an acceleration is measured: two turns of the loop


class MeasuredRobot:
    """A simulated robot of which every step is measured, in time that a test gives."""

    def __init__(self, robot: Robot) -> None:
        self.body = robot.body
        mount = "fixed" if robot.body.fixed_base else "pole"
        self._servos = ServoSimulation(robot, mount=mount)
        model = self._servos.simulation.mujoco_model
        self._dofs = model.dof_of_joints[: robot.body.kinematics.n]
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


def _play(bench: Any, seconds: float) -> None:
    """Let the operator move, seen at the clip's own rate."""
    for _ in range(round(seconds / 0.005)):
        frame = bench.frame()
        now = int(bench.now * bench.clip.rate)
        before = int((bench.now - 0.005) * bench.clip.rate)
        bench.give(frame if now != before else None)


def _ask(bench: Any, request: Request, seconds: float) -> None:
    bench.give(None, request)
    _play(bench, seconds)


def _go_through_all_states(bench: Any) -> None:
    """Engage while the operator moves fast, hold, engage, stop, reset, engage."""
    bench.calibrate()
    bench.now += 4.0  # the operator waves
    _play(bench, 0.1)
    for _ in range(2):
        _ask(bench, Request.ENGAGE, 1.5)
        _ask(bench, Request.HOLD, 0.4)
        _ask(bench, Request.ENGAGE, 0.15)  # on the way
        _ask(bench, Request.HOLD, 0.03)  # not yet at rest
        _ask(bench, Request.ENGAGE, 1.2)
        bench.silence(0.5)
        _play(bench, 0.1)
        _ask(bench, Request.ENGAGE, 1.0)
        _ask(bench, Request.STOP, 0.05)  # still moving
        _ask(bench, Request.RESET, 0.01)
        _ask(bench, Request.ENGAGE, 1.0)
        _ask(bench, Request.STOP, 0.5)
        _ask(bench, Request.RESET, 0.2)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["icub", "g1"])
def test_joints_stay_within_their_bounds_from_any_state_to_any(
    name: str,
    robot_of: Callable[[str], Robot],
    make_bench: Callable[[RobotBody, SessionSettings], Any],
) -> None:
    settings = SessionSettings(
        engage=EngageSettings(approach=0.4, approach_speed=1.0)
    ).never_frozen()
    robot = robot_of(name)
    bench = make_bench(robot.body, settings)
    bench.robot = bench.loop.link.robot = MeasuredRobot(robot)
    _go_through_all_states(bench)
    visited = {tick.state for tick in bench.ticks}
    assert visited >= set(State) - {State.IDLE}
    bench.require_bounds()
    bounds = bench.loop.reference.bounds
    dq = np.array(bench.robot.dq)
    steps = round(WINDOW / bench.robot.timestep)
    ddq = (dq[steps:] - dq[:-steps]) / (steps * bench.robot.timestep)
    fast = np.abs(dq).max(axis=0) / bounds.velocity
    hard = np.abs(ddq).max(axis=0) / bounds.acceleration
    joints = robot.body.kinematics.joints
    assert fast.max() > 0.3, "nothing moved"
    assert fast.max() <= SPEED_FACTOR, joints[int(fast.argmax())]
    assert hard.max() <= ACCELERATION_FACTOR, joints[int(hard.argmax())]
