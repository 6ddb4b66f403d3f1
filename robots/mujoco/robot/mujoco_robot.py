"""A robot in MuJoCo that lives in real time, as a real one would.

Its physics runs in a process of its own (`physics_process.py`), in pace with the host's
clock: neither what the session's interpreter does nor its end disturbs it. It takes the
newest command and publishes the newest state over shared memory; neither `send` nor
`read_state` waits. When the host is too slow, the world skips ahead and the time lost
is counted.
"""

from __future__ import annotations

import atexit
import multiprocessing
from collections.abc import Callable
from multiprocessing.process import BaseProcess

from telexist.retarget.errors import RobotLost
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.robots.base import (
    JointCommand,
    RobotFeedback,
    RobotState,
    accepted_command,
)
from telexist.robots.description import RobotModel, robot_files
from telexist.robots.drives import Bounds, actuators_of, grip_joints
from telexist.robots.mujoco import Mount, SensorNoise
from telexist.robots.mujoco.camera import HeadCamera
from telexist.robots.mujoco.robot.physics_process import PhysicsSettings, live_physics
from telexist.robots.mujoco.robot.servo_simulation import PERIOD
from telexist.robots.mujoco.robot.simulated_link import (
    SimulatedLink,
    SimulatedSafetyLink,
)

__all__ = ["MujocoRobot"]

PATIENCE = 120.0  # [s] until it lives; a busy machine is slow
WAIT = 0.002  # [s] between two looks at whether it does
ENDING = 5.0  # [s] for its process to end
MOST_PLACES = 7  # of `qpos` for one joint: a base that moves


class MujocoRobot:
    """A simulated robot behind the interface of all robots."""

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
        real_time: bool = False,
    ) -> None:
        """Describe the robot; `connect` brings it to life.

        Args:
            robot: The robot.
            now: The host's clock [s]; the same in all processes, and one that can be
                handed to another.
            sleep: Waits for a duration [s].
            mount: How its base is held.
            noise: How bad its sensors are; None makes them perfect and tells the base.
            camera: Renders what its head sees; None for a blind robot.
            bounds: What its servos' set-points obey; None takes the robot's own.
            period: Time between two commands, about [s].
            real_time: Whether its process asks for real-time scheduling.
        """
        self._robot, self._now, self._sleep, self._camera = robot, now, sleep, camera
        self._settings = PhysicsSettings(
            files=robot_files(robot),
            mount=mount,
            noise=noise,
            bounds=bounds,
            period=period,
            real_time=real_time,
            now=now,
            sleep=sleep,
        )
        self._effort = actuators_of(robot).effort
        self._process: BaseProcess | None = None
        self._link: SimulatedLink | None = None

    @property
    def body(self) -> RobotBody:
        """The robot's model."""
        return self._robot.body

    @property
    def skipped(self) -> float:
        """Time that the world lost because the host was too slow [s]."""
        return 0.0 if self._link is None else self._link.skipped

    @property
    def process_id(self) -> int | None:
        """Number of the process of the physics, once it runs."""
        return self._process.pid if self._process is not None else None

    def begin(self) -> None:
        """Start the physics; `connect` waits until it lives."""
        if self._process is not None:
            return
        spawn = multiprocessing.get_context("spawn")
        places = MOST_PLACES * (1 + len(self._robot.urdf.joints))
        fingers = len(grip_joints(self._robot))
        n = self.body.kinematics.n
        self._link = SimulatedLink(spawn, n, places, fingers=fingers)
        self._process = spawn.Process(
            target=live_physics,
            args=(self._settings, self._link),
            name="physics",
            daemon=True,
        )
        atexit.register(self.disconnect)  # before `multiprocessing` waits for it
        self._process.start()

    def connect(self) -> None:
        """Start the physics and wait until it lives; may be called twice.

        Raises:
            RobotLost: If MuJoCo refuses the robot, or its process does not start.
        """
        self.begin()
        if self._link is not None and self._process is not None:
            self._wait_for_life(self._link, self._process)
        if self._camera is not None:
            self._camera.start()

    def _wait_for_life(self, link: SimulatedLink, process: BaseProcess) -> None:
        end = self._now() + PATIENCE
        while not link.states:
            failure = link.failure
            if failure or not process.is_alive() or self._now() > end:
                self.disconnect()
                why = failure or "its process did not start"
                raise RobotLost(f"the simulated {self.body.name}: {why}")
            self._sleep(WAIT)

    def read_state(self) -> RobotState | None:
        """Return the newest state, or None before there is one, or after its end."""
        if self._link is None or self._link.failure:
            return None
        return self._link.read_state()

    def send(self, command: JointCommand) -> JointCommand:
        """Give the drives a command and return what they accepted.

        Raises:
            BadInput: If a value is not finite.
            RobotLost: If the robot is not connected, its physics broke down, or the
                watchdog has it.
        """
        link = self._link
        if link is None or self._process is None or link.failure:
            why = link.failure if link is not None else "it is not connected"
            raise RobotLost(f"the simulated {self.body.name} is gone: {why}; reconnect")
        if not self._process.is_alive():
            why = "its process has ended"
            raise RobotLost(f"the simulated {self.body.name} is gone: {why}; reconnect")
        accepted = accepted_command(command, self.body, self._effort)
        link.send(accepted)
        return accepted

    def stand_up(self, posture: Configuration) -> None:
        """Stand at rest in a posture, at the physics' next step."""
        if self._link is not None:
            self._link.stand_up(posture)

    def read_feedback(self) -> RobotFeedback | None:
        """Return the newest picture since the last call, or why none will come."""
        if self._camera is None:
            return None
        end = self._camera.take_end()
        if end:
            return RobotFeedback(stamp=self._now(), camera_problem=end)
        if self._link is not None and self._camera.due(self._now()):
            places = self._link.places()
            if places is not None:
                self._camera.offer(places, self._now())
        return self._camera.take()

    def safety_link(self) -> SimulatedSafetyLink:
        """Return a second hand on the robot, for a watchdog.

        Raises:
            RobotLost: If it is not connected.
        """
        if self._link is None:
            raise RobotLost(f"the simulated {self.body.name} is not connected")
        return SimulatedSafetyLink(self._link)

    def disconnect(self) -> None:
        """Stop the physics; may be called twice."""
        process, self._process = self._process, None
        if process is not None:
            atexit.unregister(self.disconnect)
            if self._link is not None:
                self._link.end()
            process.join(ENDING)
            if process.is_alive():  # frozen, or still loading
                process.kill()
                process.join()
        self._link = None
        if self._camera is not None:
            self._camera.stop()
