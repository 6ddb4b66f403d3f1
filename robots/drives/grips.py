"""Hands that open and close: fingers between two postures, within their bounds.

One number says how far a hand is closed. It obeys the rule of all other joints
(`command_limiter.py`), with a speed and an acceleration that every finger of the
hand can follow; so a hand may be told anything at any time.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.segments import SIDES
from telexist.retarget.so3 import Array
from telexist.robots.base import HandCommand
from telexist.robots.description import RobotModel
from telexist.robots.drives.bounded_speeds import move_joints, speeds_towards
from telexist.robots.drives.command_limiter import (
    ACCELERATION_PER_SPEED,
    MAX_ACCELERATION,
    MAX_SPEED,
)

__all__ = ["Grips", "grip_joints"]

CLOSING_TIME = 0.5  # [s] from open to closed at full speed, or longer with slow joints
CATCH_UP = 0.5  # of the acceleration is used to come to rest where a hand should be
NO_SUMS = (np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros(0))
NO_FOLLOWERS = (np.zeros((0, 2), dtype=np.int64), np.zeros((0, 2)))


def grip_joints(robot: RobotModel) -> tuple[str, ...]:
    """Return the finger joints of both hands."""
    grips = robot.spec.grips
    return tuple(joint for side in SIDES for joint in grips.get(side, ()))


class Grips:
    """Where the fingers are to be, and how they move.

    Attributes:
        joints: Finger joints of the left, then the right hand.
        closed: How far the hands are closed at the end of the last step (2,), 0 to 1.
        q: Positions of the finger joints at its begin (k,) [rad] or [m].
        dq: Their speeds from its begin to its end (k,).
        ddq: Accelerations that led to these speeds (k,).
    """

    def __init__(self, robot: RobotModel) -> None:
        """Start with open hands."""
        self.joints = grip_joints(robot)
        grips = [robot.spec.grips.get(side, {}) for side in SIDES]
        ends = [positions for grip in grips for positions in grip.values()]
        limits = [robot.urdf.joints[joint].limits for joint in self.joints]
        lower = [-np.inf if k.lower is None else k.lower for k in limits]
        upper = [np.inf if k.upper is None else k.upper for k in limits]
        self._open, closed = np.clip(np.reshape(ends, (-1, 2)).T, lower, upper)
        self._way = closed - self._open
        self._side = np.repeat([0, 1], [len(grip) for grip in grips])
        speed = np.minimum([k.velocity or MAX_SPEED for k in limits], MAX_SPEED)
        rate = np.minimum(self._possible(speed), 1.0 / CLOSING_TIME)
        most = self._possible(np.full(len(limits), MAX_ACCELERATION))
        acceleration = np.minimum(ACCELERATION_PER_SPEED * rate, most)
        self._bounds = (np.zeros(2), np.ones(2), rate, acceleration)
        self._wanted, self._goal, self.closed = np.zeros((3, 2))
        self._rate = np.zeros(2)
        self.q: Array = self._open
        self.dq, self.ddq = np.zeros((2, len(self.joints)))

    def want(self, hands: HandCommand) -> None:
        """Ask for hands; what is not finite is ignored."""
        asked = np.clip([hands.left, hands.right], 0.0, 1.0)
        self._wanted = np.where(np.isfinite(asked), asked, self._wanted)

    def step(self, dt: float) -> None:
        """Let `dt` [s] pass, above 0."""
        before, last = self.closed, self._rate
        goal, wanted, closed, rate = np.empty((4, 2))
        lower, upper, _, acceleration = self._bounds
        approach = CATCH_UP * acceleration
        speeds_towards(
            self._wanted, self._goal, before, approach, lower, upper, dt, goal, wanted
        )
        still = np.empty(2, dtype=bool)
        move_joints(
            before,
            last,
            wanted,
            dt,
            self._bounds,
            NO_SUMS,
            NO_FOLLOWERS,
            closed,
            rate,
            still,
        )
        self._goal, self.closed, self._rate = goal, closed, rate
        self.q = self._open + before[self._side] * self._way
        self.dq = rate[self._side] * self._way
        self.ddq = (rate - last)[self._side] * self._way / dt

    def _possible(self, most: Array) -> Array:
        """Return for each hand the rate at which no joint moves by more (2,)."""
        way = np.maximum(np.abs(self._way), 1e-9)
        possible = np.full(2, np.inf)
        np.minimum.at(possible, self._side, most / way)
        return possible
