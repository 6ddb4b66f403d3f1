"""Signals: copied, read-only, of the right shape."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.errors import BadFrame, BadInput
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip, HumanFrame

FIELDS = ("rotations", "angular_velocities", "positions", "linear_velocities")


def test_arrays_are_copied_on_the_way_in() -> None:
    rotations = np.tile(np.eye(3), (1, 1, 1))
    frame = HumanFrame(
        stamp=0.0,
        segments=("Head",),
        rotations=rotations,
        angular_velocities=np.zeros((1, 3)),
    )
    rotations[0, 0, 0] = 7.0
    assert frame.rotations[0, 0, 0] == 1.0


@pytest.mark.parametrize("name", FIELDS)
def test_arrays_are_read_only(name: str, builtin: HumanClip) -> None:
    for holder in (builtin, builtin.frame(3)):
        with pytest.raises(ValueError, match="read-only"):
            getattr(holder, name)[0] = 0.0


@pytest.mark.parametrize("name", FIELDS)
def test_a_frame_of_wrong_shape_is_refused(name: str, builtin: HumanClip) -> None:
    frame = builtin.frame(0)
    with pytest.raises(BadFrame, match=f"{name.replace('_', ' ')} has shape"):
        replace(frame, **{name: getattr(frame, name)[1:]})


def test_unknown_segments_are_named_with_the_known_ones(builtin: HumanClip) -> None:
    with pytest.raises(BadFrame, match="no segment called 'Tail': known: Pelvis, L5"):
        replace(builtin.frame(0), segments=("Tail", *SEGMENTS[1:]))


@pytest.mark.parametrize("name", ["time", *FIELDS])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_clip_with_a_value_that_is_not_finite_is_refused(
    name: str, value: float, builtin: HumanClip
) -> None:
    array = np.array(getattr(builtin, name))
    array.flat[-1] = value
    with pytest.raises(BadInput):
        replace(builtin, **{name: array})


@pytest.mark.parametrize("time", [[0.0, 1.0, 1.0], [0.0, 2.0, 1.0], []])
def test_times_of_a_clip_must_increase(time: list[float], builtin: HumanClip) -> None:
    t = len(time)
    with pytest.raises(BadInput, match="times must increase"):
        replace(
            builtin, time=np.array(time), **{n: getattr(builtin, n)[:t] for n in FIELDS}
        )


def test_frames_of_a_clip_are_numbered_and_stamped(builtin: HumanClip) -> None:
    for k, frame in zip(range(3), builtin.frames(), strict=False):
        assert (frame.sequence, frame.stamp) == (k, builtin.time[k])
        frame.require_finite()


def test_rate_is_the_mean_frame_rate(builtin: HumanClip) -> None:
    assert builtin.rate == pytest.approx(60.0)
