"""What the page says of the person, in words."""

from __future__ import annotations

import numpy as np
from telexist.retarget.ergonomics import STRENGTH_JOINTS
from telexist.retarget.person_dynamics import SCORES
from telexist.retarget.segments import SEGMENTS
from telexist.teleop.viewers.live.live_plots import PERSON_PLOTS, PLOTS
from telexist.teleop.viewers.live.page_update import (
    PageUpdate,
    decode_update,
    encode_update,
)
from telexist.teleop.viewers.live.person_panel import MOMENTS, person_html

WRENCHES = np.zeros((2, 6))
WRENCHES[:, 2] = 343.0


def scores(**known: float) -> np.ndarray:
    return np.array([known.get(name, np.nan) for name in SCORES])


def person() -> dict[str, np.ndarray]:
    return {
        "mass": np.array([70.0]),
        "lag": np.array([0.06]),
        "foot_wrenches": WRENCHES,
        "foot_wrenches_sd": np.full((2, 6), 21.0),
        "measured": np.array([1.0, 0.0]),
        "hand_loads": np.array([4.0, 0.1]),
        "hand_loads_sd": np.array([0.7, 0.001]),
        "scores": scores(
            rula=3.0,
            lifting_index=1.25,
            lifting_index_sd=0.1,
            lumbar_compression=3600.0,
            lumbar_compression_sd=80.0,
            lifts=2.0,
            lift_load=9.5,
            lift_load_sd=0.8,
            strength_share=0.4,
            strength_share_sd=0.02,
            strength_joint=float(STRENGTH_JOINTS.index("left knee extension")),
        ),
    }


def test_every_number_has_its_deviation_and_its_origin() -> None:
    html = person_html(person())
    assert "343 &plusmn; 21 N (50%), measured" in html
    assert "343 &plusmn; 21 N (50%), from the motion" in html
    assert "4.0 &plusmn; 0.7 kg" in html
    assert "taken as empty" in html  # nobody said that the hand may hold something
    assert "RULA" in html and "REBA" not in html  # no score, no line
    assert "1.25 &plusmn; 0.10" in html and "9.5 &plusmn; 0.8 kg" in html
    assert "3600 &plusmn; 80 N, above 3400 N" in html
    assert "left knee extension: 40% &plusmn; 2%" in html
    empty = {**person(), "scores": scores(lifts=0.0)}
    assert "RULA" not in person_html(empty) and "nan" not in person_html(empty)
    assert "60 ms behind" in html and "no medical advice" in html


def test_moments_that_can_be_chosen_are_of_segments() -> None:
    assert {segment for segment, _, _ in MOMENTS.values()} <= set(SEGMENTS)
    assert "left knee flexion" in MOMENTS


def test_the_person_travels_to_the_page() -> None:
    update = PageUpdate(stamp=1.0, state="calibrated", person=person())
    again = decode_update(encode_update(update))
    assert again.person.keys() == update.person.keys()
    assert np.array_equal(again.person["scores"], person()["scores"], equal_nan=True)


def test_nothing_follows_a_person_who_is_only_watched() -> None:
    assert set(PERSON_PLOTS) < set(PLOTS)
    assert not any("Tracking" in title for title in PERSON_PLOTS)
