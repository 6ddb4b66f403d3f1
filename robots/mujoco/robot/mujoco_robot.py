"""A robot in MuJoCo that lives in real time, as a real one would.

A thread of its own steps the physics in pace with the host's clock. It takes the newest
command and publishes the newest state; neither `send` nor `read_state` waits for it,
and it waits for nobody. When the host is too slow, the world skips ahead and the time
lost is counted.
"""

from __future__ import annotations

import logging
import threading
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
from telexist.robots.drives import Bounds, actuators_of
from telexist.robots.mujoco import Mount, SensorNoise
from telexist.robots.mujoco.camera import HeadCamera
from telexist.robots.mujoco.robot.servo_simulation import PERIOD, ServoSimulation

__all__ = ["MujocoRobot"]

MAX_LATE = 0.05  # [s] that the physics catches up with; more is skipped
STATE_PERIOD = 0.0025  # [s] between two states

_log = logging.getLogger(__name__)


class MujocoRobot:
    """A simulated robot behind the interface of all robots.

    Attributes:
        skipped: Time that the world lost because the host was too slow [s].
    """

    def __init__(
        self,
        robot: RobotModel,
        *,
        now: Callable[[], float],
        sleep: Callable[[float], None],
        mount: Mount = "pole",
        noise: SensorNoise | None = None,
        camera: HeadCamera | None = None,
        bounds: Bounds | None = None,
        period: float = PERIOD,
    ) -> None:
        """Describe the robot; `connect` brings it to life.

        Args:
            robot: The robot.
            now: The host's clock [s].
            sleep: Waits for a duration [s].
            mount: How its base is held.
            noise: How bad its sensors are; None makes them perfect and tells the base.
            camera: Renders what its head sees; None for a blind robot.
            bounds: What its servos' set-points obey; None takes the robot's own.
            period: Time between two commands, about [s].
        """
        self._robot, self._now, self._sleep = robot, now, sleep
        self._mount, self._noise, self._camera = mount, noise, camera
        self._bounds, self._period = bounds, period
        self._effort = actuators_of(robot).effort
        self._command: JointCommand | None = None
        self._upright: Configuration | None = None
        self._state: RobotState | None = None
        self._thread: threading.Thread | None = None
        self._ending = False
        self._failure = ""
        self.skipped = 0.0

    @property
    def body(self) -> RobotBody:
        """The robot's model."""
        return self._robot.body

    def connect(self) -> None:
        """Start the physics; may be called twice.

        Raises:
            BadModel: If MuJoCo refuses the robot.
        """
        if self._thread is not None:
            return
        simulation = ServoSimulation(
            self._robot,
            mount=self._mount,
            noise=self._noise,
            bounds=self._bounds,
            period=self._period,
        )
        self._ending, self._failure, self._command = False, "", None
        self._live(simulation)
        self._thread = threading.Thread(
            target=self._run, args=(simulation,), name="physics", daemon=True
        )
        self._thread.start()
        if self._camera is not None:
            self._camera.start()

    def read_state(self) -> RobotState | None:
        """Return the newest state, or None before there is one."""
        return self._state

    def send(self, command: JointCommand) -> JointCommand:
        """Give the drives a command and return what they accepted.

        Raises:
            BadInput: If a value is not finite.
            RobotLost: If the robot is not connected, or its physics broke down.
        """
        if self._thread is None or self._failure:
            why = self._failure or "it is not connected"
            raise RobotLost(f"the simulated {self.body.name} is gone: {why}; reconnect")
        accepted = accepted_command(command, self.body, self._effort)
        self._command = accepted
        return accepted

    def stand_up(self, posture: Configuration) -> None:
        """Stand at rest in a posture, at the physics' next step."""
        self._upright = posture

    def read_feedback(self) -> RobotFeedback | None:
        """Return the newest picture since the last call, or why none will come."""
        if self._camera is None:
            return None
        end = self._camera.take_end()
        if end:
            return RobotFeedback(stamp=self._now(), camera_problem=end)
        return self._camera.take()

    def disconnect(self) -> None:
        """Stop the physics; may be called twice."""
        self._ending = True
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._state = None
        if self._camera is not None:
            self._camera.stop()

    def _run(self, simulation: ServoSimulation) -> None:
        try:
            while not self._ending:
                self._live(simulation)
                self._sleep(STATE_PERIOD)
        except Exception as error:  # whatever it is, the session must hear of it
            self._failure = f"{type(error).__name__}: {error}"
            self._state = None
            _log.error("the physics of %s broke down: %s", self.body.name, error)

    def _live(self, simulation: ServoSimulation) -> None:
        """Bring the world to now and tell what the sensors say."""
        upright, self._upright = self._upright, None
        if upright is not None:
            simulation.stand_up(upright)
        command, self._command = self._command, None
        if command is not None:
            simulation.command(command)
        if simulation.advance_to(self._now(), most=MAX_LATE) or self._state is None:
            self._state = simulation.read_state()
        self.skipped = simulation.skipped
        if self._camera is not None:
            self._camera.offer(simulation.simulation.data.qpos, self._now())
