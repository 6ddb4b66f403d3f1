"""A lifted foot that follows the operator's, and is put down again.

The operator's leg says where the sole would be, seen from the base. The foot follows as
far as the floor and the standing leg allow: no corner of its sole comes nearer to the
floor than a clearance, and it stays on its own side of the standing foot. It moves
aside only after it has risen, and comes down only over its place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.robot_body import Sole
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.geometry import (
    BoundedFollower,
    about_z,
    rotation_vector,
    turned_by,
)
from telexist.teleop.controllers.parameters import FreeFootParameters

__all__ = ["FreeFoot", "SoleGoal", "StandingFoot"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SoleGoal:
    """Where the operator's leg has the sole; world axes.

    Attributes:
        p: Its middle (3,) [m].
        R: Its axes (3, 3).
        v: Its velocity, linear first (6,).
    """

    p: Array
    R: Array
    v: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingFoot:
    """What the free foot must keep away from.

    Attributes:
        p: Middle of the standing sole (3,) [m].
        yaw: Its heading [rad].
        floor: Height of the floor [m].
    """

    p: Array
    yaw: float
    floor: float


class FreeFoot:
    """Path of one foot in the air, from lifting to standing again.

    Attributes:
        lowering: Whether it is on its way down.
        pressing: Since when it should have landed [s]; 0 before.
    """

    def __init__(
        self,
        p: Array,
        R: Array,
        *,
        sole: Sole,
        side: float,
        clearance: float,
        width: float,
        parameters: FreeFootParameters | None = None,
    ) -> None:
        """Start where the foot stands.

        Args:
            p: Middle of the sole (3,) [m].
            R: Its axes (3, 3).
            sole: Its size.
            side: 1 for the left foot, -1 for the right one.
            clearance: From the floor, when lifted [m].
            width: Least distance aside from the standing foot's middle [m].
            parameters: Of every free foot.
        """
        self._p = q = parameters or FreeFootParameters()
        self._corners, self._side = sole.corners(), side
        self._clearance, self._width = clearance, width
        self._place = p[:2].copy()
        self._level = about_z(float(np.arctan2(R[1, 0], R[0, 0])))
        tilt = rotation_vector(R @ self._level.T)
        self._path = BoundedFollower(
            np.concatenate([p, tilt]),
            stiffness=q.pursuit,
            speed=np.repeat([q.speed, q.turn_speed], 3),
            acceleration=np.repeat([q.acceleration, q.turn_acceleration], 3),
        )
        self.lowering, self.pressing = False, 0.0

    @property
    def world_p_sole(self) -> Array:
        """Where the sole's middle is meant to be now (3,) [m]."""
        return self._path.p[:3].copy()

    def follow(
        self, wanted: SoleGoal, standing: StandingFoot, dt: float, *, now: Array
    ) -> None:
        """Go on for dt [s] to where the operator's leg has the sole.

        Args:
            wanted: The operator's.
            standing: What to keep away from.
            dt: Step [s].
            now: Axes of the sole as it is (3, 3): an ankle at its limit may tilt it.
        """
        least = self._least_height(now, standing)
        goal, velocity = np.empty(6), wanted.v.copy()
        tilt = rotation_vector(wanted.R @ self._level.T)
        goal[:2] = self._aside(wanted.p[:2], standing)
        goal[2] = max(wanted.p[2], self._least_height(self._tilted(tilt), standing))
        blocked = np.abs(goal[:3] - wanted.p)
        # A foot that cannot be where it should has no reason to be tilted like that.
        flat = max(0.0, 1.0 - float(blocked.sum()) / self._p.blocked)
        most = self._p.most_tilt
        goal[3:] = np.clip(flat * tilt, -most, most)
        least = max(least, self._least_height(self._tilted(goal[3:]), standing))
        goal[2] = max(wanted.p[2], least)
        velocity[:3][blocked > 1e-9] = 0.0
        velocity[3:] *= flat
        self._go(goal, velocity, standing, dt)

    def _tilted(self, tilt: Array) -> Array:
        """Return axes (3, 3) of a sole that is turned from level by a vector (3,)."""
        return turned_by(tilt) @ self._level

    def _least_height(self, R: Array, standing: StandingFoot) -> float:
        """Return how high the middle of a tilted sole must be for its corners [m]."""
        lowest = float((self._corners @ R[2]).min())
        return standing.floor + self._clearance - lowest

    def lower(self, standing: StandingFoot, dt: float) -> None:
        """Go on for dt [s] to stand where the foot was lifted."""
        self.lowering, p = True, self._p
        goal = np.zeros(6)
        goal[:2] = self._aside(self._place, standing)
        now = self._path.p
        aside = float(np.hypot(*(goal[:2] - now[:2])))
        tilted = float(np.hypot(now[3], now[4])) > p.level
        goal[2] = standing.floor + self._clearance
        velocity = np.zeros(6)
        if self.pressing > 0.0 or (aside < p.over_place and not tilted):
            goal[2], velocity[2] = now[2] - p.down_speed * 0.1, -p.down_speed
            if now[2] < standing.floor:
                self.pressing += dt
        self._go(goal, velocity, standing, dt)

    def _go(
        self, goal: Array, velocity: Array, standing: StandingFoot, dt: float
    ) -> None:
        """Follow a goal; aside only as far as the foot has risen."""
        if not self.lowering:
            risen = (self._path.p[2] - standing.floor) / self._clearance
            share = min(max(2.0 * risen - 0.5, 0.0), 1.0)
            goal[:2] = self._place + share * (goal[:2] - self._place)
            velocity[:2] *= share
        self._path.step(goal, velocity, dt)

    def _aside(self, place: Array, standing: StandingFoot) -> Array:
        """Return a place (2,) kept on the foot's own side of the standing one."""
        c, s = np.cos(standing.yaw), np.sin(standing.yaw)
        left = np.array([-s, c])
        gap = self._side * float(left @ (place - standing.p[:2]))
        return place + max(self._width - gap, 0.0) * self._side * left

    def acceleration(self, p: Array, R: Array, v: Array) -> Array:
        """Return the acceleration (6,) that keeps a sole on the path.

        Args:
            p: Its middle (3,) [m].
            R: Its axes (3, 3).
            v: Its velocity, linear first (6,).
        """
        path, q = self._path, self._p
        goal_R = self._tilted(path.p[3:])
        error = np.concatenate([path.p[:3] - p, rotation_vector(goal_R @ R.T)])
        return path.a + q.stiffness * error + q.damping * (path.v - v)
