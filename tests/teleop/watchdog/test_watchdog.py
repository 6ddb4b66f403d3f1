"""The watchdog: real processes, and a loop that dies."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from telexist.robots.base.interface import JointCommand
from telexist.robots.description.robot_model import load_robot
from telexist.robots.mujoco.robot.mujoco_robot import MujocoRobot
from telexist.teleop import clock
from telexist.teleop.watchdog.watchdog import FIRST_TURNS, Watchdog

PATIENCE = 60.0  # [s]
DEADLINE = 0.3  # [s]


def wait_for(condition: Callable[[], bool], meanwhile: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        meanwhile()
        time.sleep(0.005)


class Driven:
    """A robot whose left elbow swings, as a loop would have it."""

    def __init__(self) -> None:
        self.robot = MujocoRobot(load_robot("icub"), now=clock.now, sleep=clock.sleep)
        self.robot.connect()
        self.watchdog = Watchdog(self.robot, deadline=DEADLINE)
        self.watchdog.start()
        self.joint = self.robot.body.kinematics.index("l_elbow")

    def command(self, *, beating: bool = True) -> None:
        now = clock.now()
        q = np.array(self.robot.body.neutral.q)
        dq = np.zeros(len(q))
        q[self.joint] += 0.4 * np.sin(4.0 * now)
        dq[self.joint] = 1.6 * np.cos(4.0 * now)
        self.robot.send(JointCommand(stamp=now, q=q, dq=dq))
        if beating:
            self.watchdog.beat(now)

    def speed(self) -> float:
        state = self.robot.read_state()
        assert state is not None
        return float(np.abs(state.dq).max())

    def close(self) -> None:
        self.watchdog.stop()
        self.robot.disconnect()


@pytest.fixture
def driven() -> Iterator[Driven]:
    driven = Driven()
    guarded = time.monotonic() + FIRST_TURNS + DEADLINE
    wait_for(lambda: time.monotonic() > guarded, driven.command)
    wait_for(lambda: driven.speed() > 1.0, driven.command)
    yield driven
    driven.close()


def test_a_silent_loop_loses_the_robot_until_it_is_given_back(driven: Driven) -> None:
    link = driven.robot.safety_link()
    # it goes on commanding, but no longer turns as it should
    wait_for(lambda: link.seized, lambda: driven.command(beating=False))
    still: list[bool] = []  # for a while: it also rests where it turns round

    def resting() -> bool:
        still.append(driven.speed() < 1e-3)
        return len(still) > 60 and all(still[-60:])

    wait_for(resting, lambda: driven.command(beating=False))
    state = driven.robot.read_state()
    assert state is not None
    for _ in range(40):
        driven.command()
        time.sleep(0.005)
    assert "silent for" in driven.watchdog.took
    held = driven.robot.read_state()
    assert held is not None
    np.testing.assert_allclose(held.q, state.q, atol=1e-3)
    driven.watchdog.release(clock.now())
    wait_for(lambda: driven.speed() > 1.0, driven.command)
    assert driven.watchdog.took == ""


def test_while_the_loop_turns_nobody_takes_the_robot(driven: Driven) -> None:
    end = time.monotonic() + 3.0 * DEADLINE
    wait_for(lambda: time.monotonic() > end, driven.command)
    assert driven.watchdog.took == driven.watchdog.problem == ""


def test_a_watchdog_that_died_is_told(driven: Driven) -> None:
    assert driven.watchdog.process_id is not None
    os.kill(driven.watchdog.process_id, signal.SIGKILL)
    wait_for(lambda: driven.watchdog.problem != "", driven.command)
