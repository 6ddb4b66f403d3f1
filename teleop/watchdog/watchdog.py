"""The session's end of its watchdog."""

from __future__ import annotations

import atexit
import multiprocessing
from multiprocessing.process import BaseProcess

from telexist.robots.base import HasSafetyLink, Robot, SafetyLink
from telexist.robots.description import RobotFiles
from telexist.teleop.watchdog.guard_process import GuardSettings, guard_robot
from telexist.teleop.watchdog.heartbeats import Heartbeats

__all__ = ["Watchdog"]

ENDING = 5.0  # [s] for its process to end
FIRST_TURNS = 1.0  # [s] in which a loop may be late: things are used for the first time
LOOK = 0.1  # [s] between two looks at whether it lives


class Watchdog:
    """Starts the process, tells it that the loop lives, hears what it did.

    Attributes:
        took: Why the robot was taken from the loop; "" while it was not.
        problem: Why there is no watchdog any more; "" while there is.
    """

    def __init__(
        self,
        robot: Robot,
        *,
        deadline: float,
        stands: RobotFiles | None = None,
        real_time: bool = False,
    ) -> None:
        """Prepare; nothing is started yet.

        Args:
            robot: Guarded if it has a safety link; if not, its own drives alone can
                stop it.
            deadline: A loop that was silent for so long is dead [s].
            stands: Files of a robot that must be kept on its feet.
            real_time: Whether its process asks for real-time scheduling.
        """
        self._robot = robot
        self._settings = GuardSettings(
            deadline=deadline, stands=stands, real_time=real_time
        )
        self._link: SafetyLink | None = None
        self._beats: Heartbeats | None = None
        self._process: BaseProcess | None = None
        self._looked, self._began = float("-inf"), 0.0
        self.took = self.problem = ""

    @property
    def process_id(self) -> int | None:
        """Number of its process, once it runs."""
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """Guard the robot, which is connected."""
        if self._process is not None or not isinstance(self._robot, HasSafetyLink):
            return
        spawn = multiprocessing.get_context("spawn")
        self._link, self._beats = self._robot.safety_link(), Heartbeats(spawn)
        self._process = spawn.Process(
            target=guard_robot,
            args=(self._settings, self._beats, self._link),
            name="watchdog",
            daemon=True,
        )
        atexit.register(self.stop)
        self._process.start()

    def beat(self, now: float) -> None:
        """Say that the loop turns; hear whether the robot was taken meanwhile."""
        if self._beats is None or self._link is None or self._process is None:
            return
        if self._link.seized:
            if not self.took:
                silent = now - self._beats.loop
                self.took = (
                    f"the loop was silent for {silent:.2f} s: the watchdog has stopped "
                    "the robot; reset gives it back"
                )
            return
        self.took = ""
        self._began = self._began or now
        if now - self._began > FIRST_TURNS:
            self._beats.loop = now
        if now - self._looked > LOOK:
            self._looked = now
            if not self.problem and not self._process.is_alive():
                self.problem = "the watchdog has ended: nobody would stop a dead loop"

    def release(self, now: float) -> None:
        """Give the robot back to the loop."""
        if self._link is not None and self._beats is not None:
            self._beats.loop = now
            self._link.release()
        self.took = ""

    def stop(self) -> None:
        """End the process; may be called twice."""
        process, self._process = self._process, None
        if process is None:
            return
        atexit.unregister(self.stop)
        if self._beats is not None:
            self._beats.end()
        process.join(ENDING)
        if process.is_alive():
            process.kill()
            process.join()
