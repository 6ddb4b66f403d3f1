"""A simulated iCub behind YARP, and what drives it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from telexist.robots.base import JointCommand
from telexist.robots.description import RobotModel
from telexist.robots.yarp.robot import YarpRobot
from telexist.robots.yarp.simulated import SimulatedYarpRobot, load_table
from telexist.robots.yarp.wire import YARP_3, Dialect

PATIENCE = 60.0  # [s]
PATIENT = "ack=2"  # a busy machine is no frozen board


@dataclass
class Rig:
    """A simulated robot and ours that drives it."""

    simulated: SimulatedYarpRobot
    robot: YarpRobot

    def send(self, q: np.ndarray) -> JointCommand:
        now = time.perf_counter()
        return self.robot.send(JointCommand(stamp=now, q=q, dq=np.zeros_like(q)))

    def pose(self) -> np.ndarray:
        state = self.robot.read_state()
        assert state is not None
        return np.array(state.q)

    @staticmethod
    def wait_for(what: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        while not what():
            assert time.monotonic() < end, "it never came"
            time.sleep(0.005)


MakeRig = Callable[..., Rig]


@pytest.fixture
def rig(robot_of: Callable[[str], RobotModel]) -> Iterator[MakeRig]:
    made: list[Rig] = []

    def make(
        options: str = PATIENT,
        *,
        table: str = "icub",
        dialect: Dialect = YARP_3,
        parts: tuple[str, ...] = (),
        prepare: Callable[[SimulatedYarpRobot], None] | None = None,
    ) -> Rig:
        simulated = SimulatedYarpRobot(
            load_table(table), now=time.time, dialect=dialect, parts=parts, keep=True
        )
        simulated.open()
        if prepare is not None:
            prepare(simulated)
        host, port = simulated.place
        if parts:
            options += f"&parts={','.join(parts)}"
        robot = YarpRobot(
            robot_of("icub"), now=time.perf_counter, place=f"{host}:{port}?{options}"
        )
        made.append(Rig(simulated, robot))
        return made[-1]

    yield make
    for item in made:
        for board in item.simulated.boards.values():
            board.wake()
        item.robot.disconnect()
        item.simulated.close()
