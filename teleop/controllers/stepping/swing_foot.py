"""The path of a foot through the air, whose end may move in place and time."""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.geometry import (
    QuinticPoint,
    about_z,
    at_rest,
    quintic_step,
    rotation_vector,
    turned_by,
)
from telexist.teleop.controllers.parameters import SwingParameters

__all__ = ["SwingFoot"]


class SwingFoot:
    """Moves a sole from where it is to where it will stand.

    Attributes:
        phase: 0 at lift-off, 1 at the planned landing.
        lateness: Since the planned landing [s].
    """

    def __init__(
        self,
        world_p_sole: Array,
        world_R_sole: Array,
        *,
        height: float,
        recovering: bool = False,
        parameters: SwingParameters | None = None,
    ) -> None:
        """Start from where the foot stands.

        Args:
            world_p_sole: Middle of the sole (3,) [m].
            world_R_sole: Its axes (3, 3).
            height: Of the step [m].
            recovering: Whether the step is to catch the robot: the foot is up sooner
                and stays up longer, since it may lag behind its path, and is pressed
                down harder when it is late.
            parameters: Of all swings.
        """
        self.phase, self.lateness = 0.0, 0.0
        self._p = p = parameters or SwingParameters()
        self._bump = self._high_bump if recovering else _bump
        self._press = p.recovery_press if recovering else p.press
        self._tilt = np.eye(3)
        self._height = height
        self._start_z = float(world_p_sole[2])
        self._start_R = np.array(world_R_sole)
        yaw = float(np.arctan2(world_R_sole[1, 0], world_R_sole[0, 0]))
        self._planar = at_rest(np.array([*world_p_sole[:2], yaw]))
        self._z = (self._start_z, 0.0, 0.0)
        self._start_yaw = yaw

    @property
    def world_p_sole(self) -> Array:
        """Where the sole's middle is meant to be now (3,) [m]."""
        return np.array([*self._planar.p[:2], self._z[0]])

    def take_up(self, world_p_sole: Array) -> None:
        """Go on from where the foot really is (3,) [m]: it was held up on its way."""
        yaw = self._planar.p[2]
        self._planar = at_rest(np.array([*world_p_sole[:2], yaw]))

    def step(
        self,
        goal: Array,
        time_left: float,
        dt: float,
        *,
        tilt: Array | None = None,
        around: Array | None = None,
    ) -> None:
        """Go on for dt.

        Args:
            goal: x, y, z of the sole's middle [m] and its heading [rad] (4,).
            time_left: Until landing [s].
            dt: Step [s].
            tilt: The floor's rotation from level (3, 3), if it is not.
            around: Axes on the floor (2, 2) of a foot that is to be passed ahead or
                behind, if one is.
        """
        left = max(time_left, dt)
        rate = (1.0 - self.phase) / left
        self.phase = min(1.0, self.phase + rate * dt)
        turn = np.arctan2(
            np.sin(goal[3] - self._planar.p[2]), np.cos(goal[3] - self._planar.p[2])
        )
        target = np.array([goal[0], goal[1], self._planar.p[2] + turn])
        if left > self._p.still + dt:
            self._planar = self._on_the_way(target, left, dt, around)
        else:
            self._planar = QuinticPoint(self._planar.p, np.zeros(3), np.zeros(3))
        self._z = self._vertical(float(goal[2]) - self._p.below, rate, dt)
        self._tilt = np.eye(3) if tilt is None else tilt

    def _on_the_way(
        self, target: Array, left: float, dt: float, around: Array | None
    ) -> QuinticPoint:
        """Return where the foot is dt later; around another one first ahead or back."""
        now, goal, p = self._planar, at_rest(target), self._p
        last = quintic_step(now, goal, left - p.still, dt)
        if around is None:
            return last
        whole = left / max(1.0 - self.phase, 1e-3)
        soon = max(left - p.still - p.around * whole, 2.0 * dt)
        first = quintic_step(now, goal, soon, dt)
        parts = []
        for early, late in ((first.p, last.p), (first.v, last.v), (first.a, last.a)):
            ahead, aside = (around.T @ early[:2])[0], (around.T @ late[:2])[1]
            parts.append(np.array([*(around @ (ahead, aside)), late[2]]))
        return QuinticPoint(*parts)

    def _vertical(
        self, goal: float, rate: float, dt: float
    ) -> tuple[float, float, float]:
        """Return height, speed and acceleration: a bump over a straight line."""
        s = self.phase
        if s >= 1.0:
            self.lateness += dt
            return goal - self._press * self.lateness, -self._press, 0.0
        bump, dbump, ddbump = self._bump(s)
        m, dm, ddm = _smooth(s)
        rise = goal - self._start_z
        # A foot that is held up need not rise first.
        h = max(self._height - max(-rise - self._height, 0.0), 0.0)
        return (
            self._start_z + rise * m + h * bump,
            (rise * dm + h * dbump) * rate,
            (rise * ddm + h * ddbump) * rate * rate,
        )

    def acceleration(
        self, world_p_sole: Array, world_R_sole: Array, velocity: Array
    ) -> Array:
        """Return the acceleration (6,) that keeps a sole on the path.

        Args:
            world_p_sole: Where it is (3,) [m].
            world_R_sole: Its axes (3, 3).
            velocity: Linear and angular (6,).
        """
        p = np.array([*self._planar.p[:2], self._z[0]])
        v = np.array([*self._planar.v[:2], self._z[1], 0.0, 0.0, self._planar.v[2]])
        a = np.array([*self._planar.a[:2], self._z[2], 0.0, 0.0, self._planar.a[2]])
        share = min(1.0, 2.0 * self.phase)
        level = self._tilt @ about_z(float(self._planar.p[2]))
        goal_R = level
        if share < 1.0:
            start = about_z(float(self._planar.p[2] - self._start_yaw)) @ self._start_R
            goal_R = start @ turned_by(share * rotation_vector(start.T @ level))
        error = np.concatenate(
            [p - world_p_sole, rotation_vector(goal_R @ world_R_sole.T)]
        )
        return a + self._p.stiffness * error + self._p.damping * (v - velocity)

    def _high_bump(self, s: float) -> tuple[float, float, float]:
        """Return a bump that is 1 for some time, and its derivatives."""
        up, down = self._p.up, self._p.down
        if s < up:
            m, dm, ddm = _smooth(s / up)
            return m, dm / up, ddm / up**2
        m, dm, ddm = _smooth(max(0.0, (s - down) / (1.0 - down)))
        return 1.0 - m, -dm / (1.0 - down), -ddm / (1.0 - down) ** 2


def _bump(s: float) -> tuple[float, float, float]:
    """Return 64 s^3 (1 - s)^3: height 1, at rest at both ends; and its derivatives."""
    c, dc = s * (1.0 - s), 1.0 - 2.0 * s
    return 64.0 * c**3, 192.0 * c * c * dc, 384.0 * c * dc * dc - 384.0 * c * c


def _smooth(s: float) -> tuple[float, float, float]:
    """Return the minimum-jerk way from 0 to 1 and its derivatives."""
    c = s * (1.0 - s)
    m = s**3 * (10.0 + s * (6.0 * s - 15.0))
    return m, 30.0 * c * c, 60.0 * c * (1.0 - 2.0 * s)
