"""A robot without physics for tests and dry runs: joints follow with a short lag.

It has no weight and no floor, and cannot fall, saturate or vibrate: a session that
works with it says nothing about a real robot.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from telexist.retarget.errors import RobotLost
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array
from telexist.robots.base import (
    JointCommand,
    RobotFeedback,
    RobotState,
    accepted_command,
)
from telexist.robots.description import RobotModel
from telexist.robots.drives import GRAVITY

__all__ = ["FakeRobot"]

LAG = 0.02  # [s] time constant


class FakeRobot:
    """Follows commands as q' = (q_command - q) / lag, within the joints' speed limits.

    Attributes:
        commands: How many commands it has taken.
    """

    def __init__(
        self, robot: RobotModel, *, now: Callable[[], float], lag: float = LAG
    ) -> None:
        """Stand in neutral posture.

        Args:
            robot: Who it pretends to be.
            now: The clock [s].
            lag: Time constant [s].
        """
        self._body, self._now, self._lag = robot.body, now, lag
        self._goal: Array = np.array(robot.body.neutral.q)
        self._q: Array = self._goal.copy()
        self._time: float | None = None
        self.commands = 0

    @property
    def body(self) -> RobotBody:
        """The robot's model."""
        return self._body

    def connect(self) -> None:
        """Start to follow; may be called twice."""
        if self._time is None:
            self._time = self._now()

    def read_state(self) -> RobotState | None:
        """Return where the joints are now, or None before `connect`."""
        if self._time is None:
            return None
        now = self._now()
        dq = self._advance(now - self._time)
        self._time = now
        neutral, n = self._body.neutral, self._body.kinematics.n
        R = np.array(neutral.world_R_base)
        return RobotState(
            stamp=now,
            q=self._q.copy(),
            dq=dq,
            tau=np.zeros(n),
            imu_acceleration=R.T @ np.array([0.0, 0.0, GRAVITY]),
            imu_angular_velocity=np.zeros(3),
            imu_world_R_base=R,
            foot_wrenches=np.zeros((2, 6)),
            world_p_base=np.array(neutral.world_p_base),
            world_R_base=R,
            world_v_base=np.zeros(3),
            world_w_base=np.zeros(3),
        )

    def send(self, command: JointCommand) -> JointCommand:
        """Follow a command from now on and return what was accepted.

        Raises:
            BadInput: If a value is not finite.
            RobotLost: If the robot is not connected.
        """
        if self._time is None:
            raise RobotLost(f"the fake {self._body.name} is not connected")
        no_limit = np.full(self._body.kinematics.n, np.inf)
        accepted = accepted_command(command, self._body, no_limit)
        self.read_state()
        self._goal = accepted.q
        self.commands += 1
        return accepted

    def read_feedback(self) -> RobotFeedback | None:
        """Return None: it sees and feels nothing."""
        return None

    def disconnect(self) -> None:
        """Stop to follow; may be called twice."""
        self._time = None

    def _advance(self, dt: float) -> Array:
        """Let time pass and return the mean velocities meanwhile (n,)."""
        if dt <= 0.0:
            return np.zeros(len(self._q))
        way = (self._goal - self._q) * -np.expm1(-dt / self._lag)
        most = self._body.velocity * dt
        way = np.clip(way, -most, most)
        self._q = self._q + way
        return way / dt
