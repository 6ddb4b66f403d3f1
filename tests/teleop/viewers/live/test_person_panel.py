"""What the page says of the person, in words."""

from __future__ import annotations

import numpy as np
from telexist.retarget.segments import SEGMENTS
from telexist.teleop.viewers.live.page_update import (
    PageUpdate,
    decode_update,
    encode_update,
)
from telexist.teleop.viewers.live.person_panel import MOMENTS, person_html

WRENCHES = np.zeros((2, 6))
WRENCHES[:, 2] = 343.0


def person() -> dict[str, np.ndarray]:
    return {
        "mass": np.array([70.0]),
        "lag": np.array([0.06]),
        "foot_wrenches": WRENCHES,
        "foot_wrenches_sd": np.full((2, 6), 21.0),
        "measured": np.array([1.0, 0.0]),
        "hand_loads": np.array([4.0, 0.1]),
        "hand_loads_sd": np.array([0.7, 0.001]),
        "scores": np.array([3.0, np.nan, 1.25, 2100.0, np.nan]),
    }


def test_every_number_has_its_deviation_and_its_origin() -> None:
    html = person_html(person())
    assert "343 &plusmn; 21 N (50%), measured" in html
    assert "343 &plusmn; 21 N (50%), from the motion" in html
    assert "4.0 &plusmn; 0.7 kg" in html
    assert "taken as empty" in html  # nobody said that the hand may hold something
    assert "RULA" in html and "REBA" not in html  # no score, no line
    assert "1.25" in html and "2100 N" in html
    assert "60 ms behind" in html and "no medical advice" in html


def test_moments_that_can_be_chosen_are_of_segments() -> None:
    assert {segment for segment, _, _ in MOMENTS.values()} <= set(SEGMENTS)
    assert "left knee flexion" in MOMENTS


def test_the_person_travels_to_the_page() -> None:
    update = PageUpdate(stamp=1.0, state="calibrated", person=person())
    again = decode_update(encode_update(update))
    assert again.person.keys() == update.person.keys()
    assert np.array_equal(again.person["scores"], person()["scores"], equal_nan=True)
