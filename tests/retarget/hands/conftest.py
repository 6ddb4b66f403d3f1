"""Hands of robots that this machine has."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from telexist.retarget.hands import RobotHand, find_hand
from telexist.robots.description import RobotModel
from telexist.robots.hands import hand_linkage, robot_hands
from telexist.robots.urdf import Urdf, read_urdf


@pytest.fixture(scope="session")
def public_robots(robot_of: Callable[[str], RobotModel]) -> Path:
    """Return the folder of public robots in which the G1 is; skip without it."""
    return robot_of("g1_hands").urdf.path.parents[2]


@pytest.fixture(scope="session")
def allegro(public_robots: Path) -> Callable[[str], Urdf]:
    """Return a reader of the Allegro hand of a side."""

    @cache
    def read(side: str) -> Urdf:
        folder = public_robots / "allegro_hand_description" / "urdf"
        return read_urdf(folder / f"allegro_{side}_hand.urdf")

    return read


@pytest.fixture(scope="session")
def hand_of(
    robot_of: Callable[[str], RobotModel], allegro: Callable[[str], Urdf]
) -> Callable[[str, str], RobotHand]:
    """Return a finder of the hand of a robot on a side."""

    @cache
    def find(name: str, side: str) -> RobotHand:
        if name == "allegro":
            urdf = allegro(side)
            hand = find_hand(hand_linkage(urdf, urdf.root), side)
        else:
            hand = robot_hands(robot_of(name))[side]
        assert isinstance(hand, RobotHand)
        return hand

    return find
