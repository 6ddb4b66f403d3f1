"""A robot in MuJoCo without a thread: reading its state brings the world to now.

With a clock that the caller moves, a run is repeated to the last bit, and as fast as
the machine allows.
"""

from __future__ import annotations

from collections.abc import Callable

from telexist.retarget.errors import RobotLost
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.robots.base import (
    JointCommand,
    RobotFeedback,
    RobotState,
    accepted_command,
)
from telexist.robots.description import RobotModel
from telexist.robots.drives import actuators_of
from telexist.robots.mujoco import Mount, SensorNoise
from telexist.robots.mujoco.robot.servo_simulation import ServoSimulation

__all__ = ["SteppedMujocoRobot"]


class SteppedMujocoRobot:
    """A simulated robot for tests and for runs faster than real time.

    Attributes:
        servos: The robot in its world; there after `connect`.
    """

    def __init__(
        self,
        robot: RobotModel,
        *,
        now: Callable[[], float],
        mount: Mount = "pole",
        noise: SensorNoise | None = None,
        seed: int = 0,
    ) -> None:
        """Describe the robot.

        Args:
            robot: The robot.
            now: The clock that its world follows [s].
            mount: How its base is held.
            noise: How bad its sensors are; None makes them perfect and tells the base.
            seed: Of the noise.
        """
        self._robot, self._now = robot, now
        self._mount, self._noise, self._seed = mount, noise, seed
        self._effort = actuators_of(robot).effort
        self.servos: ServoSimulation | None = None

    @property
    def body(self) -> RobotBody:
        """The robot's model."""
        return self._robot.body

    def connect(self) -> None:
        """Put the robot at its neutral posture; may be called twice."""
        if self.servos is None:
            self.servos = ServoSimulation(
                self._robot, mount=self._mount, noise=self._noise, seed=self._seed
            )
            self.servos.advance_to(self._now())

    def read_state(self) -> RobotState | None:
        """Let the world go on to now and return what the sensors say."""
        if self.servos is None:
            return None
        self.servos.advance_to(self._now())
        return self.servos.read_state()

    def send(self, command: JointCommand) -> JointCommand:
        """Give the drives a command and return what they accepted.

        Raises:
            BadInput: If a value is not finite.
            RobotLost: If the robot is not connected.
        """
        if self.servos is None:
            raise RobotLost(f"the simulated {self.body.name} is not connected")
        accepted = accepted_command(command, self.body, self._effort)
        self.servos.command(accepted)
        return accepted

    def stand_up(self, posture: Configuration) -> None:
        """Stand at rest in a posture."""
        if self.servos is not None:
            self.servos.stand_up(posture)

    def read_feedback(self) -> RobotFeedback | None:
        """Return None: this robot is blind."""
        return None

    def disconnect(self) -> None:
        """Forget the world; may be called twice."""
        self.servos = None
