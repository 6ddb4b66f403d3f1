"""A robot's back end: `--backend obedient` is at once where it is sent."""

from __future__ import annotations

import numpy as np
from telexist.retarget.errors import RobotLost
from telexist.robots.backends import RobotOptions
from telexist.robots.base import (
    JointCommand,
    RobotFeedback,
    RobotState,
    accepted_command,
)
from telexist.robots.description import RobotModel

__all__ = ["ObedientRobot", "make"]


class ObedientRobot:
    """Has no inertia; a real robot's back end talks to its network here."""

    def __init__(self, model: RobotModel, options: RobotOptions) -> None:
        """Prepare; nothing is reached before `connect`."""
        self.body = model.body
        self._now, self._there = options.now, False
        self._q = np.array(model.body.neutral.q)

    def connect(self) -> None:
        """Reach the robot; may be called twice."""
        self._there = True

    def read_state(self) -> RobotState | None:
        """Return where it is, or None before it is reached."""
        if not self._there:
            return None
        return RobotState(
            stamp=self._now(),
            q=self._q,
            dq=np.zeros_like(self._q),
            tau=np.zeros_like(self._q),
            imu_acceleration=np.array([0.0, 0.0, 9.81]),
            imu_angular_velocity=np.zeros(3),
            imu_world_R_base=np.eye(3),
            foot_wrenches=np.zeros((2, 6)),
        )

    def send(self, command: JointCommand) -> JointCommand:
        """Go there and return what was accepted."""
        if not self._there:
            raise RobotLost(f"the obedient {self.body.name} is not connected")
        effort = np.full(self.body.kinematics.n, np.inf)
        accepted = accepted_command(command, self.body, effort)
        self._q = accepted.q
        return accepted

    def read_feedback(self) -> RobotFeedback | None:
        """Return nothing: it has no camera."""
        return None

    def disconnect(self) -> None:
        """Let it go; may be called twice."""
        self._there = False


def make(model: RobotModel, options: RobotOptions) -> ObedientRobot:
    """Make `obedient`; `options.place` would be what follows a colon."""
    return ObedientRobot(model, options)
