"""Fingers are found by topology and geometry; the makers' names are the judge."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.errors import BadInput
from telexist.retarget.hands import (
    FINGERS,
    RobotGripper,
    RobotHand,
    find_hand,
)
from telexist.robots.description import RobotModel
from telexist.robots.hands import hand_linkage, robot_hands
from telexist.robots.urdf import Urdf, read_urdf

FindHand = Callable[[str, str], RobotHand]

MAKERS = {
    "g1_hands": ["thumb", "index", "middle"],
    "ergocub": ["thumb", "index", "middle", "ring", "pinkie"],
    "allegro": ["joint_12.0", "joint_0.0", "joint_4.0", "joint_8.0"],
}
"""Words in the names of the joints of the fingers, in our order."""


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("name", MAKERS)
def test_fingers_are_those_that_the_maker_named(
    name: str, side: str, hand_of: FindHand
) -> None:
    hand = hand_of(name, side)
    words = MAKERS[name]
    assert [finger.name for finger in hand.fingers] == list(FINGERS[: len(words)])
    for finger, word in zip(hand.fingers, words, strict=True):
        assert word in hand.linkage.joints[finger.path[0]]


@pytest.mark.parametrize("name", ["allegro", "ergocub", "g1_hands"])
def test_left_is_right_mirrored(name: str, hand_of: FindHand) -> None:
    left, right = hand_of(name, "left"), hand_of(name, "right")
    assert np.linalg.det(left.palm) == pytest.approx(-1.0)
    assert np.linalg.det(right.palm) == pytest.approx(1.0)
    for a, b in zip(left.fingers, right.fingers, strict=True):
        assert a.length == pytest.approx(b.length, rel=0.02)
        assert len(a.path) == len(b.path)


def test_names_and_their_order_play_no_part(
    robot_of: Callable[[str], RobotModel],
) -> None:
    """The fingers keep their geometry when all is renamed and the file is shuffled."""
    robot = robot_of("ergocub")
    urdf, link = robot.urdf, "r_hand_palm"
    rng = np.random.default_rng(3)
    names = rng.permutation([f"j{k}" for k in range(len(urdf.joints))])
    new = dict(zip(urdf.joints, names, strict=True))
    links = {old: f"b{k}" for k, old in enumerate(rng.permutation(list(urdf.links)))}
    joints = [
        replace(
            j,
            name=new[j.name],
            parent=links[j.parent],
            child=links[j.child],
            mimic=j.mimic and replace(j.mimic, leader=new[j.mimic.leader]),
        )
        for j in urdf.joints.values()
    ]
    shuffled = Urdf(
        name="x",
        path=urdf.path,
        root=links[urdf.root],
        links={links[k]: replace(v, name=links[k]) for k, v in urdf.links.items()},
        joints={joints[k].name: joints[k] for k in rng.permutation(len(joints))},
    )
    told = find_hand(hand_linkage(urdf, link), "right")
    found = find_hand(hand_linkage(shuffled, links[link]), "right")
    assert isinstance(told, RobotHand)
    assert isinstance(found, RobotHand)
    for a, b in zip(told.fingers, found.fingers, strict=True):
        renamed = [new[told.linkage.joints[i]] for i in a.path]
        assert renamed == [found.linkage.joints[i] for i in b.path]


def test_drives_without_extent_are_no_fingers(
    public_robots: object, robot_of: Callable[[str], RobotModel]
) -> None:
    path = robot_of("g1_hands").urdf.path.parents[2]
    urdf = read_urdf(path / "tiago_description" / "robots" / "tiago.urdf")
    hand = find_hand(hand_linkage(urdf, "arm_7_link"), "right")
    assert isinstance(hand, RobotHand)
    first = [hand.linkage.joints[finger.path[0]] for finger in hand.fingers]
    assert [re.sub("hand_(.*)_abd_joint", r"\1", k) for k in first] == list(FINGERS)


@pytest.mark.parametrize("name", ["nao", "baxter", "talos"])
def test_a_hand_with_one_drive_is_a_gripper_that_opens(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    hands = robot_hands(robot_of(name))
    assert set(hands) == {"left", "right"}
    for hand in hands.values():
        assert isinstance(hand, RobotGripper)
        for ends in (hand.opened, hand.closed):
            np.testing.assert_allclose(hand.linkage.follow(ends), ends)


def test_what_has_no_hand_has_none(robot_of: Callable[[str], RobotModel]) -> None:
    assert robot_hands(robot_of("h1")) == {}


def test_a_hand_has_a_side(allegro: Callable[[str], Urdf]) -> None:
    urdf = allegro("left")
    with pytest.raises(BadInput, match="left or right"):
        find_hand(hand_linkage(urdf, urdf.root), "middle")
