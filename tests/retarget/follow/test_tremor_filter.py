"""What trembles is averaged, what moves is followed, what is clear is left alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.follow.tremor_filter import TremorFilter
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.signals import HumanClip, HumanFrame
from telexist.retarget.so3 import Array, exp_so3, log_so3

NOISE = np.deg2rad(2.0)  # [rad] rms angle
LATE = 2.2 * 1.5  # tremors that a motion may be late by; the tremor is an estimate


def angle(a: Array, b: Array) -> Array:
    found: Array = np.linalg.norm(log_so3(a @ np.swapaxes(b, -1, -2)), axis=-1)
    return found


def noisy(frame: HumanFrame, rng: np.random.Generator) -> HumanFrame:
    error = rng.normal(scale=NOISE / np.sqrt(3.0), size=(len(frame.segments), 3))
    return replace(frame, rotations=exp_so3(error) @ frame.rotations)


def still(clip: HumanClip, count: int) -> list[HumanFrame]:
    first = clip.frame(0)
    return [replace(first, stamp=k / clip.rate) for k in range(count)]


@pytest.mark.parametrize("rate", [30.0, 60.0, 120.0])
def test_a_person_seen_clearly_is_left_alone(rate: float) -> None:
    steady = TremorFilter()
    for frame in builtin_clip(rate).frames():
        np.testing.assert_array_equal(steady.step(frame).rotations, frame.rotations)
        assert not steady.trembles


@pytest.mark.parametrize("seed", range(3))
def test_a_still_person_trembles_four_times_less(seed: int) -> None:
    steady, rng = TremorFilter(), np.random.default_rng(seed)
    frames = still(builtin_clip(60.0), 600)
    left = [
        angle(steady.step(noisy(frame, rng)).rotations, frame.rotations)
        for frame in frames
    ]
    assert np.sqrt(np.mean(np.square(left[60:]))) < NOISE / 4.0


@pytest.mark.parametrize("seed", range(3))
def test_a_trembling_motion_is_never_late_by_more_than_some_tremors(seed: int) -> None:
    steady, rng = TremorFilter(), np.random.default_rng(seed)
    for frame in builtin_clip(60.0).frames():
        seen = noisy(frame, rng)
        late = angle(steady.step(seen).rotations, seen.rotations)
        assert late.max() < LATE * NOISE


def test_frames_that_are_not_later_or_show_others_are_first_frames() -> None:
    steady, rng = TremorFilter(), np.random.default_rng(0)
    frames = still(builtin_clip(60.0), 60)
    for frame in frames:
        steady.step(noisy(frame, rng))
    again = noisy(frames[0], rng)
    np.testing.assert_array_equal(steady.step(again).rotations, again.rotations)
    assert steady.age == 0.0
