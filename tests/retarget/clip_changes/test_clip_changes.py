"""Mirror images and trimmed clips against what a mirror and a pair of scissors do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.clip_changes import mirrored, trimmed
from telexist.retarget.follow import Retargeter
from telexist.retarget.recordings import read_clip
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import angular_velocities


@pytest.fixture(scope="module")
def clip() -> HumanClip:
    whole = read_clip("builtin")
    few = slice(0, 200)
    return replace(
        whole,
        time=whole.time[few],
        rotations=whole.rotations[few],
        angular_velocities=angular_velocities(whole.rotations[few], whole.time[few]),
        positions=whole.positions[few],
        linear_velocities=whole.linear_velocities[few],
    )


def test_a_mirror_image_is_a_motion_of_its_own(clip: HumanClip) -> None:
    image = mirrored(clip)
    R = image.rotations
    assert np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max() < 1e-12
    assert np.linalg.det(R).min() > 0.999, "no reflection is left in a rotation"
    rates = angular_velocities(R, image.time)
    assert np.abs(rates - image.angular_velocities).max() < 1e-6 * np.abs(rates).max()
    left, right = SEGMENT_INDEX["LeftHand"], SEGMENT_INDEX["RightHand"]
    assert np.array_equal(
        image.positions[:, left], clip.positions[:, right] * [1.0, -1.0, 1.0]
    )
    # the skeleton is the mirrored one: bones meet where they did
    chain = image.size.positions(R, image.positions[:, 0])
    chain_before = clip.size.positions(clip.rotations, clip.positions[:, 0])
    apart = np.abs(chain - image.positions).max()
    assert apart <= np.abs(chain_before - clip.positions).max() + 1e-9


def test_twice_in_the_mirror_is_the_clip(clip: HumanClip) -> None:
    twice = mirrored(mirrored(clip))
    for name in ("rotations", "angular_velocities", "positions", "linear_velocities"):
        assert np.array_equal(getattr(twice, name), getattr(clip, name))


def test_a_robot_plays_the_mirror_image_with_the_other_arm(clip, body_of) -> None:
    body = body_of("human66")
    there, here = (Retargeter(body, c.size).run(c) for c in (mirrored(clip), clip))
    assert np.abs(there.base_position[:, 1] + here.base_position[:, 1]).max() < 5e-3
    left, right = (
        here.joint_names.index(f"j{side}Elbow_roty") for side in ("Left", "Right")
    )
    moved = np.ptp(here.joint_positions[:, left])
    assert abs(np.ptp(there.joint_positions[:, right]) - moved) < 0.02 + 0.02 * moved


def _standing(clip: HumanClip, before: int, after: int) -> HumanClip:
    """Return the clip with its first and last frame held."""
    rows = np.r_[np.zeros(before, int), np.arange(len(clip)), [len(clip) - 1] * after]
    held = np.r_[np.ones(before, bool), np.zeros(len(clip), bool), np.ones(after, bool)]
    still = np.where(held[:, None, None], 0.0, 1.0)
    return replace(
        clip,
        time=np.arange(len(rows)) / 100.0,
        rotations=clip.rotations[rows],
        angular_velocities=clip.angular_velocities[rows] * still,
        positions=clip.positions[rows],
        linear_velocities=clip.linear_velocities[rows] * still,
    )


def test_standing_at_the_ends_is_cut_off_but_for_a_moment(clip: HumanClip) -> None:
    moving = np.linalg.norm(clip.linear_velocities, axis=-1).max(axis=1) > 0.05
    inside = replace(
        clip,
        **{
            name: getattr(clip, name)[np.argmax(moving) :]
            for name in (
                "rotations",
                "angular_velocities",
                "positions",
                "linear_velocities",
            )
        },
        time=clip.time[np.argmax(moving) :],
    )
    cut = trimmed(_standing(inside, 300, 200))
    assert cut.time[0] == 0.0
    assert len(inside) < len(cut) < len(inside) + 60
    assert any(note.startswith("trimmed:") for note in cut.notes)


def test_nobody_moves_and_nothing_is_cut(clip: HumanClip) -> None:
    still = replace(clip, linear_velocities=np.zeros_like(clip.linear_velocities))
    assert trimmed(still) is still
