"""A free-standing robot in the loop: engaged, walked, stopped, lost, fallen, again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from telexist.calibration.capture import Capture
from telexist.calibration.operator_profile import OperatorProfile
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.signals import HumanFrame
from telexist.robots.base.interface import RobotFeedback
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.drives.command_limiter import joint_bounds
from telexist.robots.mujoco.push import Push
from telexist.robots.mujoco.robot.stepped_mujoco_robot import SteppedMujocoRobot
from telexist.robots.mujoco.sensors import SensorNoise
from telexist.teleop.controllers.base.table import make_controller
from telexist.teleop.loop.operator_input import OperatorInput
from telexist.teleop.loop.operator_motion import OperatorMotion
from telexist.teleop.loop.reference_maker import ReferenceMaker
from telexist.teleop.loop.teleop_loop import TeleopLoop
from telexist.teleop.settings.settings import EngageSettings, SessionSettings
from telexist.teleop.terms.device_sample import DeviceSample, Provides
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.tick import State, Tick
from telexist.teleop.terms.walk_command import WalkCommand

PERIOD = 0.005  # [s]
AHEAD = WalkCommand(vx=0.15)
ROBOTS = ["icub", "g1", "talos"]
JUMP = 0.05  # of effort, beyond what the sensors' noise does at other times
SETTINGS = SessionSettings(engage=EngageSettings(approach=1.0)).never_frozen()


class Operator:
    """Shows a clip, walks and asks as the test says."""

    name = "operator"
    provides = frozenset({Provides.HUMAN, Provides.WALK, Provides.REQUESTS})
    deadline = 0.1

    def __init__(self) -> None:
        self.sample: DeviceSample | None = None

    def open(self, wake: Callable[[], None]) -> None:
        """Nothing to open."""

    def read(self) -> DeviceSample | None:
        sample, self.sample = self.sample, None
        return sample

    def show(self, feedback: RobotFeedback) -> None:
        """Nothing to show."""

    def close(self) -> None:
        """Nothing to close."""


class Live:
    """A session in simulated time: as fast as the machine, the same every time."""

    def __init__(self, robot: RobotModel, controller: str, begin: float) -> None:
        self.clip, self.now, self.clip_time = read_clip("builtin"), 10.0, begin
        self.device = Operator()
        self.controller: Any = make_controller(controller, robot)
        self.robot = SteppedMujocoRobot(
            robot, now=lambda: self.now, mount="free", noise=SensorNoise()
        )
        self.robot.connect()
        body, bounds = robot.body, joint_bounds(robot.body)
        self.loop = TeleopLoop(
            devices=OperatorInput([self.device]),
            robot=self.robot,
            controller=self.controller,
            motion=OperatorMotion(
                lambda profile, _: Retargeter(body, profile.size), SETTINGS.safety
            ),
            reference=ReferenceMaker(
                body, bounds, np.full(body.kinematics.n, 0.08), SETTINGS
            ),
            settings=SETTINGS,
            make_capture=Capture,
        )
        self.loop.take_profile(OperatorProfile.identity(self.clip.size), "test")
        self.still = False
        self.ticks: list[Tick] = []
        self.modes: list[str] = []
        self.effort = self.controller.model.actuators.effort

    def frame(self) -> HumanFrame:
        shown = self.clip.frame(int(self.clip_time * self.clip.rate) % len(self.clip))
        moves = 0.0 if self.still else 1.0  # who stands still states no velocities
        return HumanFrame(
            stamp=self.now,
            segments=shown.segments,
            rotations=shown.rotations,
            angular_velocities=moves * shown.angular_velocities,
            positions=shown.positions,
            linear_velocities=moves * shown.linear_velocities,
        )

    def play(
        self,
        seconds: float,
        *requests: Request,
        walk: WalkCommand | None = None,
        seen: bool = True,
    ) -> None:
        """Go on; requests come with the first sample."""
        for i in range(round(seconds / PERIOD)):
            frame = self.frame() if seen else None
            asked = requests if i == 0 else ()
            if frame is not None or asked or walk is not None:
                self.device.sample = DeviceSample(
                    stamp=self.now, human=frame, walk=walk, requests=asked
                )
            self.ticks.append(self.loop.turn(self.now))
            self.modes.append(self.controller.mode)
            self.now += PERIOD
            self.clip_time += PERIOD

    def engage(self) -> None:
        """Engage while the operator stands still."""
        begin, self.still = self.clip_time, True
        for i in range(1200):
            self.clip_time = begin
            self.play(PERIOD, *([Request.ENGAGE] if i == 200 else []))
            if self.state is State.ACTIVE:
                self.still = False
                return
        raise AssertionError(self.kinds())

    @property
    def state(self) -> State:
        return self.loop.supervisor.state

    def kinds(self) -> list[str]:
        return [event.kind for tick in self.ticks for event in tick.events]

    def torques(self) -> np.ndarray:
        return np.array([t.command.tau for t in self.ticks if t.command is not None])

    def jump(self, turn: int) -> float:
        """Return how a torque jumps at a turn beyond its noise, over its effort."""
        steps = self._steps(turn - 100, turn)
        return float((steps[-1] - steps[:-1].max(axis=0)).max())

    def _steps(self, first: int, last: int) -> np.ndarray:
        ticks = self.ticks[max(first - 1, 0) : last + 1]
        tau = np.array([t.command.tau for t in ticks if t.command is not None])
        return np.abs(np.diff(tau, axis=0) / self.effort)

    def height(self) -> float:
        assert self.robot.servos is not None
        simulation = self.robot.servos.simulation
        soles = simulation.sole_middles()[:, 2]
        return float(simulation.centre_of_mass()[2] - soles.min())


@pytest.fixture
def live(robot_of: Callable[[str], RobotModel]) -> Callable[..., Live]:
    def make(name: str, controller: str = "walk", begin: float = 0.5) -> Live:
        return Live(robot_of(name), controller, begin)

    return make


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_engaged_walked_stopped_and_engaged_again_without_a_jump(
    name: str, live: Callable[..., Live]
) -> None:
    s = live(name)
    s.engage()
    s.play(2.0)  # gestures
    s.play(4.0, walk=AHEAD)
    assert s.modes[-1] == "walking"
    s.play(3.0, Request.STOP, walk=AHEAD)  # a command must not outlive the stop
    assert s.state is State.STOPPED
    assert s.modes[-1] == "standing"
    s.play(0.5, Request.RESET)
    s.engage()
    s.play(2.0, walk=AHEAD)
    s.play(3.0, seen=False, walk=AHEAD)  # the operator's stream is lost
    assert s.state is State.HOLDING
    assert s.modes[-1] == "standing"
    assert "fall" not in s.kinds()
    changes = [i for i in range(1, len(s.modes)) if s.modes[i] != s.modes[i - 1]]
    assert len(changes) >= 4
    assert max(s.jump(i) for i in changes) < JUMP
    states = [t.state for t in s.ticks]
    turns = [i for i in range(200, len(states)) if states[i] != states[i - 1]]
    still = [i for i in turns if s.modes[i] == "standing"]  # where no foot lands
    assert len(still) >= 4
    assert max(s.jump(i) for i in still) < JUMP
    assert (np.abs(s.torques()) <= s.effort).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_balance_squats_and_lifts_a_foot_with_the_operator(
    name: str, live: Callable[..., Live]
) -> None:
    s = live(name, "balance", 8.8)
    s.engage()
    ready = s.height()
    s.play(1.8)  # down into the squat
    assert s.height() < ready - 0.03
    supports = set()
    for _ in range(90):  # up again, then on the left and on the right foot
        s.play(0.1)
        supports.add(s.controller.support)
    assert supports == {None, 0, 1}
    s.play(2.0, Request.HOLD)
    assert s.controller.support is None
    assert "fall" not in s.kinds()
    assert (np.abs(s.torques()) <= s.effort).all()


@pytest.mark.parametrize("name", ["icub", "g1"])
def test_a_fallen_robot_is_limp_until_a_reset_puts_it_on_its_feet(
    name: str, live: Callable[..., Live]
) -> None:
    s = live(name)
    s.engage()
    assert s.robot.servos is not None
    simulation = s.robot.servos.simulation
    force = np.array([2.0, 0.0, 0.0, 0.0, 0.0, 0.0]) * s.controller.qp.weight
    simulation.push(Push(world_f=force, start=simulation.time, duration=0.3))
    s.play(3.0)
    assert s.kinds().count("fall") == 1
    assert s.state is State.STOPPED
    s.play(0.5, Request.ENGAGE)  # refused: nothing moves before a reset
    assert s.state is State.STOPPED
    assert np.abs(s.torques()[-50:] / s.effort).max() < 0.1
    s.play(1.0, Request.RESET)
    assert s.controller.mode == "standing"
    s.engage()
    s.play(3.0, walk=AHEAD)
    assert s.state is State.ACTIVE
    assert s.modes[-1] == "walking"
    assert s.kinds().count("fall") == 1


def test_a_reset_after_a_stop_leaves_a_standing_robot_as_it_stands(
    live: Callable[..., Live],
) -> None:
    s = live("icub")
    s.engage()
    s.play(1.0, Request.STOP)
    at = len(s.ticks)
    s.play(0.5, Request.RESET)
    assert s.jump(at) < 0.05
    assert s.controller.mode == "standing"


def test_a_command_to_walk_puts_a_lifted_foot_down_first(
    live: Callable[..., Live],
) -> None:
    s = live("icub", begin=13.5)
    s.engage()
    s.play(2.0)
    assert s.robot.servos is not None
    soles = s.robot.servos.simulation.sole_middles()[:, 2]
    assert abs(soles[0] - soles[1]) > 0.02
    s.play(2.5, walk=AHEAD)
    assert s.modes[-1] == "walking"
    assert "fall" not in s.kinds()
