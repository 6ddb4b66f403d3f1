"""Hands that open and close: fingers between two postures, at a bounded speed."""

from __future__ import annotations

import numpy as np

from retarget.segments import SIDES
from retarget.so3 import Array
from robots.body import Robot
from robots.interface import HandCommand
from robots.urdf import JointLimits

__all__ = ["Grips", "grip_joints"]

CLOSING_TIME = 0.5  # [s] from open to closed, or longer where joints are slow


def grip_joints(robot: Robot) -> tuple[str, ...]:
    """Return the finger joints of both hands."""
    grips = robot.spec.grips
    return tuple(joint for side in SIDES for joint in grips.get(side, ()))


class Grips:
    """Where the fingers are to be.

    Attributes:
        joints: Finger joints of the left, then the right hand.
        closed: How far the hands are closed now (2,), 0 to 1.
    """

    def __init__(self, robot: Robot) -> None:
        """Start with open hands."""
        self.joints = grip_joints(robot)
        grips = [robot.spec.grips.get(side, {}) for side in SIDES]
        ends = [positions for grip in grips for positions in grip.values()]
        limits = [robot.urdf.joints[joint].limits for joint in self.joints]
        lower = [-np.inf if k.lower is None else k.lower for k in limits]
        upper = [np.inf if k.upper is None else k.upper for k in limits]
        self._ends = np.clip(np.reshape(ends, (-1, 2)).T, lower, upper)  # (2, k)
        self._side = np.repeat([0, 1], [len(grip) for grip in grips])
        self.closed: Array = np.zeros(2)
        self._wanted: Array = np.zeros(2)
        self._speed = np.array([self._fastest(row, limits) for row in range(2)])

    def want(self, hands: HandCommand) -> None:
        """Ask for hands; what is not finite is ignored."""
        asked = np.clip([hands.left, hands.right], 0.0, 1.0)
        self._wanted = np.where(np.isfinite(asked), asked, self._wanted)

    def step(self, dt: float) -> Array:
        """Let `dt` [s] pass and return the finger joints' positions (k,)."""
        most = self._speed * dt
        self.closed = self.closed + np.clip(self._wanted - self.closed, -most, most)
        share = self.closed[self._side]
        return (1.0 - share) * self._ends[0] + share * self._ends[1]

    def _fastest(self, row: int, limits: list[JointLimits]) -> float:
        """Return the greatest rate of closing that all joints can follow [1/s]."""
        rate = 1.0 / CLOSING_TIME
        for k in np.flatnonzero(self._side == row):
            way = abs(float(self._ends[1, k] - self._ends[0, k]))
            velocity = limits[k].velocity
            if velocity and way > 0.0:
                rate = min(rate, velocity / way)
        return rate
