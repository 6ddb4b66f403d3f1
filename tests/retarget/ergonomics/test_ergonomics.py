"""Scores are those of the publications."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from telexist.retarget.ergonomics import (
    lifting_index,
    lumbar_compression,
    reba,
    reba_score,
    rula,
    rula_score,
)
from telexist.retarget.errors import BadInput, UnknownName

# the manual's inch is 2.5 cm and its pound 23/51 kg: so its two forms are one
INCH, POUND = 0.025, 23.0 / 51.0
ROUNDED = 0.025  # the manual rounds each of six multipliers to two digits, or up


@pytest.mark.parametrize(
    ("load", "H", "V", "D", "A", "coupling", "limit", "index"),
    [
        # 3.1.1 loading punch press stock: at the origin, at the destination
        (44.0, 23.0, 15.0, 48.0, 0.0, "fair", 16.3, 2.7),
        (44.0, 23.0, 63.0, 48.0, 0.0, "fair", 14.5, 3.0),
        # 3.1.2 loading supply rolls
        (35.0, 20.0, 27.0, 17.0, 0.0, "poor", 20.9, 1.7),
        (35.0, 20.0, 10.0, 17.0, 0.0, "poor", 18.1, 1.9),
        # 3.1.3 loading bags into a hopper
        (40.0, 18.0, 15.0, 21.0, 45.0, "fair", 18.9, 2.1),
    ],
)
def test_the_manuals_worked_examples_come_out(
    load: float,
    H: float,
    V: float,
    D: float,
    A: float,
    coupling: str,
    limit: float,
    index: float,
) -> None:
    """NIOSH 94-110, chapter 3: single tasks, seldom, for less than an hour."""
    found = lifting_index(
        load * POUND,
        horizontal=H * INCH,
        height=V * INCH,
        travel=D * INCH,
        asymmetry_deg=A,
        coupling=coupling,
    )
    assert found.recommended / POUND == pytest.approx(limit, rel=ROUNDED)
    assert found.index == pytest.approx(index, rel=ROUNDED + 0.05 / index)


def test_the_ideal_lift_has_the_load_constant() -> None:
    found = lifting_index(23.0, horizontal=0.25, height=0.75, travel=0.25)
    assert found.recommended == pytest.approx(23.0) and found.index == pytest.approx(1)
    assert set(found.multipliers) == {1.0}


def test_beyond_the_limits_nothing_may_be_lifted() -> None:
    lift = {"horizontal": 0.3, "height": 0.75, "travel": 0.3}
    for change in (
        {"horizontal": 0.64},
        {"height": 1.76},
        {"travel": 1.76},
        {"asymmetry_deg": 136.0},
        {"lifts_a_minute": 16.0},
        {"hours": 8.0, "lifts_a_minute": 11.0},
    ):
        assert lifting_index(1.0, **{**lift, **change}).index == math.inf
    with pytest.raises(UnknownName, match="fair"):
        lifting_index(1.0, **lift, coupling="faire")
    with pytest.raises(BadInput):
        lifting_index(math.nan, **lift)


def test_the_lifting_index_never_falls_with_frequency_or_duration() -> None:
    lift = {"horizontal": 0.3, "height": 0.8, "travel": 0.3}
    for hours in (1.0, 2.0, 8.0):
        found = [
            lifting_index(5.0, **lift, lifts_a_minute=f, hours=hours).recommended
            for f in np.linspace(0.0, 16.0, 161)
        ]
        assert np.all(np.diff(found) <= 1e-12)


def monotone(table: object) -> bool:
    array = np.array(table)
    return all(np.all(np.diff(array, axis=k) >= 0) for k in range(array.ndim))


def test_no_worse_posture_has_a_better_score() -> None:
    for table in (rula.TABLE_A, rula.TABLE_B, reba.TABLE_A, reba.TABLE_B, reba.TABLE_C):
        assert monotone(table)
    assert monotone(np.array(rula.TABLE_C)[:, 1:])


# The publications' tables, copied once more and the other way round: column by column.
RULA_A = {  # (wrist, twist): upper arm 1 with lower arm 1, 2, 3; upper arm 2; ...
    (1, 1): "122 233 334 444 556 789",
    (1, 2): "223 334 344 444 566 789",
    (2, 1): "223 334 444 444 566 789",
    (2, 2): "223 334 444 445 567 789",
    (3, 1): "233 334 444 445 567 789",
    (3, 2): "333 444 445 555 677 899",
    (4, 1): "334 445 555 556 677 899",
    (4, 2): "334 445 555 556 778 999",
}
RULA_B = {  # (trunk, legs): neck 1 to 6
    (1, 1): "123578",
    (1, 2): "333578",
    (2, 1): "223578",
    (2, 2): "334678",
    (3, 1): "344678",
    (3, 2): "455788",
    (4, 1): "555788",
    (4, 2): "556789",
    (5, 1): "666789",
    (5, 2): "677789",
    (6, 1): "777889",
    (6, 2): "777889",
}
RULA_C = (  # score of neck, trunk, legs: score of arm and wrist 1 to 8
    "12334455",
    "22334455",
    "33334566",
    "34445667",
    "44456677",
    "55567777",
    "55667777",
)
REBA_A = {  # (neck, legs): trunk 1 to 5
    (1, 1): "12234",
    (1, 2): "23456",
    (1, 3): "34567",
    (1, 4): "45678",
    (2, 1): "13456",
    (2, 2): "24567",
    (2, 3): "35678",
    (2, 4): "46789",
    (3, 1): "34567",
    (3, 2): "35678",
    (3, 3): "56789",
    (3, 4): "67899",
}
REBA_B = {  # (lower arm, wrist): upper arm 1 to 6
    (1, 1): "113467",
    (1, 2): "224578",
    (1, 3): "235588",
    (2, 1): "124578",
    (2, 2): "235689",
    (2, 3): "345789",
}
REBA_C = (  # score B: score A 1 to 12
    (1, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12),
    (1, 2, 3, 4, 4, 6, 7, 8, 9, 10, 11, 12),
    (1, 2, 3, 4, 4, 6, 7, 8, 9, 10, 11, 12),
    (2, 3, 3, 4, 5, 7, 8, 9, 10, 11, 11, 12),
    (3, 4, 4, 5, 6, 8, 9, 10, 10, 11, 12, 12),
    (3, 4, 5, 6, 7, 8, 9, 10, 10, 11, 12, 12),
    (4, 5, 6, 7, 8, 9, 9, 10, 11, 11, 12, 12),
    (5, 6, 7, 8, 8, 9, 10, 10, 11, 12, 12, 12),
    (6, 6, 7, 8, 9, 10, 10, 10, 11, 12, 12, 12),
    (7, 7, 8, 9, 9, 10, 11, 11, 12, 12, 12, 12),
    (7, 7, 8, 9, 9, 10, 11, 11, 12, 12, 12, 12),
    (7, 8, 8, 9, 9, 10, 11, 11, 12, 12, 12, 12),
)


def rula_arm(arm: int, lower: int, wrist: int, twist: int) -> int:
    return rula_score(
        upper_arm=arm,
        lower_arm=lower,
        wrist=wrist,
        wrist_twist=twist,
        neck=1,
        trunk=1,
        legs=1,
    ).arm


def rula_body(neck: int, trunk: int, legs: int) -> int:
    return rula_score(
        upper_arm=1,
        lower_arm=1,
        wrist=1,
        wrist_twist=1,
        neck=neck,
        trunk=trunk,
        legs=legs,
    ).body


def test_every_cell_of_rula_is_the_publications() -> None:
    cells = 0
    for (wrist, twist), column in RULA_A.items():
        for arm, block in enumerate(column.split(), 1):
            for lower, cell in enumerate(block, 1):
                assert rula_arm(arm, lower, wrist, twist) == int(cell)
                cells += 1
    for (trunk, legs), column in RULA_B.items():
        for neck, cell in enumerate(column, 1):
            assert rula_body(neck, trunk, legs) == int(cell)
            cells += 1
    best = {"upper_arm": 1, "lower_arm": 1, "wrist": 1, "wrist_twist": 1}
    best |= {"neck": 1, "trunk": 1, "legs": 1}  # scores A and B are 1
    for d, column in enumerate(RULA_C):
        for c, cell in enumerate(column):
            assert rula_score(**best, arm_extra=c, body_extra=d).grand == int(cell)
            cells += 1
    assert cells == 6 * 3 * 4 * 2 + 6 * 6 * 2 + 8 * 7
    assert rula_score(**best, arm_extra=20, body_extra=20).grand == 7


def test_every_cell_of_reba_is_the_publications() -> None:
    best = {"trunk": 1, "neck": 1, "legs": 1, "upper_arm": 1, "lower_arm": 1}
    best |= {"wrist": 1}
    cells = 0
    for (neck, legs), column in REBA_A.items():
        for trunk, cell in enumerate(column, 1):
            found = reba_score(**{**best, "trunk": trunk, "neck": neck, "legs": legs})
            assert found.body == int(cell)
            cells += 1
    for (lower, wrist), column in REBA_B.items():
        for arm, cell in enumerate(column, 1):
            asked = {"upper_arm": arm, "lower_arm": lower, "wrist": wrist}
            assert reba_score(**{**best, **asked}).arm == int(cell)
            cells += 1
    assert cells == 5 * 3 * 4 + 6 * 2 * 3
    seen: dict[tuple[int, int], int] = {}
    for (t, n, g), (u, w, r), load, coupling in itertools.product(
        itertools.product(range(1, 6), range(1, 4), range(1, 5)),
        itertools.product(range(1, 7), (1, 2), range(1, 4)),
        range(4),
        range(4),
    ):
        body = int(REBA_A[n, g][t - 1]) + load
        arm = int(REBA_B[w, r][u - 1]) + coupling
        if (body, arm) in seen:
            continue
        found = reba_score(
            trunk=t,
            neck=n,
            legs=g,
            upper_arm=u,
            lower_arm=w,
            wrist=r,
            load=load,
            coupling=coupling,
        )
        seen[body, arm] = found.grand
    for a, b in itertools.product(range(1, 13), repeat=2):
        assert seen[a, b] == REBA_C[b - 1][a - 1]
    worst = {"trunk": 5, "neck": 3, "legs": 4, "upper_arm": 6, "lower_arm": 2}
    assert reba_score(**worst, wrist=3, load=3, coupling=3, activity=3).grand == 15


def test_scores_outside_of_the_tables_are_named() -> None:
    with pytest.raises(BadInput, match="neck"):
        reba_score(trunk=1, neck=4, legs=1, upper_arm=1, lower_arm=1, wrist=1)
    with pytest.raises(BadInput, match="wrist_twist"):
        rula_arm(1, 1, 1, 3)


def test_the_back_is_pressed_by_its_muscles() -> None:
    assert lumbar_compression(110.0, 400.0) == pytest.approx(2400.0)
    with pytest.raises(BadInput):
        lumbar_compression(1.0, 1.0, lever=0.0)
