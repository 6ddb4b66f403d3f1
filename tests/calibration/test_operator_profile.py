"""Raw frames to frames that are the identity in N-pose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.calibration.operator_profile import OperatorProfile
from telexist.retarget.errors import BadFrame, BadInput
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import exp_so3, rotation_z

EXACT = 1e-12
HEADINGS = [0.0, 0.7, np.pi / 2.0, np.pi, -2.5]


def make(seed: int = 0, **changes: object) -> OperatorProfile:
    rng = np.random.default_rng(seed)
    s = len(SEGMENTS)
    values: dict[str, object] = {
        "operator": "anna",
        "source": "suit",
        "pose": "n",
        "heading": 1.1,
        "origin": np.array([2.0, -3.0, 0.1]),
        "segments": SEGMENTS,
        "neutral": exp_so3(rng.normal(size=(s, 3))),
        "offsets": np.zeros((s, 3)),
        "size": adult_size(),
        "residuals": {},
    }
    return OperatorProfile(**{**values, **changes})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def frames() -> list[HumanFrame]:
    clip = builtin_clip()
    return [clip.frame(k) for k in range(0, len(clip), 150)]


@pytest.mark.parametrize("heading", HEADINGS)
def test_any_device_frames_give_the_motion_back(
    heading: float, frames: list[HumanFrame]
) -> None:
    """The witness is the motion itself, seen by a device and calibrated again."""
    profile = make(heading=heading)
    H = rotation_z(heading)
    for frame in frames:
        raw = replace(
            frame,
            rotations=H @ frame.rotations @ H.T @ profile.neutral,
            angular_velocities=frame.angular_velocities @ H.T,
            positions=frame.positions @ H.T + profile.origin,
            linear_velocities=frame.linear_velocities @ H.T,
        )
        found = profile.apply(raw)
        np.testing.assert_allclose(found.rotations, frame.rotations, atol=EXACT)
        np.testing.assert_allclose(found.positions, frame.positions, atol=EXACT)
        for name in ("angular_velocities", "linear_velocities"):
            np.testing.assert_allclose(
                getattr(found, name), getattr(frame, name), atol=EXACT
            )
        assert (found.stamp, found.sequence) == (frame.stamp, frame.sequence)


def test_offsets_move_with_the_segment() -> None:
    """Velocity of the joint: v + w x R offset, checked by finite differences."""
    offsets = np.random.default_rng(2).normal(size=(len(SEGMENTS), 3))
    profile = make(offsets=offsets)
    w, v = np.array([0.3, -0.8, 0.5]), np.array([0.1, 0.2, -0.3])

    def raw(t: float) -> HumanFrame:
        s = len(SEGMENTS)
        return HumanFrame(
            stamp=t,
            segments=SEGMENTS,
            rotations=exp_so3(w * t) @ profile.neutral,
            angular_velocities=np.tile(w, (s, 1)),
            positions=np.tile(v * t, (s, 1)),
            linear_velocities=np.tile(v, (s, 1)),
        )

    step = 1e-5
    before, now, after = (profile.apply(raw(t)) for t in (1.0 - step, 1.0, 1.0 + step))
    slope = (after.positions - before.positions) / (2.0 * step)
    np.testing.assert_allclose(now.linear_velocities, slope, atol=1e-8)


def test_identity_passes_frames_on(frames: list[HumanFrame]) -> None:
    profile = OperatorProfile.identity(adult_size(1.6))
    assert profile.apply(frames[0]) is frames[0]
    assert profile.size.height == pytest.approx(1.6)


def test_parts_in_any_order_are_turned_as_the_whole(
    frames: list[HumanFrame], only: Callable[..., HumanFrame]
) -> None:
    profile, names = make(), ("RightHand", "Head", "LeftHand")
    whole, part = profile.apply(frames[3]), profile.apply(only(frames[3], names))
    assert part.segments == names
    rows = [SEGMENTS.index(name) for name in names]
    np.testing.assert_allclose(part.rotations, whole.rotations[rows], atol=EXACT)
    np.testing.assert_allclose(part.positions, whole.positions[rows], atol=EXACT)


def test_segments_that_were_not_calibrated_are_left_out(
    frames: list[HumanFrame], only: Callable[..., HumanFrame]
) -> None:
    known = ("Head", "LeftHand")
    profile = make(
        segments=known, neutral=np.tile(np.eye(3), (2, 1, 1)), offsets=np.zeros((2, 3))
    )
    assert profile.apply(frames[0]).segments == known
    with pytest.raises(BadFrame, match="calibrate"):
        profile.apply(only(frames[0], ("Pelvis",)))


def test_frames_without_places_stay_so(frames: list[HumanFrame]) -> None:
    bare = replace(frames[0], positions=None, linear_velocities=None)
    found = make().apply(bare)
    assert found.positions is None and found.linear_velocities is None


def test_nan_is_neither_hidden_nor_spread(frames: list[HumanFrame]) -> None:
    positions = frames[0].positions.copy()
    positions[5] = np.nan
    found = make().apply(replace(frames[0], positions=positions))
    bad = ~np.isfinite(found.positions).all(axis=1)
    assert list(np.flatnonzero(bad)) == [5]


@pytest.mark.parametrize(
    "changes",
    [
        {"heading": float("nan")},
        {"origin": np.array([0.0, np.inf, 0.0])},
        {"neutral": np.zeros((len(SEGMENTS), 3, 3))},
        {"neutral": -np.tile(np.eye(3), (len(SEGMENTS), 1, 1))},
        {"offsets": np.full((len(SEGMENTS), 3), np.nan)},
        {"pose": "a"},
        {"segments": ("Tail", *SEGMENTS[1:])},
        {"segments": ("Head", *SEGMENTS[1:])},
    ],
)
def test_what_is_no_profile_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        make(**changes)
