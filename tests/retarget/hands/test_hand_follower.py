"""Fingers that follow: pinches close, limits hold, no leap, left as right."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import pinocchio
import pytest
from scipy.optimize import least_squares
from telexist.retarget.errors import BadInput
from telexist.retarget.hands import (
    FINGERS,
    HandFollower,
    RobotFinger,
    RobotHand,
    find_hand,
    standard_hand,
)
from telexist.retarget.so3 import exp_so3
from telexist.robots.description import RobotModel
from telexist.robots.hands import robot_hands

FindHand = Callable[[str, str], RobotHand]
DT = 1.0 / 60.0
HANDS = ["allegro", "ergocub", "g1_hands"]


@cache
def person() -> ModuleType:
    """Return `moving_hand.py`, which lies beside this file."""
    place = Path(__file__).with_name("moving_hand.py")
    spec = importlib.util.spec_from_file_location("moving_hand", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def frames(side: str) -> np.ndarray:
    return person().motion(side)[0]


def follow(hand: RobotHand, points: np.ndarray) -> np.ndarray:
    follower = HandFollower(hand)
    return np.array([follower.step(frame, DT) for frame in points])


def gap(hand: RobotHand, finger: int, q: np.ndarray) -> np.ndarray:
    """Return from the thumb's tip to a finger's, by plain products of matrices."""
    ends = []
    for k in (0, finger):
        place = np.append(hand.fingers[k].tip, 1.0)
        for i in reversed(hand.fingers[k].path):
            linkage = hand.linkage
            move, turn = np.eye(4), np.eye(4)
            move[:3, :3], move[:3, 3] = linkage.rotation[i], linkage.position[i]
            if linkage.slides[i]:
                turn[:3, 3] = q[i] * linkage.axis[i]
            else:
                turn[:3, :3] = pinocchio.exp3(q[i] * linkage.axis[i])
            place = move @ turn @ place
        ends.append(place[:3])
    return ends[1] - ends[0]


def least_gap(hand: RobotHand, finger: int) -> float:
    """Return how near the tips can come at all [m]: a solver that is not ours."""
    linkage, rng, best = hand.linkage, np.random.default_rng(0), np.inf
    drives = linkage.drives
    low, high = linkage.lower[drives], linkage.upper[drives]

    def distance(x: np.ndarray) -> np.ndarray:
        q = np.clip(np.zeros(len(linkage.joints)), linkage.lower, linkage.upper)
        q[drives] = x
        return 100.0 * gap(hand, finger, linkage.follow(q))

    for _ in range(6):
        start = low + (high - low) * rng.uniform(0.05, 0.95, len(drives))
        found = least_squares(distance, start, bounds=(low, high), max_nfev=40)
        best = min(best, float(np.linalg.norm(found.fun)) / 100.0)
        if best < 1e-4:
            break
    return best


@pytest.mark.parametrize("name", HANDS)
def test_pinches_close_limits_hold_and_nothing_leaps(
    name: str, hand_of: FindHand
) -> None:
    hand = hand_of(name, "right")
    q = follow(hand, frames("right"))
    linkage = hand.linkage
    assert (q >= linkage.lower - 1e-12).all()
    assert (q <= linkage.upper + 1e-12).all()
    np.testing.assert_allclose(linkage.follow(q), q, atol=1e-12)
    assert np.abs(np.diff(q, axis=0)).max() <= 0.3
    for frame, finger in person().motion("right")[1].items():
        if finger + 1 < len(hand.fingers):
            reached = np.linalg.norm(gap(hand, finger + 1, q[frame]))
            assert reached <= least_gap(hand, finger + 1) + 0.002, FINGERS[finger + 1]


@pytest.mark.parametrize("name", HANDS)
def test_a_fist_is_closed_and_an_open_hand_straight(
    name: str, hand_of: FindHand
) -> None:
    hand = hand_of(name, "right")
    q = follow(hand, frames("right"))
    fist = q[9 * 48 - 1]  # the ninth posture: 24 frames to it, 24 in it
    for finger in hand.fingers[1:]:

        def reach(at: np.ndarray, finger: RobotFinger = finger) -> float:
            origins, tip = hand.linkage.place(finger.path, at, finger.tip)
            return float(np.linalg.norm(tip - origins[0])) / finger.length

        assert reach(q[0]) > 0.9
        assert reach(fist) < max(0.5, reach(finger.curled) + 0.1)


@pytest.mark.parametrize("name", HANDS)
def test_a_mirrored_hand_does_exactly_what_a_hand_does(
    name: str, hand_of: FindHand
) -> None:
    """Mirrored are geometry and person; so all joint positions stay what they are."""
    right = hand_of(name, "right")
    linkage, S = right.linkage, np.diag([1.0, -1.0, 1.0])
    turns = ~linkage.slides[:, None]
    mirrored = replace(
        linkage,
        rotation=S @ linkage.rotation @ S,
        position=linkage.position @ S,
        axis=np.where(turns, -linkage.axis @ S, linkage.axis @ S),
        points=tuple(points @ S for points in linkage.points),
        com=linkage.com @ S,
    )
    left = find_hand(mirrored, "left")
    assert isinstance(left, RobotHand)
    np.testing.assert_allclose(left.palm, S @ right.palm, atol=1e-9)
    q = follow(right, frames("right")[::2])
    np.testing.assert_allclose(follow(left, frames("left")[::2]), q, atol=1e-6)


def test_noise_size_and_place_of_the_person_do_not_matter(hand_of: FindHand) -> None:
    hand = hand_of("allegro", "right")
    still = follow(hand, frames("right"))
    R = exp_so3(np.array([0.4, -1.2, 2.0]))
    moved = 1.25 * frames("right") @ R.T + np.array([0.3, -2.0, 1.0])
    np.testing.assert_allclose(follow(hand, moved), still, atol=0.1)
    rng = np.random.default_rng(1)
    noisy = follow(hand, frames("right") + rng.normal(0.0, 1e-3, (len(still), 25, 3)))
    assert np.abs(np.diff(noisy, axis=0)).max() <= 0.3
    assert np.sqrt(np.mean((noisy - still) ** 2)) < 0.1


def test_21_landmarks_say_what_25_joints_say(hand_of: FindHand) -> None:
    hand = hand_of("g1_hands", "right")
    kept = [k for k in range(25) if k not in (5, 10, 15, 20)]
    points = frames("right")[:60]
    np.testing.assert_array_equal(follow(hand, points[:, kept]), follow(hand, points))


def test_a_hand_that_is_not_seen_stays_where_it_is(hand_of: FindHand) -> None:
    follower = HandFollower(hand_of("allegro", "right"))
    q = follower.step(standard_hand(person().fist(), "right"), DT).copy()
    lost = standard_hand(person().spread(), "right")
    lost[7, 1] = np.nan
    for points in (lost, np.zeros((25, 3)), np.full((21, 3), 1e30)):
        np.testing.assert_array_equal(follower.step(points, DT), q)
    np.testing.assert_array_equal(follower.step(frames("right")[0], np.nan), q)
    with pytest.raises(BadInput, match="25 or 21"):
        follower.step(np.zeros((5, 3)), DT)


def test_a_gripper_closes_with_the_fingers(
    robot_of: Callable[[str], RobotModel],
) -> None:
    hand = robot_hands(robot_of("baxter"))["right"]
    for posture, end in ((person().fist(), hand.closed), (person().pinch(0), None)):
        follower = HandFollower(hand)
        assert (follower.q == hand.opened).all()
        for _ in range(60):
            follower.step(standard_hand(posture, "right"), DT)
        np.testing.assert_allclose(
            follower.q, hand.closed if end is None else end, atol=2e-3
        )
        for _ in range(60):
            follower.step(standard_hand(person().spread(), "right"), DT)
        np.testing.assert_allclose(follower.q, hand.opened, atol=4e-3)
