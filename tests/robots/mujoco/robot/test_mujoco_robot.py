"""The robot that lives in real time, and its twin that is stepped."""

from __future__ import annotations

import dataclasses
import os
import signal
import time
from collections.abc import Callable, Iterator

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


PATIENCE = 60.0  # [s]


@pytest.fixture
def live() -> Iterator[MujocoRobot]:
    robot = MujocoRobot(load_robot("icub"), now=time.perf_counter, sleep=time.sleep)
    robot.connect()
    yield robot
    robot.disconnect()


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def newest(robot: MujocoRobot) -> float:
    state = robot.read_state()
    assert state is not None
    return state.stamp


def test_physics_keeps_pace_with_the_clock(live: MujocoRobot) -> None:
    before = newest(live)
    wait_for(lambda: newest(live) > before + 0.5)
    assert newest(live) <= time.perf_counter() + 1e-6
    process = live.process_id
    assert process is not None
    live.disconnect()
    assert live.read_state() is None
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_the_interpreter_that_commands_it_does_not_hold_it_up(
    live: MujocoRobot,
) -> None:
    deaf, began, skipped = [0.0], time.perf_counter(), live.skipped
    while time.perf_counter() < began + 0.5:  # never lets go of the interpreter
        deaf = sorted(deaf * 50)[:1000]
    assert newest(live) > began + 0.3
    assert live.skipped - skipped < 0.3


def test_a_frozen_host_skips_time_instead_of_falling_behind(live: MujocoRobot) -> None:
    assert live.process_id is not None
    os.kill(live.process_id, signal.SIGSTOP)
    time.sleep(0.3)
    os.kill(live.process_id, signal.SIGCONT)
    wait_for(lambda: live.skipped > 0.2)
    stopped = newest(live)
    wait_for(lambda: newest(live) > stopped)


def test_a_breakdown_of_the_physics_is_a_lost_robot(live: MujocoRobot) -> None:
    posture = live.body.neutral
    nan = np.full(len(posture.q), np.nan)
    live.stand_up(dataclasses.replace(posture, q=nan))
    wait_for(lambda: live.read_state() is None)
    with pytest.raises(RobotLost, match="gone"):
        live.send(command(0.0, posture.q))


def test_a_process_that_was_killed_is_a_lost_robot(live: MujocoRobot) -> None:
    process = live.process_id
    assert process is not None
    os.kill(process, signal.SIGKILL)

    def lost() -> bool:
        try:
            live.send(command(0.0, live.body.neutral.q))
        except RobotLost as error:
            return "has ended" in str(error)
        return False

    wait_for(lost)


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
