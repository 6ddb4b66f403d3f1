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

INCH, POUND = 0.0254, 0.45359237
ROUNDED = 0.07  # the example is in inches and pounds, with other constants


def test_loading_punch_press_stock_is_as_in_the_manual() -> None:
    """NIOSH 94-110, section 3.3.1: 16.3 and 14.5 lb, index 2.7 and 3.0."""
    for height, limit, index in ((15.0, 16.3, 2.7), (63.0, 14.5, 3.0)):
        found = lifting_index(
            44.0 * POUND,
            horizontal=23.0 * INCH,
            height=height * INCH,
            travel=48.0 * INCH,
            coupling="fair",
        )
        assert found.recommended / POUND == pytest.approx(limit, rel=ROUNDED)
        assert found.index == pytest.approx(index, rel=ROUNDED)


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


def test_every_cell_can_be_asked_for() -> None:
    count = 0
    for a, b, c, d in itertools.product(range(1, 7), (1, 2, 3), range(1, 5), (1, 2)):
        score = rula_score(
            upper_arm=a, lower_arm=b, wrist=c, wrist_twist=d, neck=1, trunk=1, legs=1
        )
        count += score.arm
    assert count == np.sum(rula.TABLE_A) and np.shape(rula.TABLE_A) == (6, 3, 4, 2)
    assert np.shape(rula.TABLE_B) == (6, 6, 2) and np.shape(rula.TABLE_C) == (8, 7)
    assert np.shape(reba.TABLE_A) == (5, 3, 4) and np.shape(reba.TABLE_B) == (6, 2, 3)
    assert np.shape(reba.TABLE_C) == (12, 12)
    best = reba_score(trunk=1, neck=1, legs=1, upper_arm=1, lower_arm=1, wrist=1)
    assert (best.body, best.arm, best.grand) == (1, 1, 1)
    worst = reba_score(
        trunk=5,
        neck=3,
        legs=4,
        upper_arm=6,
        lower_arm=2,
        wrist=3,
        load=3,
        coupling=3,
        activity=3,
    )
    assert worst.grand == 15
    with pytest.raises(BadInput, match="neck"):
        reba_score(trunk=1, neck=4, legs=1, upper_arm=1, lower_arm=1, wrist=1)
    with pytest.raises(BadInput, match="wrist_twist"):
        rula_score(
            upper_arm=1, lower_arm=1, wrist=1, wrist_twist=3, neck=1, trunk=1, legs=1
        )


def test_the_back_is_pressed_by_its_muscles() -> None:
    assert lumbar_compression(110.0, 400.0) == pytest.approx(2400.0)
    with pytest.raises(BadInput):
        lumbar_compression(1.0, 1.0, lever=0.0)
