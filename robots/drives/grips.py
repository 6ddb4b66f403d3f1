"""Fingers: each joint goes where it is told, or where a closing of its hand has it.

A command tells joints one by one, or with one number how far a hand is closed. Either
way every joint obeys the rule of all others (`command_limiter.py`), so a hand may be
told anything at any time. Open and closed are as the `robot.toml` says (`[grips]`), or
as they were found in the model (`robots/hands`).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from telexist.retarget.hands import RobotGripper, RobotHand, open_and_closed
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
from telexist.robots.hands import robot_hands

__all__ = ["Grips", "grip_joints"]

CLOSING_TIME = 0.5  # [s] from open to closed at full speed, or longer with slow joints
CATCH_UP = 0.5  # of the acceleration is used to come to rest where a hand should be
FASTEST = 15.0  # [rad/s] of a finger's joint: 0.25 rad in a sample of 60 Hz
NO_FOLLOWERS = (np.zeros((0, 2), dtype=np.int64), np.zeros((0, 2)))

Ends = Mapping[str, tuple[float, float]]
"""Joint to its position in the open and in the closed hand."""


def grip_joints(robot: RobotModel) -> tuple[str, ...]:
    """Return the finger joints of both hands that are no joints of the body."""
    return tuple(joint for side in _ends(robot).values() for joint in side)


def _ends(robot: RobotModel) -> dict[str, Ends]:
    """Return how the fingers of each side close."""
    stated = {
        side: robot.spec.grips[side] for side in SIDES if side in robot.spec.grips
    }
    found = {} if len(stated) == len(SIDES) else robot_hands(robot)
    ends: dict[str, Ends] = {}
    for side in SIDES:
        if side in stated:
            ends[side] = stated[side]
        elif side in found:
            ends[side] = _found_ends(robot, found[side])
    return ends


def _found_ends(robot: RobotModel, hand: RobotHand | RobotGripper) -> Ends:
    joints = hand.linkage.joints
    if any(joint in robot.body.kinematics.joints for joint in joints):
        return {}  # the body has them
    opened, closed = open_and_closed(hand)
    return dict(zip(joints, zip(opened, closed, strict=True), strict=True))


class Grips:
    """Where the fingers are to be, and how they move.

    Attributes:
        joints: Finger joints of the left, then the right hand.
        closed: How far the hands were told to be closed (2,), 0 to 1, in their time.
        q: Positions of the finger joints at the last step's begin (k,) [rad] or [m].
        dq: Their speeds from its begin to its end (k,).
        ddq: Accelerations that led to these speeds (k,).
    """

    def __init__(self, robot: RobotModel, *, period: float = 0.0) -> None:
        """Start with open hands.

        Args:
            robot: The robot.
            period: Time between two commands [s], over which each is taken up.
        """
        hands = _ends(robot)
        self.joints = tuple(joint for ends in hands.values() for joint in ends)
        ends = [k for side in hands.values() for k in side.values()]
        limits = [robot.urdf.joints[joint].limits for joint in self.joints]
        lower = np.array([-np.inf if k.lower is None else k.lower for k in limits])
        upper = np.array([np.inf if k.upper is None else k.upper for k in limits])
        self._open, shut = np.clip(np.reshape(ends, (-1, 2)).T, lower, upper)
        self._way = shut - self._open
        counts = [len(hands.get(side, ())) for side in SIDES]
        self._side = np.repeat([0, 1], counts)
        speed = np.array([k.velocity or MAX_SPEED for k in limits])
        speed = np.minimum(speed, FASTEST)
        acceleration = np.minimum(ACCELERATION_PER_SPEED * speed, MAX_ACCELERATION)
        self._limits = (lower, upper, speed, acceleration)
        rate = np.minimum(self._possible(speed), 1.0 / CLOSING_TIME)
        most = self._possible(np.full(len(limits), MAX_ACCELERATION))
        rise = np.minimum(ACCELERATION_PER_SPEED * rate, most)
        self._hands = _Bounded(np.zeros(2), (np.zeros(2), np.ones(2), rate, rise))
        self._fingers = _Bounded(self._open, self._limits)
        self._wanted = np.zeros(2)
        self._told = np.full(len(self.joints), np.nan)
        self._goal, self._left, self._period = self._open.copy(), 0.0, period
        self.q: Array = self._open
        self.dq, self.ddq = np.zeros((2, len(self.joints)))

    @property
    def closed(self) -> Array:
        """How far the hands are closed by their number (2,)."""
        return self._hands.q

    def want(self, hands: HandCommand) -> None:
        """Ask for hands; what is not finite, or not for these fingers, is ignored."""
        asked = np.clip([hands.left, hands.right], 0.0, 1.0)
        self._wanted = np.where(np.isfinite(asked), asked, self._wanted)
        told = hands.fingers
        if told is None or len(told) != len(self.joints):
            self._told = np.full(len(self.joints), np.nan)
        else:
            self._told = np.where(np.isinf(told), np.nan, told)
        self._left = self._period

    def step(self, dt: float) -> None:
        """Let `dt` [s] pass, above 0."""
        self._hands.step(self._wanted, dt)
        goal = self._open + self._hands.q[self._side] * self._way
        told = np.isfinite(self._told)
        share = min(dt / self._left, 1.0) if self._left > dt else 1.0
        self._left = max(self._left - dt, 0.0)
        near = self._goal + share * (self._told - self._goal)
        self._goal = np.where(told, near, goal)
        self.q, last = self._fingers.q, self._fingers.dq
        self._fingers.step(self._goal, dt)
        self.dq = self._fingers.dq
        self.ddq = (self.dq - last) / dt

    def _possible(self, most: Array) -> Array:
        """Return for each hand the rate at which no joint moves by more (2,)."""
        way = np.maximum(np.abs(self._way), 1e-9)
        possible = np.full(2, np.inf)
        np.minimum.at(possible, self._side, most / way)
        return possible


class _Bounded:
    """Values that follow goals within bounds; none of them depends on another."""

    def __init__(self, q: Array, bounds: tuple[Array, Array, Array, Array]) -> None:
        self.q, self.dq = np.array(q), np.zeros(len(q))
        self._goal, self._bounds = self.q.copy(), bounds
        self._approach = CATCH_UP * bounds[3]
        n = len(q)
        self._sums = (np.zeros((0, n)), np.zeros(0), np.zeros(0), np.zeros(0))

    def step(self, asked: Array, dt: float) -> None:
        """Move towards `asked` for `dt`."""
        n = len(self.q)
        goal, wanted, moved, speed = np.empty((4, n))
        held = np.empty(n, dtype=bool)
        lower, upper, _, _ = self._bounds
        speeds_towards(
            asked, self._goal, self.q, self._approach, lower, upper, dt, goal, wanted
        )
        move_joints(
            self.q,
            self.dq,
            wanted,
            dt,
            self._bounds,
            self._sums,
            NO_FOLLOWERS,
            moved,
            speed,
            held,
        )
        self._goal, self.q, self.dq = goal, moved, speed
