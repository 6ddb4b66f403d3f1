"""Who is a person and who is not, and what the refusal says."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from telexist.retarget.errors import (
    BadConfig,
    BadRecording,
    TelexistError,
    UnknownSkeleton,
)
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.recordings.options import ReadOptions, load_options
from telexist.retarget.recordings.recognition.human_motion import clip_from_skeleton
from telexist.retarget.recordings.recognition.skeleton import SourceSkeleton
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.signals import HumanClip


@cache
def short(start: int = 0, stop: int = 400, step: int = 8) -> HumanClip:
    clip = builtin_clip()
    rows = slice(start, stop, step)
    return HumanClip(
        name="short",
        source="short",
        time=clip.time[rows] - clip.time[start],
        rotations=clip.rotations[rows],
        angular_velocities=clip.angular_velocities[rows],
        positions=clip.positions[rows],
        linear_velocities=clip.linear_velocities[rows],
        size=clip.size,
    )


def still_skeleton(points: dict[str, tuple[str | None, list[float]]]) -> SourceSkeleton:
    """Return a skeleton that sways a little, from name to (parent, rest position)."""
    names = tuple(points)
    parents = tuple(-1 if p is None else names.index(p) for p, _ in points.values())
    rest = np.array([xyz for _, xyz in points.values()], dtype=float)
    t = 20
    positions = np.tile(rest, (t, 1, 1)) + 0.01 * np.sin(np.arange(t))[:, None, None]
    return SourceSkeleton(
        path="made.bvh",
        names=names,
        parents=parents,
        time=np.arange(t) / 30.0,
        positions=positions,
        rotations=np.tile(np.eye(3), (t, len(names), 1, 1)),
        rest_positions=rest,
    )


def chain(parent: str, name: str, start: list[float], steps: list[list[float]]):
    out, at = {}, np.array(start, dtype=float)
    for k, step in enumerate([[0, 0, 0], *steps]):
        at = at + step
        out[f"{name}{k}"] = (parent, at.tolist())
        parent = f"{name}{k}"
    return out


def dog() -> SourceSkeleton:
    points: dict = {"root": (None, [0, 0, 0.5]), "neck": ("root", [0.6, 0, 0.55])}
    points |= chain("neck", "head", [0.7, 0, 0.7], [[0.15, 0, 0]])
    points |= chain("root", "tail", [-0.1, 0, 0.5], [[-0.1, 0, 0.05]] * 4)
    for side, y in (("l", 0.1), ("r", -0.1)):
        leg = [[0.03, 0, -0.2], [-0.05, 0, -0.2], [0.05, 0, -0.05]]
        points |= chain("root", f"hind_{side}", [0, y, 0.45], leg)
        points |= chain("neck", f"fore_{side}", [0.6, y, 0.45], leg)
    return still_skeleton(points)


def hand() -> SourceSkeleton:
    points: dict = {"wrist": (None, [0, 0, 0])}
    for k in range(5):
        start = [0.02 * k, 0.08, 0]
        points |= chain(
            "wrist", f"f{k}_", start, [[0, 0.04, 0], [0, 0.03, 0], [0, 0.02, 0]]
        )
    return still_skeleton(points)


def upper_body() -> SourceSkeleton:
    points: dict = {"hips": (None, [0, 0, 1.0]), "chest": ("hips", [0, 0, 1.3])}
    points |= chain("chest", "head", [0, 0, 1.5], [[0, 0, 0.15]])
    for side, y in (("Left", 0.15), ("Right", -0.15)):
        way = [
            [0, 0.3 * np.sign(y), 0],
            [0, 0.25 * np.sign(y), 0],
            [0, 0.1 * np.sign(y), 0],
        ]
        points |= chain("chest", side, [0, y, 1.4], way)
    return still_skeleton(points)


@pytest.mark.parametrize("make", [dog, hand, upper_body])
def test_what_is_no_whole_person_is_refused_with_the_remedy(make):
    with pytest.raises(UnknownSkeleton) as caught:
        clip_from_skeleton(make(), ReadOptions())
    message = str(caught.value)
    assert "[joints]" in message
    assert "LeftUpperArm" in message
    assert "\n" not in message


def test_points_that_are_all_in_one_place_are_refused():
    flat = dog()
    points = {
        n: (None if p < 0 else flat.names[p], [0, 0, 0])
        for n, p in zip(flat.names, flat.parents, strict=True)
    }
    with pytest.raises(UnknownSkeleton):
        clip_from_skeleton(still_skeleton(points), ReadOptions())


def test_the_refusal_names_what_was_found():
    with pytest.raises(UnknownSkeleton, match="arms: Left0 and Right0"):
        clip_from_skeleton(upper_body(), ReadOptions())


def test_a_wrong_joint_name_lists_the_joints(write_bvh, dialect):
    path = write_bvh(short(), dialect())
    with pytest.raises(UnknownSkeleton, match="no joint 'Arm' for joints.LeftUpperArm"):
        read_clip(path, ReadOptions(joints={"LeftUpperArm": "Arm"}))


def test_one_joint_may_be_stated(write_bvh, dialect):
    path = write_bvh(short(), dialect(extras=("twist",)))
    stated = ReadOptions(joints={"LeftHand": "LeftForeArmTwist"})
    got = read_clip(path, stated)
    hand_at, elbow = SEGMENT_INDEX["LeftHand"], SEGMENT_INDEX["LeftForeArm"]
    length = np.linalg.norm(got.positions[0, hand_at] - got.positions[0, elbow])
    true = np.linalg.norm(short().positions[0, hand_at] - short().positions[0, elbow])
    assert length == pytest.approx(true / 2.0, rel=1e-3)


def test_a_clip_in_which_nothing_moves_is_still_a_person(write_bvh, dialect, naming):
    clip = short()
    frozen = HumanClip(
        name="still",
        source="still",
        time=clip.time[:3],
        rotations=np.tile(np.eye(3), (3, 23, 1, 1)),
        angular_velocities=np.zeros((3, 23, 3)),
        positions=np.tile(clip.positions[0], (3, 1, 1)),
        linear_velocities=np.zeros((3, 23, 3)),
        size=clip.size,
    )
    got = read_clip(write_bvh(frozen, dialect(name=naming(1))))
    assert np.abs(got.rotations - np.eye(3)).max() < 1e-6
    assert not got.angular_velocities.any()


def test_without_feet_and_motion_names_tell_the_side(write_bvh, dialect, naming):
    clip = short(0, 16, 8)
    drop = ("LeftToe", "RightToe")
    bare = HumanClip(
        name="bare",
        source="bare",
        time=clip.time,
        rotations=np.tile(np.eye(3), (2, 23, 1, 1)),
        angular_velocities=np.zeros((2, 23, 3)),
        positions=clip.positions,
        linear_velocities=np.zeros((2, 23, 3)),
        size=clip.size,
    )
    got = read_clip(write_bvh(bare, dialect(drop=drop, rest="npose")))
    left, right = (SEGMENT_INDEX[f"{s}UpperLeg"] for s in ("Left", "Right"))
    assert got.positions[0, left, 1] > 0.05 > got.positions[0, right, 1]
    with pytest.raises(UnknownSkeleton, match="left from right"):
        read_clip(write_bvh(bare, dialect(drop=drop, rest="npose", name=naming(4))))


BAD_OPTIONS = {
    'up = "q"': "allowed: x, y, z",
    "unit = -1.0": "unit",
    "unit = 0": "unit",
    'neutral = "frame"': "neutral_frame",
    "start = 3.0\nend = 2.0": "not before",
    "[joints]\nTail = 'a'": "no such segment",
    "speed = 2": "unknown key",
    "unit = 'cm'": "expected float",
}


@pytest.mark.parametrize("text", BAD_OPTIONS)
def test_wrong_options_name_file_and_key(tmp_path, text):
    path = tmp_path / "a.toml"
    path.write_text(text)
    with pytest.raises(BadConfig, match=BAD_OPTIONS[text]) as caught:
        load_options(path)
    assert "a.toml" in str(caught.value)


def test_a_cut_that_leaves_nothing_is_refused(write_bvh, dialect):
    path = write_bvh(short(), dialect())
    for options in (
        ReadOptions(start=1e5),
        ReadOptions(skip_first_frames=10**6),
        ReadOptions(neutral="frame", neutral_frame=10**6),
    ):
        with pytest.raises(BadRecording):
            read_clip(path, options)


@pytest.fixture(scope="module")
def small_file(bvh_text, dialect) -> bytes:
    clip = short(0, 200, 20)
    return bvh_text(clip, dialect(rest="tpose", extras=("face",))).encode()


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_damaged_person_never_breaks_the_reader(small_file, tmp_path_factory, data):
    raw = bytearray(small_file)
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(raw) - 1))
        if data.draw(st.booleans()):
            raw[at] = ord(data.draw(st.sampled_from("0123456789.-eE {}\n\tX")))
        else:
            del raw[at : at + data.draw(st.integers(1, 20))]
    path = tmp_path_factory.mktemp("fuzz") / "f.bvh"
    path.write_bytes(bytes(raw))
    try:
        clip = read_clip(path)
    except TelexistError:
        return
    assert np.isfinite(clip.rotations).all()
