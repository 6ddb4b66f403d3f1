"""Hands from chains of joints are the hands that the joints were taken from."""

from __future__ import annotations

import numpy as np
import pytest
from telexist.retarget.hands import (
    OPEN_HAND,
    finger_tips,
    hand_of_chains,
    hand_of_mvn,
    standard_hand,
)
from telexist.retarget.so3 import exp_so3

CHAINS = np.array(
    [[1, 2, 3, 4]] + [[5 * k + 1 + i for i in range(4)] for k in range(1, 5)]
)
FIST = np.array([[0.3, 0.6, 0.8, 0.9]] + 4 * [[0.0, 1.5, 1.7, 1.0]])


@pytest.mark.parametrize("angles", [OPEN_HAND, FIST])
def test_a_hand_taken_apart_comes_together_again(angles: np.ndarray) -> None:
    points = standard_hand(angles, "right")
    again = hand_of_chains(points[0], points[CHAINS])
    kept = np.setdiff1d(np.arange(25), [5, 10, 15, 20])  # metacarpals are a guess
    assert again[kept] == pytest.approx(points[kept])


def test_a_straight_finger_goes_on_straight_and_a_bent_one_turns() -> None:
    joints = np.zeros((1, 3, 3))
    joints[0, :, 0] = [0.0, 0.04, 0.06]
    R = np.tile(np.eye(3), (1, 3, 1, 1))
    assert finger_tips(joints, R)[0, 3] == pytest.approx([0.06 + 0.85 * 0.02, 0, 0])
    R[0, 2] = exp_so3(np.array([0.0, 0.5 * np.pi, 0.0]))  # bends down
    assert finger_tips(joints, R)[0, 3] == pytest.approx([0.06, 0.0, -0.85 * 0.02])


def test_the_segments_of_mvn_are_in_their_places() -> None:
    points = standard_hand(OPEN_HAND, "left")
    positions = np.zeros((20, 3))
    positions[0] = points[0]
    positions[1:4] = points[1:4]
    for k in range(1, 5):
        positions[4 * k : 4 * k + 4] = points[5 * k : 5 * k + 4]
    turned = exp_so3(np.array([0.3, -0.2, 0.9]))
    found = hand_of_mvn(positions @ turned.T, np.tile(turned, (20, 1, 1)))
    kept = np.setdiff1d(np.arange(25), [4, 9, 14, 19, 24, 5, 10, 15, 20])
    assert found[kept] == pytest.approx(points[kept] @ turned.T)
    tips = np.linalg.norm(found[[9, 14, 19, 24]] - found[[8, 13, 18, 23]], axis=1)
    assert np.all((tips > 0.01) & (tips < 0.03))
