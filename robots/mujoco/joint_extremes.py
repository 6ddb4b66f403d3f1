"""How far joints ever were past their limits, judged in every step of the physics."""

from __future__ import annotations

import numpy as np
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array

__all__ = ["JointExtremes"]


class JointExtremes:
    """Watches positions and speeds of one world's joints.

    Attributes:
        past_limit: Farthest past a position limit, per joint (n,) [rad] or [m].
        speed_share: Fastest over the speed limit, per joint (n,).
    """

    def __init__(self, body: RobotBody) -> None:
        """Watch the joints of a body."""
        self._lower, self._upper = np.array(body.lower), np.array(body.upper)
        self._speed = np.array(body.velocity)
        self.reset()

    def reset(self) -> None:
        """Begin anew."""
        self.past_limit = np.zeros_like(self._lower)
        self.speed_share = np.zeros_like(self._lower)

    def look(self, q: Array, dq: Array) -> None:
        """Take positions and velocities after a step (n,)."""
        past = np.maximum(q - self._upper, self._lower - q)
        np.maximum(self.past_limit, past, out=self.past_limit)
        np.maximum(self.speed_share, np.abs(dq) / self._speed, out=self.speed_share)
