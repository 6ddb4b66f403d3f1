"""Public recordings: every file is read, stands on the floor and walks forward."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.recordings.recognition.all_frames import slow_and_low
from telexist.retarget.segments import LIMBS, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import angle_between

pytestmark = pytest.mark.slow

FILES = (
    *(f"animated_drawings/{n}" for n in ("jumping", "jumping_jacks", "wave_hello")),
    *(f"bandai_namco/dataset-1_{n}_normal_001" for n in ("bow", "kick", "run", "walk")),
    "bandai_namco/dataset-2_raise-up-both-hands_normal_001",
    "bandai_namco/dataset-2_wave-both-hands_normal_001",
    "bvh_toolbox/test_mocapbank",
    *(f"cmu/{n}" for n in ("02_01", "02_04", "111_37", "115_06", "13_01", "13_29")),
    *(f"cmu/{n}" for n in ("16_35", "35_01", "49_18", "69_70", "79_22", "87_02")),
    "gmr_xsens/251021_04_boxing_120Hz_cm_3DsMax",
)
WALKS = ("cmu/02_01", "cmu/35_01", "bandai_namco/dataset-1_walk_normal_001")
LIMB_JOINTS = sorted({*LIMBS, *LIMBS.values()})
POSITION = 1e-3  # [m] the files have 4 to 7 digits
NAME = re.compile(r"^(\s*(?:ROOT|JOINT)\s+)(\S.*?)(\s*)$", re.MULTILINE)


def at(segment: str) -> int:
    return SEGMENT_INDEX[segment]


@pytest.fixture(scope="module")
def clip_of(shared_motions):
    @cache
    def read(name: str) -> HumanClip:
        path = shared_motions / f"{name}.bvh"
        if not path.is_file():
            pytest.skip(f"{path.name} is not among the public recordings here")
        return read_clip(path)

    return read


@pytest.mark.parametrize("name", FILES)
def test_the_clip_agrees_with_itself(clip_of, name):
    clip = clip_of(name)
    placed = clip.size.positions(clip.rotations, clip.positions[:, 0])
    joints = [at(joint) for joint in LIMB_JOINTS]
    assert np.abs(placed - clip.positions)[:, joints].max() < POSITION
    for limb, end in LIMBS.items():
        line = clip.positions[:, at(end)] - clip.positions[:, at(limb)]
        axis = -clip.rotations[:, at(limb), :, 2]
        assert angle_between(line, axis).max() < 1e-6


@pytest.mark.parametrize("name", FILES)
def test_the_performer_is_a_person_on_the_floor_facing_x(clip_of, name):
    clip = clip_of(name)
    assert 1.3 < clip.size.height < 2.0
    assert 0.75 < clip.size.leg_length < 1.05
    assert abs(clip.size.tips["LeftHeel"][2]) < 1e-12
    ahead = clip.rotations[0, 0, :, 0]
    assert abs(np.arctan2(ahead[1], ahead[0])) < np.deg2rad(15.0)
    ankles = clip.positions[:, [at("LeftFoot"), at("RightFoot")], 2].min(axis=1)
    assert 0.0 < np.quantile(ankles, 0.1) < 0.14
    assert np.abs(clip.linear_velocities).max() < 12.0


@pytest.mark.parametrize("name", FILES)
def test_left_is_left_toes_are_ahead_and_knees_bend_back(clip_of, name):
    clip = clip_of(name)
    pelvis = clip.rotations[:, 0]
    hips = (
        clip.positions[:, at("LeftUpperLeg")] - clip.positions[:, at("RightUpperLeg")]
    )
    assert np.sum(hips * pelvis[:, :, 1], axis=1).min() > 0.05
    for side in ("Left", "Right"):
        knee, ankle, toe = (
            clip.positions[:, at(f"{side}{p}")] for p in ("LowerLeg", "Foot", "Toe")
        )
        foot = np.sum(
            (toe - ankle) * clip.rotations[:, at(f"{side}Foot"), :, 0], axis=1
        )
        assert foot.min() > 0.03
        thigh = clip.rotations[:, at(f"{side}UpperLeg")]
        shank = np.einsum("tba,tb->ta", thigh, ankle - knee)
        assert np.median(shank[:, 0]) < 0.04  # behind the thigh's line, or straight
        hand = np.einsum(
            "tba,tb->ta",
            clip.rotations[:, at(f"{side}UpperArm")],
            clip.positions[:, at(f"{side}Hand")]
            - clip.positions[:, at(f"{side}ForeArm")],
        )
        assert np.median(hand[:, 0]) > -0.02  # before the upper arm's line


@pytest.mark.parametrize("name", WALKS)
def test_walks_go_forward_with_flat_feet_in_stance(clip_of, name):
    clip = clip_of(name)
    way = clip.positions[-1, 0] - clip.positions[0, 0]
    assert way[0] > 1.0
    assert abs(way[1]) < 0.3 * way[0]
    for side in ("Left", "Right"):
        k = at(f"{side}Foot")
        stance = slow_and_low(clip.positions[:, k], clip.time)
        pitch = np.arcsin(-clip.rotations[stance, k, 2, 0])
        assert abs(np.median(pitch)) < np.deg2rad(4.0)
        arm = clip.rotations[:, at(f"{side}UpperArm"), :, 2]
        assert np.median(arm[:, 2]) > np.cos(np.deg2rad(30.0))


def test_hello_is_waved_with_one_hand(clip_of):
    clip = clip_of("animated_drawings/wave_hello")
    ways = {
        side: np.abs(clip.linear_velocities[:, at(f"{side}Hand")]).sum()
        for side in ("Left", "Right")
    }
    assert ways["Right"] > 1.5 * ways["Left"]


def test_the_posture_before_cmu_motions_is_dropped(clip_of):
    for name in (n for n in FILES if n.startswith("cmu/")):
        assert any("frame 0 is a posture" in note for note in clip_of(name).notes), name


@pytest.mark.parametrize("name", FILES)
def test_names_replaced_by_noise_give_the_same_motion(
    clip_of, shared_motions, tmp_path, name
):
    clip = clip_of(name)
    text = (shared_motions / f"{name}.bvh").read_text()
    rng = np.random.default_rng(0)
    letters = list("abcdeghijkmopqstuvwxyz")
    mute = NAME.sub(lambda m: m[1] + "".join(rng.choice(letters, 8)) + m[3], text)
    path = Path(tmp_path) / "mute.bvh"
    path.write_text(mute)
    got = read_clip(path)
    assert np.array_equal(got.rotations, clip.rotations)
    assert np.array_equal(got.positions, clip.positions)
    assert len(SEGMENTS) == got.rotations.shape[1]
