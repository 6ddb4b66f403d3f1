"""The built-in motion: consistent, smooth, planted, balanced, the same at any rate."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from telexist.retarget.errors import BadInput
from telexist.retarget.human_size import TIPS
from telexist.retarget.recordings.builtin import script
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.recordings.builtin.posing import center_of_mass
from telexist.retarget.recordings.builtin.steps import HEEL_RISES_BEFORE
from telexist.retarget.segments import LIMBS, PARENT, SEGMENT_INDEX
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import angle_between, angular_velocities, yaw_of

STILL = 1e-9  # [m] a planted foot: rounding of the leg's inverse kinematics
EDGE = 1e-3  # [s] velocities at the edge of a step see into it
DOWN = np.array([0.0, 0.0, -1.0])


@cache
def clip_at(rate: float, height: float = 1.75) -> HumanClip:
    return builtin_clip(rate, height)


def relative(clip: HumanClip, segment: str) -> np.ndarray:
    parent = clip.rotations[:, SEGMENT_INDEX[str(PARENT[segment])]]
    child = clip.rotations[:, SEGMENT_INDEX[segment]]
    return np.swapaxes(parent, -1, -2) @ child


def bending(clip: HumanClip, segment: str) -> np.ndarray:
    """First angle of the order y, x, z [deg]."""
    R = relative(clip, segment)
    return np.degrees(np.arctan2(R[:, 0, 2], R[:, 2, 2]))


def tip(clip: HumanClip, name: str) -> np.ndarray:
    i = SEGMENT_INDEX[TIPS[name]]
    offset = clip.size.tips[name] - clip.size.joints[TIPS[name]]
    return clip.positions[:, i] + clip.rotations[:, i] @ offset


def planted(
    clip: HumanClip, side: str, before: float = HEEL_RISES_BEFORE
) -> np.ndarray:
    out = np.ones(len(clip), dtype=bool)
    for step in script.steps(clip.size):
        if step.side == side:
            first, last = step.start - before - EDGE, step.end + EDGE
            out &= (clip.time <= first) | (clip.time >= last)
    return out


@pytest.mark.parametrize("height", [1.2, 1.75, 2.0])
def test_positions_are_those_of_the_rigid_skeleton(height: float) -> None:
    clip = clip_at(30.0, height)
    placed = clip.size.positions(clip.rotations, clip.positions[:, 0])
    assert np.abs(placed - clip.positions).max() < 1e-9
    for limb, end in LIMBS.items():
        i, j = SEGMENT_INDEX[limb], SEGMENT_INDEX[end]
        along = clip.positions[:, j] - clip.positions[:, i]
        assert angle_between(along, clip.rotations[:, i] @ DOWN).max() < 1e-7


def test_it_begins_and_ends_in_n_pose() -> None:
    clip = clip_at(60.0)
    begin = clip.rotations[clip.time <= 1.5]
    assert np.abs(begin - np.eye(3)).max() < 1e-9
    joints = np.stack([clip.size.joints[name] for name in SEGMENT_INDEX])
    assert np.abs(clip.positions[0] - joints).max() < 1e-9
    end = clip.rotations[clip.time >= clip.time[-1] - 1.0]
    assert np.abs(end - end[0, 0]).max() < 1e-7
    assert abs(yaw_of(end[0, 0])) == pytest.approx(np.pi, abs=1e-7)
    assert 28.0 < clip.time[-1] < 38.0


@pytest.mark.parametrize("side", ["Left", "Right"])
def test_a_planted_foot_is_still_and_flat_on_the_floor(side: str) -> None:
    clip = clip_at(120.0)
    flat = planted(clip, side)
    assert 0.5 < flat.mean() < 0.9
    for part, still in (("Foot", flat), ("Toe", planted(clip, side, before=0.0))):
        i = SEGMENT_INDEX[f"{side}{part}"]
        both = still[1:] & still[:-1]
        assert np.abs(np.diff(clip.positions[:, i], axis=0)[both]).max() < STILL
        assert np.abs(clip.linear_velocities[still, i]).max() < 1e-6
        assert np.abs(clip.angular_velocities[still, i]).max() < 1e-6
    assert np.abs(tip(clip, f"{side}Heel")[flat, 2]).max() < STILL
    assert np.abs(tip(clip, f"{side}ToeTip")[flat, 2]).max() < STILL


def test_nothing_sinks_into_the_floor() -> None:
    clip = clip_at(120.0)
    assert clip.positions[..., 2].min() > 0.0
    assert min(tip(clip, name)[:, 2].min() for name in TIPS) > -STILL


def test_one_foot_at_least_stands_at_any_time() -> None:
    clip = clip_at(120.0)
    assert np.all(planted(clip, "Left") | planted(clip, "Right"))


def test_the_centre_of_mass_is_over_the_standing_feet() -> None:
    """Slow acts only: while walking people fall from foot to foot."""
    clip = clip_at(60.0)
    com = center_of_mass(clip.size, clip.rotations, clip.positions)[:, :2]
    slow = clip.time < script.steps(clip.size)[2].start - 1.5
    for side in ("Left", "Right"):
        other = "Right" if side == "Left" else "Left"
        alone = slow & ~planted(clip, other, before=0.0)
        ankle = clip.positions[alone, SEGMENT_INDEX[f"{side}Foot"], :2]
        assert alone.sum() > 60
        assert np.abs(com[alone] - ankle)[:, 1].max() < 0.03
        assert np.abs(com[alone] - ankle)[:, 0].max() < 0.03
    assert np.abs(com[slow, 0]).max() < 0.03


def test_velocities_are_the_derivatives_of_the_motion() -> None:
    clip = clip_at(240.0)
    w = angular_velocities(clip.rotations, clip.time)[1:-1]
    v = np.gradient(clip.positions, clip.time, axis=0)[1:-1]
    assert np.abs(w - clip.angular_velocities[1:-1]).max() < 0.12
    assert np.abs(v - clip.linear_velocities[1:-1]).max() < 0.05
    fine, coarse = (
        np.abs(
            angular_velocities(clip_at(rate).rotations, clip_at(rate).time)
            - clip_at(rate).angular_velocities
        )[1:-1].mean()
        for rate in (240.0, 120.0)
    )
    assert fine < 0.35 * coarse  # second order: a quarter


def test_motion_is_smooth() -> None:
    clip = clip_at(240.0)
    turning = np.linalg.norm(clip.angular_velocities, axis=-1)
    gain = np.linalg.norm(np.diff(clip.angular_velocities, axis=0) * 240.0, axis=-1)
    assert turning.max() < 12.0
    assert gain.max() < 400.0
    assert np.linalg.norm(clip.linear_velocities, axis=-1).max() < 5.0


@pytest.mark.parametrize("rate", [30.0, 120.0, 240.0])
def test_clips_of_other_rates_are_samples_of_the_same_motion(rate: float) -> None:
    clip, base = clip_at(rate), clip_at(60.0)
    here = np.flatnonzero(np.isin(np.round(clip.time * 240), np.round(base.time * 240)))
    there = np.flatnonzero(
        np.isin(np.round(base.time * 240), np.round(clip.time * 240))
    )
    for name in ("rotations", "positions", "angular_velocities", "linear_velocities"):
        a, b = getattr(clip, name)[here], getattr(base, name)[there]
        assert np.abs(a - b).max() < 1e-7
    assert clip.rate == pytest.approx(rate)


def test_joints_stay_inside_human_ranges() -> None:
    clip = clip_at(60.0)
    for side in ("Left", "Right"):
        knee, elbow = bending(clip, f"{side}LowerLeg"), bending(clip, f"{side}ForeArm")
        ankle, hip = bending(clip, f"{side}Foot"), bending(clip, f"{side}UpperLeg")
        assert knee.min() > -0.1 and 80.0 < knee.max() < 130.0
        assert elbow.min() > -130.0 and elbow.max() < 0.1
        assert ankle.min() > -35.0 and ankle.max() < 50.0
        assert hip.min() > -120.0 and hip.max() < 30.0


def test_the_person_does_what_was_promised() -> None:
    clip = clip_at(60.0)
    left, right, head = tip(clip, "LeftHandTip"), tip(clip, "RightHandTip"), 1.75
    waving = (clip.time > 2.8) & (clip.time < 4.4)
    assert right[waving, 2].min() > 1.5 and left[waving, 2].max() < 0.8
    assert right[waving, 1].max() < -0.3, "the right hand is on the right"
    assert np.ptp(right[waving, 1]) > 0.2
    assert np.minimum(left, right)[:, 2].max() > head + 0.2
    assert clip.positions[:, 0, 2].min() < 0.7
    assert clip.positions[:, 0, 0].max() > 2.0
    assert abs(clip.positions[-1, 0, 0]) < 0.05
    yaw = np.unwrap(yaw_of(clip.rotations[:, 0]))
    assert yaw[-1] == pytest.approx(np.pi, abs=1e-6), "it turns to the left"


def test_arms_swing_against_the_legs_in_walking() -> None:
    clip = clip_at(60.0)
    walking = (clip.time > 21.0) & (clip.time < 23.5)
    leg, arm = bending(clip, "LeftUpperLeg"), bending(clip, "RightUpperArm")
    assert np.corrcoef(leg[walking], arm[walking])[0, 1] > 0.6
    assert np.ptp(arm[walking]) > 30.0


@pytest.mark.parametrize("rate", [0.0, -1.0, np.nan, np.inf, 1e9])
def test_impossible_rates_are_refused(rate: float) -> None:
    with pytest.raises(BadInput, match="rate"):
        builtin_clip(rate)
