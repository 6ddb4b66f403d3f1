"""Legs reach their ankles, smooth paths keep their promises."""

from __future__ import annotations

import numpy as np
import pytest
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.recordings.builtin.posing import (
    center_of_mass,
    leg_pose,
    segment_rotations,
)
from telexist.retarget.recordings.builtin.tracks import (
    blurred_path,
    key_path,
    minimum_jerk,
)
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.so3 import rotation_z

EXACT = 1e-12
DOWN = np.array([0.0, 0.0, -1.0])
KEYS = [(0.0, 1.0), (1.0, 3.0), (1.5, -2.0), (4.0, 0.0)]


@pytest.mark.parametrize("bones", [(0.4, 0.4), (0.5, 0.35), (0.3, 0.45)])
def test_a_leg_reaches_its_ankle_and_bends_like_a_knee(
    bones: tuple[float, float],
) -> None:
    rng = np.random.default_rng(7)
    hip = rng.normal(size=(200, 3))
    down = rng.normal(size=(200, 3)) * 0.4 + DOWN
    down /= np.linalg.norm(down, axis=-1, keepdims=True)
    reach = rng.uniform(abs(bones[0] - bones[1]) + 0.01, sum(bones), 200)
    ankle = hip + reach[:, None] * down
    ahead = np.tile([1.0, 0.0, 0.0], (200, 1))
    leg = leg_pose(hip, ankle, ahead, bones)
    knee = hip + bones[0] * leg.thigh @ DOWN
    assert np.allclose(knee + bones[1] * leg.shank @ DOWN, ankle, atol=1e-9)
    assert np.allclose(leg.thigh[..., 1], leg.shank[..., 1], atol=EXACT)
    along = np.sum((knee - hip) * down, axis=-1, keepdims=True) * down
    assert np.all((knee - hip - along)[:, 0] > -1e-9), "the knee is ahead of the line"


def test_a_leg_that_is_too_short_stays_straight() -> None:
    hip, ankle = np.zeros((1, 3)), np.array([[0.0, 0.0, -1.0]])
    leg = leg_pose(hip, ankle, np.array([[1.0, 0.0, 0.0]]), (0.4, 0.4))
    assert np.array_equal(leg.thigh, leg.shank)
    assert np.allclose(leg.thigh, np.eye(3), atol=EXACT)


def test_the_centre_of_mass_turns_with_the_body() -> None:
    size = adult_size()
    pelvis = rotation_z(np.array([0.0, 0.7]))
    rotations = segment_rotations(pelvis, {"LeftUpperArm": np.full((2, 3), 0.4)})
    assert rotations.shape == (2, len(SEGMENTS), 3, 3)
    positions = size.positions(rotations, np.zeros((2, 3)))
    first, second = center_of_mass(size, rotations, positions)
    assert np.allclose(pelvis[1] @ first, second, atol=EXACT)
    assert 0.0 < first[2] < 0.3


def test_minimum_jerk_starts_and_ends_at_rest() -> None:
    s = np.linspace(-0.5, 1.5, 2001)
    value = minimum_jerk(s)
    assert np.all(np.diff(value) >= 0.0)
    assert np.allclose(value + minimum_jerk(1.0 - s), 1.0, atol=EXACT)
    acceleration = np.gradient(np.gradient(value, s), s)
    assert np.abs(np.diff(acceleration)).max() < 0.1, "no jump at the ends"


def test_key_path_meets_every_key_and_is_still_outside() -> None:
    times = np.array([t for t, _ in KEYS])
    assert np.allclose(key_path(KEYS, times), [v for _, v in KEYS], atol=EXACT)
    assert np.array_equal(key_path(KEYS, np.array([-5.0, 9.0])), [1.0, 0.0])


def test_blurred_path_is_the_windowed_mean_of_the_broken_line() -> None:
    width, u = 0.8, np.linspace(-1.0, 1.0, 20001)
    kernel = 35.0 / 32.0 * (1.0 - u**2) ** 3
    for t in (-0.5, 0.3, 1.2, 2.0, 4.4):
        line = np.interp(t + width * u, *np.array(KEYS).T)
        mean = np.trapezoid(kernel * line, u)
        path = blurred_path(KEYS, np.array([t]), width=width)
        assert path[0] == pytest.approx(mean, abs=1e-6)
    ends = blurred_path(KEYS, np.array([-0.8, 4.8]), width=width)
    assert np.allclose(ends, [1.0, 0.0], atol=EXACT)
