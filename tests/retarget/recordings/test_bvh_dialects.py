"""One known motion, written in many dialects, must come back the same from all."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.recordings.options import ReadOptions
from telexist.retarget.segments import LIMBS, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import angle_between, log_so3, rotation_z

# Degrees. The text has 7 digits; the soles are averaged while they stand.
TEXT = 0.01
SOLES = 0.2
FRAME = 1.0  # a frame of the clip as reference, where nothing better exists
POSITION = 2e-3  # [m]

FEET = ("LeftFoot", "RightFoot", "LeftToe", "RightToe")


@cache
def truth() -> HumanClip:
    """Return every fourth frame of the built-in motion."""
    return thinned(builtin_clip(), slice(None, None, 4))


def thinned(clip: HumanClip, rows: slice) -> HumanClip:
    return HumanClip(
        name=clip.name,
        source=clip.source,
        time=clip.time[rows] - clip.time[rows][0],
        rotations=clip.rotations[rows],
        angular_velocities=clip.angular_velocities[rows],
        positions=clip.positions[rows],
        linear_velocities=clip.linear_velocities[rows],
        size=clip.size,
    )


def errors_deg(got: HumanClip, want: HumanClip, without=()) -> dict[str, float]:
    """Return the largest rotation error of each segment."""
    relative = np.swapaxes(want.rotations, -1, -2) @ got.rotations
    cosine = (np.trace(relative, axis1=-2, axis2=-1) - 1.0) / 2.0
    worst = np.rad2deg(np.arccos(np.clip(cosine, -1.0, 1.0))).max(axis=0)
    return {
        n: float(e) for n, e in zip(SEGMENTS, worst, strict=True) if n not in without
    }


def assert_same(got, want, *, without=(), limit=TEXT) -> None:
    for name, error in errors_deg(got, want, without).items():
        assert error < (max(limit, SOLES) if name in FEET else limit), (name, error)


@pytest.mark.parametrize("rest", ["npose", "tpose", "apose", "splayed"])
def test_any_standing_rest_skeleton_gives_the_truth(write_bvh, dialect, rest):
    got = read_clip(write_bvh(truth(), dialect(rest=rest)))
    assert_same(got, truth())
    assert np.abs(got.positions - truth().positions).max() < POSITION
    assert "neutral: the rest skeleton" in got.notes


@pytest.mark.parametrize("seed", range(3))
def test_a_nonsense_rest_skeleton_is_replaced_by_all_frames(write_bvh, dialect, seed):
    got = read_clip(write_bvh(truth(), dialect(rest="nonsense", seed=seed)))
    assert_same(got, truth(), limit=FRAME)
    assert any(note.startswith("neutral: from all") for note in got.notes)


@pytest.mark.parametrize("up", ["x", "y", "z", "-x", "-y", "-z"])
def test_any_axis_may_point_up_and_any_way_be_ahead(write_bvh, dialect, up):
    got = read_clip(write_bvh(truth(), dialect(up=up, yaw=2.0)))
    assert_same(got, truth())
    assert np.abs(got.positions - truth().positions).max() < POSITION


@pytest.mark.parametrize("unit", [1.0, 0.1, 0.01, 0.001, 0.0254, 0.05644])
def test_known_units_are_found(write_bvh, dialect, unit):
    got = read_clip(write_bvh(truth(), dialect(unit=unit)))
    assert np.abs(got.positions - truth().positions).max() < POSITION
    assert got.size.height == pytest.approx(truth().size.height, abs=5e-3)


def test_an_unknown_unit_is_scaled_to_a_person(write_bvh, dialect):
    got = read_clip(write_bvh(truth(), dialect(unit=0.0333)))
    assert 1.5 < got.size.height < 1.9
    assert_same(got, truth())


def test_every_order_of_angles_is_read(write_bvh, dialect):
    orders = tuple("".join(p) for p in itertools.permutations("XYZ"))
    got = read_clip(write_bvh(truth(), dialect(orders=orders)))
    assert_same(got, truth())


def test_names_do_not_matter(write_bvh, dialect, naming):
    for rest in ("tpose", "nonsense"):
        named = read_clip(write_bvh(truth(), dialect(rest=rest)))
        mute = read_clip(write_bvh(truth(), dialect(rest=rest, name=naming(5))))
        assert np.allclose(named.rotations, mute.rotations, atol=1e-12)
        assert np.allclose(named.positions, mute.positions, atol=1e-12)


def test_wrong_side_names_are_not_believed(write_bvh, dialect):
    swap = {"Left": "Right", "Righ": "Left"}

    def swapped(name: str) -> str:
        side = swap.get(name[:4])
        return name if side is None else side + name[4 + (name[:5] == "Right") :]

    got = read_clip(write_bvh(truth(), dialect(name=swapped)))
    assert_same(got, truth())
    assert any("disagree" in note for note in got.notes)


def test_bones_that_are_no_part_of_a_person_are_passed_over(write_bvh, dialect, naming):
    extras = ("twist", "sword", "face", "fingers")
    for rest in ("tpose", "nonsense"):
        written = dialect(extras=extras, rest=rest, name=naming(2))
        limit = TEXT if rest == "tpose" else FRAME
        assert_same(read_clip(write_bvh(truth(), written)), truth(), limit=limit)


def test_positions_on_every_joint_and_a_root_above(write_bvh, dialect):
    written = dialect(six_channels=True, root_above=True, rest="nonsense", up="z")
    got = read_clip(write_bvh(truth(), written))
    assert_same(got, truth(), limit=FRAME)


def test_arms_that_hang_on_the_neck_leave_the_chest_its_turning(write_bvh, dialect):
    on_neck = {"LeftShoulder": "Neck", "RightShoulder": "Neck"}
    got = read_clip(write_bvh(truth(), dialect(parents=on_neck)))
    assert_same(got, truth())


def test_legs_and_spine_may_be_siblings_under_a_centre(write_bvh, dialect):
    got = read_clip(write_bvh(truth(), dialect(centre=True)))
    assert_same(got, truth())


@pytest.mark.parametrize("count", [1, 2, 3])
def test_spines_of_any_length_keep_pelvis_and_chest(write_bvh, dialect, count):
    dropped = ("L5", "L3", "T12")[:count]
    got = read_clip(write_bvh(truth(), dialect(drop=dropped)))
    assert_same(got, truth(), without=("L5", "L3", "T12"))
    assert any("interpolated" in note for note in got.notes)


def test_missing_toes_collars_and_neck_follow_their_neighbours(write_bvh, dialect):
    sides = ("Left", "Right")
    dropped = (*(f"{s}{p}" for s in sides for p in ("Toe", "Shoulder")), "Neck")
    got = read_clip(write_bvh(truth(), dialect(drop=dropped)))
    assert_same(got, truth(), without=dropped)
    at = SEGMENT_INDEX
    for side in sides:
        assert np.array_equal(
            got.rotations[:, at[f"{side}Toe"]], got.rotations[:, at[f"{side}Foot"]]
        )
        assert np.array_equal(
            got.rotations[:, at[f"{side}Shoulder"]], got.rotations[:, at["T8"]]
        )


@pytest.mark.parametrize("side", [("Left",), ("Left", "Right")])
def test_arms_may_end_at_the_wrist(write_bvh, dialect, naming, side):
    """Without a joint for the hand it goes with the forearm."""
    hands = tuple(f"{s}Hand" for s in side)
    got = read_clip(write_bvh(truth(), dialect(drop=hands, name=naming(5))))
    assert_same(got, truth(), without=hands)
    at = SEGMENT_INDEX
    for s in side:
        hand, arm = (got.rotations[:, at[f"{s}{part}"]] for part in ("Hand", "ForeArm"))
        np.testing.assert_allclose(hand, arm, atol=1e-9)


@pytest.mark.parametrize("drop", [(), ("L5", "L3"), ("LeftToe", "RightToe", "Neck")])
def test_size_and_rotations_reproduce_the_positions(write_bvh, dialect, drop):
    clip = read_clip(write_bvh(truth(), dialect(drop=drop, rest="nonsense")))
    placed = clip.size.positions(clip.rotations, clip.positions[:, 0])
    assert np.abs(placed - clip.positions).max() < 1e-4


def test_limbs_point_along_the_line_between_their_joints(write_bvh, dialect):
    clip = read_clip(write_bvh(truth(), dialect(extras=("twist",))))
    for name, end in LIMBS.items():
        a, b = SEGMENT_INDEX[name], SEGMENT_INDEX[end]
        line = clip.positions[:, b] - clip.positions[:, a]
        assert angle_between(line, -clip.rotations[:, a, :, 2]).max() < 1e-9


def test_velocities_are_those_of_the_motion(write_bvh, dialect):
    clip = read_clip(write_bvh(truth(), dialect()))
    moved = clip.positions[2:] - clip.positions[:-2]
    expected = moved / (clip.time[2:] - clip.time[:-2])[:, None, None]
    assert np.allclose(clip.linear_velocities[1:-1], expected, atol=1e-9)
    step = log_so3(clip.rotations[2:] @ np.swapaxes(clip.rotations[:-2], -1, -2))
    rate = step / (clip.time[2:] - clip.time[:-2])[:, None, None]
    slow = np.linalg.norm(rate, axis=-1) < 2.0
    assert np.abs(clip.angular_velocities[1:-1] - rate)[slow].max() < 0.1


def test_a_posture_before_the_motion_is_used_and_dropped(write_bvh, dialect):
    clip = truth()
    rows = slice(150, 300)
    motion = thinned(clip, rows)
    posture = np.tile(np.eye(3), (1, len(SEGMENTS), 1, 1))
    offset = np.array([0.0, 1.0, 0.0])
    put_before = HumanClip(
        name="x",
        source="x",
        time=np.arange(len(motion) + 1) * motion.time[1],
        rotations=np.concatenate([posture, motion.rotations]),
        angular_velocities=np.zeros((len(motion) + 1, 23, 3)),
        positions=np.concatenate([motion.positions[:1] + offset, motion.positions]),
        linear_velocities=np.zeros((len(motion) + 1, 23, 3)),
        size=motion.size,
    )
    got = read_clip(write_bvh(put_before, dialect(rest="nonsense")))
    assert len(got) == len(motion)
    assert any("frame 0 is a posture" in note for note in got.notes)
    ahead = rotation_z(-heading_of(motion))
    turned = HumanClip(
        name="x",
        source="x",
        time=motion.time,
        rotations=ahead @ motion.rotations,
        angular_velocities=motion.angular_velocities,
        positions=motion.positions,
        linear_velocities=motion.linear_velocities,
        size=motion.size,
    )
    assert_same(got, turned, without=FEET, limit=0.1)
    assert np.abs(got.linear_velocities).max() < 10.0


def heading_of(clip: HumanClip) -> float:
    left = clip.rotations[0, 0, :, 1]
    return float(np.arctan2(-left[0], left[1]))


def test_a_performer_who_lies_down_is_not_stood_up(write_bvh, dialect):
    clip = thinned(truth(), slice(0, 60))
    back = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]).T
    lying = HumanClip(
        name="x",
        source="x",
        time=clip.time,
        rotations=back @ clip.rotations,
        angular_velocities=clip.angular_velocities,
        positions=clip.positions @ back.T + [2.0, 0.0, 0.15],
        linear_velocities=clip.linear_velocities,
        size=clip.size,
    )
    got = read_clip(write_bvh(lying, dialect(up="y")))
    trunk = got.positions[:, SEGMENT_INDEX["Neck"]] - got.positions[:, 0]
    assert np.abs(trunk[:, 2]).max() < 0.2
    assert "up: y, from the rest skeleton" in got.notes


def test_options_replace_what_is_found(write_bvh, dialect):
    path = write_bvh(truth(), dialect(yaw=0.5))
    options = ReadOptions(unit=0.02, heading="keep", start=1.0, end=2.0, floor=0.0)
    got = read_clip(path, options)
    assert got.size.height == pytest.approx(2 * truth().size.height, abs=0.02)
    assert got.time[-1] == pytest.approx(1.0, abs=0.08)
    # in the file's axes, y up: our x ahead is turned by the yaw
    assert heading_of(got) == pytest.approx(0.5, abs=0.1)


def test_all_joints_may_be_stated(write_bvh, dialect, naming):
    names = naming(9)
    path = write_bvh(truth(), dialect(name=names))
    got = read_clip(path, ReadOptions(joints={s: names(s) for s in SEGMENTS}))
    assert_same(got, truth())


def test_a_file_of_options_beside_the_recording_is_read(write_bvh, dialect):
    path = write_bvh(truth(), dialect())
    path.with_suffix(".toml").write_text('rate = 30.0\nneutral = "rest"\n')
    got = read_clip(path)
    assert got.rate == pytest.approx(30.0)
    assert read_clip(path, ReadOptions()).rate == pytest.approx(15.0)


def test_two_people_in_one_file_are_not_mixed(write_bvh, bvh_text, dialect, naming):
    one, other = (
        bvh_text(truth(), dialect()),
        bvh_text(truth(), dialect(name=naming(7))),
    )
    (head, motion), (head2, motion2) = (t.split("MOTION\n") for t in (one, other))
    rows, rows2 = motion.splitlines(), motion2.splitlines()
    both = [*rows[:2], *(f"{a} {b}" for a, b in zip(rows[2:], rows2[2:], strict=True))]
    text = head + head2.removeprefix("HIERARCHY\n") + "MOTION\n" + "\n".join(both)
    path = write_bvh(truth(), dialect())
    path.write_text(text)
    assert_same(read_clip(path), truth())
