"""A robot's hand that follows a person's, sample by sample."""

from __future__ import annotations

import numpy as np
from telexist.retarget.hands.finger_step import HandArrays, step_fingers
from telexist.retarget.hands.one_euro import OneEuro
from telexist.retarget.hands.person_hand import (
    closing_of,
    landmarks,
    palm_points,
    read_hand,
)
from telexist.retarget.hands.robot_hand import (
    FINGERS,
    RobotGripper,
    RobotHand,
    open_and_closed,
)
from telexist.retarget.so3 import Array

__all__ = ["HandFollower"]

W_PINCH = 3.0  # of a pinch that is far from closed
W_TOUCH = 200.0  # of one that is closed
NEAR = 0.6  # thumb lengths at which a pinch begins to matter
TOUCH = 0.15  # thumb lengths at which the tips must meet
W_CURL = 0.02  # of the posture that is as far closed as the person's finger
W_LAST = 0.1  # of where it was, at 60 Hz
PERIOD = 1.0 / 60.0  # [s]
CLOSING_TIME = 0.25  # [s] of jaws, at least
MAX_SPEED = 15.0  # [rad/s] or lengths: 0.25 rad in a sample of 60 Hz


class HandFollower:
    """Joint positions of one hand for a stream of a person's hands.

    Attributes:
        q: Positions of all joints, in the order of `joints` (n,) [rad] or [m].
    """

    def __init__(self, hand: RobotHand | RobotGripper) -> None:
        """Begin with an open hand."""
        self.joints = hand.linkage.joints
        self._side = hand.side
        self._filter = OneEuro()
        self._way: _Fingers | _Jaws
        if isinstance(hand, RobotHand):
            self._way = _Fingers(hand)
        else:
            self._way = _Jaws(hand)
        self.q = self._way.q

    def reset(self) -> None:
        """Begin anew, with an open hand and without a past."""
        self._filter.reset()
        self._way.reset()
        self.q = self._way.q

    def step(self, points: Array, dt: float) -> Array:
        """Follow one sample.

        Args:
            points: The person's 25 WebXR joints or 21 MediaPipe landmarks, in any
                frame (25, 3) or (21, 3) [m]; with one that is not finite, or that are
                no hand, the robot's hand stays where it is.
            dt: Time since the sample before [s].

        Returns:
            `q`.

        Raises:
            BadInput: If there are not 21 or 25 points.
        """
        seen = landmarks(np.asarray(points, dtype=np.float64))
        if seen is not None and 0.0 < dt < np.inf:
            filtered = self._filter.step(palm_points(seen, self._side), dt)
            self.q = self._way.step(filtered, min(dt, 4.0 * PERIOD))
        return self.q


class _Fingers:
    """Every finger after the person's."""

    def __init__(self, hand: RobotHand) -> None:
        self._hand = hand
        self._arrays = _arrays(hand)
        self._drives = hand.linkage.drives
        self._person = np.array([FINGERS.index(k.name) for k in hand.fingers])
        self._speed = _drive_speeds(hand)
        n, m = len(hand.fingers), len(self._drives)
        self._goals = np.zeros((2, n, 3))
        self._weights = np.ones((2, n))
        self._rest, self._box = np.zeros((2, m)), np.zeros((2, m))
        self._rest[1] = W_CURL + W_LAST
        self._straight, self._curled, self._curl_of = _rest_postures(hand)
        self.reset()

    def reset(self) -> None:
        self._x = self._straight.copy()
        self.q = self._positions()

    def step(self, points: Array, dt: float) -> Array:
        person, arrays, x = read_hand(points), self._arrays, self._x
        palm = self._hand.palm
        self._goals[0] = person.tips[self._person] @ palm.T
        others = self._person[1:] - 1
        self._goals[1, 1:] = person.pinches[others] @ palm.T
        apart = (person.pinches[others] ** 2).sum(axis=1)
        self._weights[1, 0] = 0.0
        self._weights[1, 1:] = W_PINCH * np.exp(-apart / NEAR**2)
        self._weights[1, 1:] += W_TOUCH * np.exp(-apart / TOUCH**2)
        curl = person.curls[self._curl_of]
        prior = self._straight + curl * (self._curled - self._straight)
        last = W_LAST * PERIOD / dt
        self._rest[0] = (W_CURL * prior + last * x) / (W_CURL + last)
        self._rest[1] = W_CURL + last
        np.maximum(arrays.lower, x - self._speed * dt, out=self._box[0])
        np.minimum(arrays.upper, x + self._speed * dt, out=self._box[1])
        step_fingers(arrays, self._goals, self._weights, self._rest, self._box, x)
        self.q = self._positions()
        return self.q

    def _positions(self) -> Array:
        linkage = self._hand.linkage
        q = np.clip(np.zeros(len(linkage.joints)), linkage.lower, linkage.upper)
        q[self._drives] = self._x
        return linkage.follow(q)


class _Jaws:
    """Jaws close as far as the person's fingers, or as thumb and index meet."""

    def __init__(self, hand: RobotGripper) -> None:
        self._hand = hand
        self.reset()

    def reset(self) -> None:
        self._closed = 0.0
        self.q = self._hand.opened

    def step(self, points: Array, dt: float) -> Array:
        wanted = closing_of(read_hand(points))
        most = dt / CLOSING_TIME
        self._closed += float(np.clip(wanted - self._closed, -most, most))
        hand = self._hand
        self.q = hand.opened + self._closed * (hand.closed - hand.opened)
        return self.q


def _arrays(hand: RobotHand) -> HandArrays:
    linkage = hand.linkage
    n, drives, f = len(linkage.joints), linkage.drives, len(hand.fingers)
    number = np.full(n, -1)
    number[drives] = np.arange(len(drives))
    drive = number[linkage.leader]
    still = np.clip(np.zeros(n), linkage.lower, linkage.upper)
    fixed = linkage.follow(still)
    moves = np.zeros((n + 1, n), dtype=bool)
    for body in range(1, n + 1):
        moves[body, list(linkage.path(body))] = True
    m = len(drives)
    return HandArrays(
        parent=linkage.parent.astype(np.int64),
        rotation=np.ascontiguousarray(linkage.rotation),
        position=np.ascontiguousarray(linkage.position),
        axis=np.ascontiguousarray(linkage.axis),
        slides=np.ascontiguousarray(linkage.slides),
        drive=drive.astype(np.int64),
        multiplier=np.ascontiguousarray(linkage.multiplier),
        offset=np.where(drive >= 0, linkage.offset, fixed),
        moves=moves,
        ends=np.array([(k.base_body, k.tip_body) for k in hand.fingers], np.int64),
        end_points=np.array([(k.base, k.tip) for k in hand.fingers]),
        length=np.array([k.length for k in hand.fingers]),
        lower=np.ascontiguousarray(linkage.lower[drives]),
        upper=np.ascontiguousarray(linkage.upper[drives]),
        R=np.zeros((n + 1, 3, 3)),
        p=np.zeros((n + 1, 3)),
        own_axis=np.zeros((n, 3)),
        bases=np.zeros((f, 3)),
        tips=np.zeros((f, 3)),
        J=np.zeros((2, f, 3, m)),
        H=np.zeros((m, m)),
        g=np.zeros(m),
        L=np.zeros((m, m)),
        y=np.zeros(m),
        dx=np.zeros(m),
        free=np.zeros(m, dtype=np.int64),
        best=np.zeros(m),
        damping=np.full(1, 1e-2),
    )


def _drive_speeds(hand: RobotHand) -> Array:
    """Return speeds at which neither drives nor their followers are too fast (m,)."""
    linkage = hand.linkage
    factor = np.abs(linkage.multiplier)
    fastest = np.minimum(linkage.velocity, MAX_SPEED)
    most = np.full(len(linkage.joints), np.inf)
    moving = factor > 0.0
    np.minimum.at(most, linkage.leader[moving], fastest[moving] / factor[moving])
    return np.asarray(most[linkage.drives])


def _rest_postures(hand: RobotHand) -> tuple[Array, Array, np.ndarray]:
    """Return each drive straight and curled (m,), and whose curl moves it (m,)."""
    linkage = hand.linkage
    drives = list(linkage.drives)
    straight, curled = open_and_closed(hand)
    whose = np.zeros(len(drives), dtype=int)
    for finger in hand.fingers:
        for i in finger.path:
            leader = int(linkage.leader[i])
            if leader in drives:
                whose[drives.index(leader)] = FINGERS.index(finger.name)
    return straight[drives], curled[drives], whose
