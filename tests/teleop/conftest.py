"""A session without wires: scripted devices and a robot that goes where it is sent."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.calibration.capture import Capture
from telexist.calibration.operator_profile import OperatorProfile
from telexist.calibration.source_traits import ALIGNED
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import HumanClip, HumanFrame
from telexist.robots.base.interface import JointCommand, RobotFeedback, RobotState
from telexist.robots.drives.command_limiter import Bounds, joint_bounds
from telexist.teleop.controllers.servo.servo import ServoController
from telexist.teleop.devices.base.interface import Device
from telexist.teleop.devices.base.traits import DeviceTraits
from telexist.teleop.loop.operator_input import OperatorInput
from telexist.teleop.loop.operator_motion import OperatorMotion
from telexist.teleop.loop.reference_maker import ReferenceMaker
from telexist.teleop.loop.teleop_loop import TeleopLoop
from telexist.teleop.settings.settings import SessionSettings
from telexist.teleop.terms.device_sample import DeviceSample, Provides
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.tick import State, Tick

PERIOD = 0.005  # [s]


class ScriptedDevice(Device):
    """Gives what a test puts in."""

    name = "scripted"
    provides = frozenset({Provides.HUMAN, Provides.REQUESTS})
    deadline = 0.1

    def __init__(self) -> None:
        self.sample: DeviceSample | None = None
        self.program = False  # whether nobody can press its emergency stop

    @property
    def traits(self) -> DeviceTraits:
        return DeviceTraits(program=self.program)

    def open(self, wake: Callable[[], None]) -> None:
        """Nothing to open."""

    def read(self) -> DeviceSample | None:
        sample, self.sample = self.sample, None
        return sample

    def show(self, feedback: RobotFeedback) -> None:
        """Nothing to show."""

    def close(self) -> None:
        """Nothing to close."""


class IdealRobot:
    """Is where it was sent, at once."""

    def __init__(self, body: RobotBody) -> None:
        self.body = body
        self.q = body.neutral.q.copy()
        self.sent: list[JointCommand] = []
        self.stamp = 0.0
        self.lost: Exception | None = None

    def connect(self) -> None:
        """Nothing to reach."""

    def read_state(self) -> RobotState | None:
        if self.lost:
            raise self.lost
        n = len(self.q)
        return RobotState(
            stamp=self.stamp,
            q=self.q,
            dq=np.zeros(n),
            tau=np.zeros(n),
            imu_acceleration=np.zeros(3),
            imu_angular_velocity=np.zeros(3),
            imu_world_R_base=np.eye(3),
            foot_wrenches=np.zeros((2, 6)),
        )

    def send(self, command: JointCommand) -> JointCommand:
        self.q = command.q
        self.sent.append(command)
        return command

    def read_feedback(self) -> RobotFeedback | None:
        return None

    def disconnect(self) -> None:
        """Nothing to let go."""


class Bench:
    """A loop in time that the test makes pass."""

    def __init__(
        self,
        body: RobotBody,
        clip: HumanClip,
        settings: SessionSettings,
        bounds: Bounds | None = None,
    ) -> None:
        self.body, self.clip = body, clip
        bounds = bounds or joint_bounds(body)
        self.device, self.robot = ScriptedDevice(), IdealRobot(body)
        self.loop = TeleopLoop(
            devices=OperatorInput([self.device]),
            robot=self.robot,
            controller=ServoController(),
            motion=OperatorMotion(
                lambda profile, _: Retargeter(body, profile.size), settings.safety
            ),
            reference=ReferenceMaker(
                body, bounds, np.full(body.kinematics.n, 0.05), settings
            ),
            settings=settings,
            make_capture=lambda: Capture(countdown=0.2, duration=1.0, traits=ALIGNED),
        )
        self.now = 10.0
        self.ticks: list[Tick] = []

    def calibrate(self) -> None:
        self.loop.take_profile(OperatorProfile.identity(self.clip.size), "test")

    def frame(self, index: int | None = None) -> HumanFrame:
        """Return the clip's frame that is due now, or a chosen one, stamped now."""
        if index is None:
            index = int(self.now * self.clip.rate) % len(self.clip)
        shown = self.clip.frame(index)
        return HumanFrame(
            stamp=self.now,
            segments=shown.segments,
            rotations=shown.rotations,
            angular_velocities=shown.angular_velocities,
            positions=shown.positions,
            linear_velocities=shown.linear_velocities,
        )

    def give(self, human: HumanFrame | None = None, *requests: Request) -> Tick:
        """Make one turn with a sample."""
        self.device.sample = DeviceSample(
            stamp=self.now, human=human, requests=requests
        )
        return self.turn()

    def turn(self, period: float = PERIOD) -> Tick:
        self.robot.stamp = self.now
        tick = self.loop.turn(self.now)
        self.ticks.append(tick)
        self.now += period
        return tick

    def play(self, seconds: float) -> None:
        """Let the operator move."""
        for _ in range(round(seconds / PERIOD)):
            self.give(self.frame())

    def silence(self, seconds: float) -> None:
        """Let nothing arrive."""
        for _ in range(round(seconds / PERIOD)):
            self.turn()

    def engage(self) -> None:
        self.calibrate()
        self.play(0.05)
        self.give(self.frame(), Request.ENGAGE)
        self.play(3.0)
        assert self.state is State.ACTIVE

    @property
    def state(self) -> State:
        return self.loop.supervisor.state

    def kinds(self) -> list[str]:
        return [event.kind for tick in self.ticks for event in tick.events]

    def require_bounds(self) -> None:
        """Check every command that was sent against position, speed, acceleration."""
        b = self.loop.reference.bounds
        q = np.array([command.q for command in self.robot.sent])
        t = np.array([command.stamp for command in self.robot.sent])
        dt = np.diff(t)[:, None]
        v = np.diff(q, axis=0) / dt
        a = np.diff(v, axis=0) / dt[1:]
        assert (q >= b.lower).all()
        assert (q <= b.upper).all()
        assert (np.abs(v) <= b.velocity * (1 + 1e-6)).all()
        assert (np.abs(a) <= b.acceleration * (1 + 1e-6)).all()


@pytest.fixture(scope="session")
def builtin() -> HumanClip:
    return read_clip("builtin")


@pytest.fixture
def bench(body_of: Callable[[str], RobotBody], builtin: HumanClip) -> Bench:
    return Bench(body_of("icub"), builtin, SessionSettings().never_frozen())


@pytest.fixture
def make_bench(builtin: HumanClip) -> Callable[..., Bench]:
    return lambda body, settings, bounds=None: Bench(body, builtin, settings, bounds)
