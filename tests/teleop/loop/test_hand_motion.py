"""Fingers in the loop: followed where they are shown, closed where a number says so."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.retarget.hands import OPEN_HAND, standard_hand
from telexist.retarget.signals import HumanFrame
from telexist.robots.base import HandCommand
from telexist.robots.description import RobotModel, load_robot
from telexist.teleop.loop import HandMotion

FIST = np.array([[0.3, 0.6, 0.8, 0.9]] + 4 * [[0.0, 1.5, 1.7, 1.0]])
DT = 1.0 / 60.0
ROUNDING = 1e-9


def frame(k: int, closed: tuple[float | None, float | None]) -> HumanFrame:
    """Return a sample whose hands are closed so far; None is not seen."""
    points = np.full((2, 25, 3), np.nan)
    for i, (side, share) in enumerate(zip(("left", "right"), closed, strict=True)):
        if share is not None:
            points[i] = standard_hand(OPEN_HAND + share * (FIST - OPEN_HAND), side)
    return HumanFrame(
        stamp=k * DT,
        segments=("Head",),
        rotations=np.eye(3)[None],
        angular_velocities=np.zeros((1, 3)),
        hand_points=points,
    )


def follow(
    hands: HandMotion, closed: list[tuple[float | None, float | None]]
) -> np.ndarray:
    """Return the finger joints that are commanded for each sample (t, k)."""
    rows = []
    for k, shares in enumerate(closed):
        hands.follow(frame(k, shares))
        command = hands.command(None, DT)
        assert command is not None
        rows.append(command.fingers)
    return np.array(rows)


def limits(robot: RobotModel, joints: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    known = [robot.urdf.joints[name].limits for name in joints]
    return np.array([k.lower for k in known]), np.array([k.upper for k in known])


@pytest.mark.parametrize("name", ["g1_hands", "ergocub"])
def test_fingers_follow_inside_limits_without_leaps(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    hands = HandMotion(robot)
    rng = np.random.default_rng(1)
    way = 0.5 - 0.5 * np.cos(np.arange(180) * DT * np.pi)
    wild = rng.random(60).round()  # open and shut from one sample to the next
    q = follow(hands, [(s, s) for s in (*way, *wild)])
    lower, upper = limits(robot, hands.joints)
    assert np.all(q >= lower - ROUNDING)
    assert np.all(q <= upper + ROUNDING)
    assert np.abs(np.diff(q, axis=0)).max() <= 0.3
    assert np.abs(q[60] - q[0]).max() > 1.0  # [rad] a fist


def test_the_hands_are_told_apart(robot_of: Callable[[str], RobotModel]) -> None:
    hands = HandMotion(robot_of("g1_hands"))
    q = follow(hands, [(1.0, 0.0)] * 90)
    left = np.array([name.startswith("left") for name in hands.joints])
    assert np.abs(q[-1] - q[0])[left].max() > 1.0
    thumb = np.array(["thumb" in name for name in hands.joints])
    assert np.abs(q[-1] - q[0])[~left & ~thumb].max() < 0.3


def test_a_hand_that_is_not_seen_stays(robot_of: Callable[[str], RobotModel]) -> None:
    hands = HandMotion(robot_of("g1_hands"))
    follow(hands, [(1.0, 1.0)] * 120)
    q = follow(hands, [(None, 0.0)] * 60)
    left = np.array([name.startswith("left") for name in hands.joints])
    assert np.abs(q[-1] - q[0])[left].max() < 1e-3
    assert np.abs(q[-1] - q[0])[~left].max() > 0.5


def test_a_closing_moves_the_fingers_of_a_hand_that_shows_none(
    robot_of: Callable[[str], RobotModel],
) -> None:
    robot = robot_of("g1_hands")
    hands = HandMotion(robot)
    command = None
    for _ in range(120):
        command = hands.command(HandCommand(left=1.0), DT)
    assert command is not None
    assert command.fingers is not None
    ends = [ends for side in robot.spec.grips.values() for ends in side.values()]
    wanted = np.array([e[1] for e in ends[:7]] + [e[0] for e in ends[7:]])
    assert command.fingers == pytest.approx(wanted, abs=0.01)


def test_a_robot_without_fingers_gets_the_closing() -> None:
    hands = HandMotion(load_robot("human48"))
    assert hands.command(None, DT) is None
    hands.follow(frame(0, (1.0, 0.0)))
    command = hands.command(None, DT)
    assert command is not None
    assert command.fingers is None
    assert (command.left, command.right) == pytest.approx((1.0, 0.0), abs=0.15)
