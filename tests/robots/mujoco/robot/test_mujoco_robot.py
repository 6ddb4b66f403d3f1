"""The robot that lives in real time, and its twin that is stepped."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from telexist.retarget.errors import RobotLost, SimulationDiverged
from telexist.robots.base.interface import JointCommand, RobotState
from telexist.robots.description.robot_model import load_robot
from telexist.robots.mujoco.robot.mujoco_robot import MujocoRobot
from telexist.robots.mujoco.robot.stepped_mujoco_robot import SteppedMujocoRobot


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.time = 5.0

    def __call__(self) -> float:
        return self.time


def command(stamp: float, q: np.ndarray) -> JointCommand:
    return JointCommand(stamp=stamp, q=q, dq=np.zeros(len(q)))


def stepped_run(seed: int) -> list[RobotState]:
    clock = Clock()
    robot = SteppedMujocoRobot(load_robot("icub"), now=clock)
    robot.connect()
    rng = np.random.default_rng(seed)
    states = []
    for _ in range(40):
        q = robot.body.neutral.q + 0.05 * rng.normal(size=robot.body.kinematics.n)
        robot.send(command(clock.time, q))
        clock.time += 0.0137
        state = robot.read_state()
        assert state is not None
        states.append(state)
    return states


def test_stepped_runs_are_equal_to_the_last_bit() -> None:
    for one, two in zip(stepped_run(1), stepped_run(1), strict=True):
        assert one.stamp == two.stamp
        assert np.array_equal(one.q, two.q)
        assert np.array_equal(one.tau, two.tau)


def test_stepped_world_stands_still_while_its_clock_does() -> None:
    clock = Clock()
    robot = SteppedMujocoRobot(load_robot("icub"), now=clock)
    robot.connect()
    first, second = robot.read_state(), robot.read_state()
    assert first is not None and second is not None
    assert first.stamp == second.stamp


def test_physics_keeps_pace_with_the_clock() -> None:
    robot = MujocoRobot(load_robot("icub"), now=time.perf_counter, sleep=time.sleep)
    robot.connect()
    try:
        before = robot.read_state()
        assert before is not None
        end = time.monotonic() + 60.0
        while time.monotonic() < end:
            state = robot.read_state()
            assert state is not None
            if state.stamp > before.stamp + 0.5:
                break
            time.sleep(0.01)
        assert state.stamp > before.stamp + 0.5
        assert state.stamp <= time.perf_counter() + 1e-6
    finally:
        robot.disconnect()
    assert robot.read_state() is None
    assert "physics" not in [thread.name for thread in threading.enumerate()]


def test_a_slow_host_skips_time_instead_of_falling_behind() -> None:
    late = threading.Event()

    def sleep(duration: float) -> None:
        time.sleep(duration if late.is_set() else 0.3)
        late.set()

    robot = MujocoRobot(load_robot("icub"), now=time.perf_counter, sleep=sleep)
    robot.connect()
    try:
        end = time.monotonic() + 60.0
        while robot.skipped <= 0.2 and time.monotonic() < end:
            time.sleep(0.01)
        assert robot.skipped > 0.2
        state = robot.read_state()
        assert state is not None
    finally:
        robot.disconnect()


def test_a_breakdown_of_the_physics_is_a_lost_robot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    robot = MujocoRobot(load_robot("icub"), now=time.perf_counter, sleep=time.sleep)
    robot.connect()

    def broken(*_: object, **__: object) -> int:
        raise ValueError("no more")

    monkeypatch.setattr(
        "telexist.robots.mujoco.robot.servo_simulation.ServoSimulation.advance_to",
        broken,
    )
    end = time.monotonic() + 60.0
    while robot.read_state() is not None and time.monotonic() < end:
        time.sleep(0.01)
    with pytest.raises(RobotLost, match="no more"):
        robot.send(command(0.0, robot.body.neutral.q))
    robot.disconnect()


def test_physics_without_an_answer_is_a_lost_robot() -> None:
    clock = Clock()
    robot = SteppedMujocoRobot(load_robot("icub"), now=clock)
    robot.connect()
    assert robot.servos is not None
    robot.servos.simulation.data.qvel[:] = np.nan
    clock.time += 0.01
    with pytest.raises(SimulationDiverged):
        robot.read_state()
    assert issubclass(SimulationDiverged, RobotLost)
