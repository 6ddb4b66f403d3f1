"""The operator's own steps as a way of the robot's base: smooth, from where it is.

The retargeted motion has a base of its own, somewhere in the operator's room. Here its
turns and ways are put on those of the robot since it was engaged; height, roll and
pitch grow from those of standing within the approach. Whenever nobody is followed the
base comes to rest.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.kinematics import Configuration
from telexist.retarget.signals import RobotFrame
from telexist.retarget.smoothing import MinimumJerkFilter, minimum_jerk
from telexist.retarget.so3 import Array, rotation_from_rpy, rotation_z
from telexist.teleop.terms import BaseReference

__all__ = ["BaseMotion"]

FASTEST = 4.0  # [m/s] nobody runs faster in a suit
TURNING = 8.0  # [rad/s]
BEGIN = 2.0  # [s] in which the operator's height and lean are taken over


class BaseMotion:
    """Follows the base of retargeted motion.

    x, y, z, roll, pitch, yaw of the base are six signals; yaw has no end.
    """

    def __init__(self, neutral: Configuration, time: float) -> None:
        """Stand where the robot stands ready.

        Args:
            neutral: How the robot stands ready.
            time: Smoothing time [s].
        """
        self._neutral = neutral
        self._filter = MinimumJerkFilter(np.full(6, time))
        self.reset()

    def reset(self) -> None:
        """Stand, at rest."""
        p = self._neutral.world_p_base
        start = np.array([p[0], p[1], p[2], 0.0, 0.0, 0.0])
        self._filter.reset(start)
        self._goal, self._standing = start.copy(), start.copy()
        self._before: tuple[Array, float] | None = None
        self._share = 0.0

    def follow(self, frame: RobotFrame, dt: float) -> None:
        """Go on with the retargeted motion for dt [s]."""
        roll, pitch, yaw = self._angles(frame.world_R_base)
        place = np.array(frame.world_p_base)
        if self._before is None:
            self._share = 0.0
        else:
            before, yaw_before = self._before
            turn = _wrapped(yaw - yaw_before)
            way = rotation_z(self._goal[5] - yaw_before) @ (place - before)
            far = np.linalg.norm(way[:2])
            if far < FASTEST * BEGIN and abs(turn) < 0.5 * np.pi:  # else found anew
                self._goal[:2] += way[:2]
                self._goal[5] += turn
        self._before = place, yaw
        self._share = min(self._share + dt / BEGIN, 1.0)
        share = float(minimum_jerk(self._share))
        asked = np.array([place[2], roll, pitch])
        self._goal[2:5] = self._standing[2:5] + share * (asked - self._standing[2:5])
        self._filter.step(self._goal, dt)

    def rest(self, dt: float) -> None:
        """Come to rest where the base is, for dt [s]."""
        self._before = None
        self._goal = np.array(self._filter.x)
        self._filter.step(self._goal, dt)
        self._standing = self._goal.copy()

    def home(self, dt: float) -> None:
        """Stand upright where the base is, for dt [s]."""
        self._before = None
        self._goal = np.array(self._filter.x)
        self._goal[2:5] = self._neutral.world_p_base[2], 0.0, 0.0
        self._filter.step(self._goal, dt)
        self._standing = self._goal.copy()

    def _angles(self, world_R_base: Array) -> tuple[float, float, float]:
        R = world_R_base @ self._neutral.world_R_base.T
        roll = np.arctan2(R[2, 1], R[2, 2])
        pitch = np.arcsin(np.clip(-R[2, 0], -1.0, 1.0))
        return float(roll), float(pitch), float(np.arctan2(R[1, 0], R[0, 0]))

    @property
    def value(self) -> BaseReference:
        """The base now."""
        x, dx = self._filter.x, self._filter.dx
        R, yaw = rotation_from_rpy(x[3:]), x[5]
        rates = np.clip(dx[3:], -TURNING, TURNING)
        # w = z yaw' + Rz y pitch' + Rz Ry x roll'
        c, s = np.cos(yaw), np.sin(yaw)
        w = (
            rates[2] * np.array([0.0, 0.0, 1.0])
            + rates[1] * np.array([-s, c, 0.0])
            + rates[0] * R[:, 0]
        )
        return BaseReference(
            world_p_base=np.array(x[:3]),
            world_R_base=R @ self._neutral.world_R_base,
            world_v_base=np.clip(dx[:3], -FASTEST, FASTEST),
            world_w_base=w,
        )


def _wrapped(angle: float) -> float:
    return float((angle + np.pi) % (2.0 * np.pi) - np.pi)
