"""The operator's fingers as the robot's: followed and bounded in every turn."""

from __future__ import annotations

import numpy as np
from telexist.retarget.hands import (
    OPEN_HAND,
    HandFollower,
    RobotHand,
    hand_closing,
    standard_hand,
)
from telexist.retarget.segments import SIDES
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array
from telexist.robots.base import HandCommand
from telexist.robots.description import RobotModel
from telexist.robots.drives import Grips
from telexist.robots.hands import robot_hands

__all__ = ["HandMotion"]

USUAL = 1.0 / 60.0  # [s] between two samples


class HandMotion:
    """Follows hands for a robot whose finger joints are no joints of its body.

    A hand that is shown joint by joint is followed so; one of which only a closing is
    known closes as a whole; one that is not seen stays where it is.

    Attributes:
        joints: The robot's finger joints, in the order of what is commanded.
    """

    def __init__(self, robot: RobotModel) -> None:
        """Find the robot's hands; they are open."""
        self._grips = Grips(robot)
        self.joints = self._grips.joints
        found = robot_hands(robot) if self.joints else {}
        self._hands = {
            side: _FollowedHand(hand, self.joints)
            for side, hand in found.items()
            if isinstance(hand, RobotHand) and {*hand.linkage.joints} & {*self.joints}
        }
        self._closed = dict.fromkeys(SIDES, 0.0)
        self._shown = False
        self._stamp: float | None = None

    def follow(self, frame: HumanFrame) -> None:
        """Take a new sample of the person."""
        points, before = frame.hand_points, self._stamp
        if points is None:
            return
        self._stamp, self._shown = frame.stamp, True
        dt = USUAL if before is None else frame.stamp - before
        for k, side in enumerate(SIDES):
            hand = self._hands.get(side)
            if hand is not None:
                hand.step(points[k], dt)
            closed = hand_closing(points[k], side)
            if closed is not None:
                self._closed[side] = closed

    def command(self, told: HandCommand | None, dt: float) -> HandCommand | None:
        """Return what the hands are to do after `dt` [s]; None if nobody said.

        Args:
            told: How far devices say that they are closed.
            dt: Time since the last command [s], above 0.
        """
        if told is None and not self._shown:
            return None
        left, right = (self._closed[side] for side in SIDES)
        numbers = told or HandCommand(left=left, right=right)
        if not self.joints:
            return numbers
        fingers = np.full(len(self.joints), np.nan)
        for hand in self._hands.values():
            hand.fill(fingers)
        wanted = HandCommand(left=numbers.left, right=numbers.right, fingers=fingers)
        self._grips.want(wanted)
        self._grips.step(dt)
        ahead = self._grips.q + dt * self._grips.dq
        return HandCommand(left=numbers.left, right=numbers.right, fingers=ahead)


class _FollowedHand:
    """Fingers of one hand, and where they are among all joints."""

    def __init__(self, hand: RobotHand, joints: tuple[str, ...]) -> None:
        self._follower = HandFollower(hand)
        self._follower.step(standard_hand(OPEN_HAND, hand.side), USUAL)  # compiles
        self._follower.reset()
        known = [k for k, name in enumerate(self._follower.joints) if name in joints]
        self._from = np.array(known, dtype=int)
        self._to = np.array([joints.index(self._follower.joints[k]) for k in known])
        self._seen = False

    def step(self, points: Array, dt: float) -> None:
        if np.isfinite(points).all():
            self._seen = True
            self._follower.step(points, dt)

    def fill(self, fingers: Array) -> None:
        if self._seen:
            fingers[self._to] = self._follower.q[self._from]
