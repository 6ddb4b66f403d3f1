"""Fingers of recordings: found by shape, whatever they are called."""

from __future__ import annotations

import numpy as np
import pytest
from telexist.retarget.hands import OPEN_HAND, standard_hand
from telexist.retarget.recordings.recognition.fingers import find_fingers
from telexist.retarget.recordings.recognition.skeleton import SourceSkeleton
from telexist.retarget.so3 import exp_so3

CHAINS = [[1, 2, 3, 4], *([5 * k + i for i in range(5)] for k in range(1, 5))]
FIST = np.array([[0.3, 0.6, 0.8, 0.9]] + 4 * [[0.0, 1.5, 1.7, 1.0]])


def hand(
    order: list[int], side: str, fingers: int = 5
) -> tuple[SourceSkeleton, list[int]]:
    """Return a hand that closes while it turns, its fingers listed in an order."""
    t, chosen = 40, order[:fingers]
    frames = np.array(
        [
            standard_hand(OPEN_HAND + s * (FIST - OPEN_HAND), side)
            for s in np.linspace(0, 1, t)
        ]
    )
    parents, rows = [-1], [0]
    for finger in chosen:
        above = 0
        for point in CHAINS[finger]:
            parents.append(above)
            above = len(rows)
            rows.append(point)
    turn = np.array(
        [exp_so3(np.array([0.0, 0.4 * k / t, 1.5 * k / t])) for k in range(t)]
    )
    positions = 100.0 * np.einsum("tij,tkj->tki", turn, frames[:, rows])
    return SourceSkeleton(
        path="hand",
        names=tuple(f"bone{k}" for k in range(len(rows))),
        parents=tuple(parents),
        time=np.arange(t) / 30.0,
        positions=positions,
        rotations=np.tile(turn[:, None], (1, len(rows), 1, 1)),
    ), rows


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("seed", range(5))
def test_thumb_and_order_are_found_without_names(side: str, seed: int) -> None:
    order = list(np.random.default_rng(seed).permutation(5))
    source, rows = hand(order, side)
    found = find_fingers(source, 0)
    assert found is not None
    wanted = [chain[-4:] for chain in CHAINS]
    assert [[rows[p] for p in finger] for finger in found] == wanted


@pytest.mark.parametrize("count", [0, 2, 4])
def test_a_hand_with_other_than_five_fingers_has_none(count: int) -> None:
    source, _ = hand([0, 1, 2, 3, 4], "right", count)
    assert find_fingers(source, 0) is None
