"""A controller and its world, stepped together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.mujoco.model import build_mujoco
from telexist.robots.mujoco.simulation import Simulation
from telexist.teleop.controllers.locomotion.locomotion import LocomotionController
from telexist.teleop.controllers.locomotion.walk_controller import WalkController
from telexist.teleop.controllers.terms.measured import Measured
from telexist.teleop.terms.robot_reference import RobotReference
from telexist.teleop.terms.walk_command import WalkCommand


@dataclass
class World:
    """A controller that drives a simulated robot."""

    controller: LocomotionController
    simulation: Simulation
    events: list[str] = field(default_factory=list)
    tau: list[np.ndarray] = field(default_factory=list)

    def reference(self, **changes: object) -> RobotReference:
        n = self.controller.model.n
        values: dict[str, object] = {
            "stamp": self.simulation.time,
            "q": self.controller.posture.q,
            "dq": np.zeros(n),
            "ddq": np.zeros(n),
        }
        return RobotReference(**(values | changes))  # type: ignore[arg-type]

    def run(self, duration: float, **changes: object) -> None:
        """Go on with a reference until the time is over or the robot has fallen."""
        period = self.controller.period
        for _ in range(round(duration / period)):
            state = self.simulation.read_state()
            command = self.controller.step(state, self.reference(**changes), period)
            self.events += map(str, self.controller.report().events)
            assert command.tau is not None
            self.tau.append(command.tau)
            self.simulation.set_torques(command.tau)
            self.simulation.advance(period)


@pytest.fixture
def world(robot_of: Callable[[str], RobotModel]) -> Callable[..., World]:
    """Return a maker of worlds with a robot that stands ready."""

    def make(name: str = "icub", **options: object) -> World:
        robot = robot_of(name)
        controller = WalkController(robot, **options)  # type: ignore[arg-type]
        simulation = Simulation(build_mujoco(robot), seed=4)
        simulation.reset(controller.posture)
        controller.reset(simulation.read_state())
        return World(controller, simulation)

    return make


@pytest.fixture
def ahead() -> WalkCommand:
    return WalkCommand(vx=0.15)


@pytest.fixture
def measured() -> Callable[..., Measured]:
    """Return a maker of robots at rest on two flat feet, with changes."""

    def make(**changes: object) -> Measured:
        values: dict[str, object] = {
            "com": np.array([0.0, 0.0, 0.6]),
            "com_vel": np.zeros(3),
            "dcm": np.zeros(2),
            "angular_momentum": np.zeros(3),
            "sole_p": np.array([[0.0, 0.1, 0.0], [0.0, -0.1, 0.0]]),
            "sole_R": np.array([np.eye(3), np.eye(3)]),
            "sole_up": np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]),
            "sole_edge": np.zeros((2, 3)),
            "sole_v": np.zeros((2, 6)),
            "sole_yaw": np.zeros(2),
            "load": np.array([0.5, 0.5]),
        }
        return Measured(**(values | changes))  # type: ignore[arg-type]

    return make
