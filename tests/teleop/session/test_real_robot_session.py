"""A session with a robot that needs arming: confirmed, slow at first, given back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.errors import RobotLost
from telexist.robots.base import Check
from telexist.robots.description import RobotModel
from telexist.robots.yarp.simulated import SimulatedYarpRobot, load_table
from telexist.teleop.session import Session, SessionPlan
from telexist.teleop.settings import (
    EngageSettings,
    LoopSettings,
    SafetySettings,
    SessionSettings,
)
from telexist.teleop.terms import State, Tick

SETTINGS = SessionSettings(
    loop=LoopSettings(real_time=False),
    engage=EngageSettings(approach=0.5),
    # a busy machine is slow, which is no fault here
    safety=SafetySettings(deadline=30.0, stalled=30.0, robot_deadline=30.0),
)
LONG = 600.0  # [s]


@pytest.fixture
def boards() -> Iterator[SimulatedYarpRobot]:
    robot = SimulatedYarpRobot(load_table("icub"), now=time.time, keep=True)
    robot.open()
    yield robot
    robot.close()


class Watcher:
    """A sink that ends the session once the robot moved, or fell silent and woke."""

    def __init__(self, boards: SimulatedYarpRobot) -> None:
        self.boards = boards
        self.states: list[State] = []
        self.moved_at: float | None = None
        self.end: Callable[[float], None] = lambda after: None
        self.first: np.ndarray | None = None

    def put(self, tick: Tick) -> None:
        self.states.append(tick.state)
        if tick.robot is None:
            return
        if self.first is None:
            self.first = np.array(tick.robot.q)
        if np.abs(tick.robot.q - self.first).max() > np.radians(1.0):
            self.end(0.0)

    def close(self) -> None:
        """Nothing to finish."""


@pytest.mark.slow
def test_a_robot_moves_only_after_it_was_confirmed_slowly_and_is_given_back(
    robot_of: Callable[[str], RobotModel], boards: SimulatedYarpRobot
) -> None:
    robot_of("icub")
    host, port = boards.place
    plan = SessionPlan(
        backend=f"yarp:{host}:{port}?ack=2", engage=True, settings=SETTINGS
    )
    seen: list[Check] = []

    def refuse(checks: list[Check]) -> bool:
        seen.extend(checks)
        return False

    with pytest.raises(RobotLost, match="nobody confirmed"):
        Session(plan).open(refuse)
    assert {"limits", "modes and faults", "pose", "clocks"} <= {c.what for c in seen}
    assert not any(board.received for board in boards.boards.values())
    boards.boards["head"].motion.modes[2] = "hwfa"
    with pytest.raises(RobotLost, match="neck_yaw is in hwfa"):
        Session(plan).open(lambda checks: True)
    boards.boards["head"].motion.set_mode(2, "fidl")
    watcher = Watcher(boards)
    session = Session(replace(plan, duration=LONG), [watcher])
    watcher.end = session.loop.stop_soon
    session.open(lambda checks: all(check.well for check in checks))
    session.run(LONG)
    assert State.ENGAGING in watcher.states
    for board in boards.boards.values():
        assert len(board.received) > 5
        assert set(board.motion.modes) == {"pos"}
        times = [t for t, _ in board.received]
        passed = times[-1] - times[0]
        rest = [min(max(0.0, a.lower), a.upper) for a in board.table.axes]
        way = np.abs(np.subtract(board.motion.measure(), rest)).max()
        assert way <= 10.0 * passed + 1.0  # a tenth of 100 deg/s
