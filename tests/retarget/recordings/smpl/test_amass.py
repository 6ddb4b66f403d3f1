"""AMASS: SMPL rotations made from a known clip give that clip's motion."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings.npz.read_npz import read_npz
from telexist.retarget.recordings.options import ReadOptions
from telexist.retarget.recordings.smpl.skeleton import smpl_skeleton
from telexist.retarget.segments import LIMBS, SEGMENT_INDEX
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import angle_between, log_so3, rotation_x, yaw_of

Amass = Callable[..., Path]

# SMPL's bones at rest are up to 7 degrees off those of a straight T-pose.
REST = np.radians(9.0)
TOES_OUT = np.radians(20.0)  # so far do its feet point outwards at rest


def save(path: Path, **arrays: object) -> Path:
    np.savez(path, **arrays)  # type: ignore[arg-type]
    return path


@pytest.mark.parametrize("width", [66, 72, 156, 165])
def test_the_motion_comes_back_on_an_average_body(
    tmp_path: Path, width: int, amass: Amass, clip: HumanClip
) -> None:
    back = read_npz(amass(tmp_path / "a.npz", width), ReadOptions())
    assert len(back) == len(clip) and back.rate == pytest.approx(20.0)
    for limb, end in LIMBS.items():
        i, j = SEGMENT_INDEX[limb], SEGMENT_INDEX[end]
        along = back.positions[:, j] - back.positions[:, i]
        down = np.array([0.0, 0.0, -1.0])
        law = angle_between(along, back.rotations[:, i] @ down)
        assert np.degrees(law.max()) < 1.0
        off = angle_between(along, clip.rotations[:, i] @ down)
        assert off.max() < REST
    for name in ("Pelvis", "T8", "Head", "LeftFoot", "RightHand", "LeftUpperArm"):
        i = SEGMENT_INDEX[name]
        turn = np.swapaxes(clip.rotations[:, i], -1, -2) @ back.rotations[:, i]
        most = TOES_OUT if name.endswith("Foot") else REST
        assert np.linalg.norm(log_so3(turn), axis=-1).max() < most
    assert 1.5 < back.size.height < 1.9
    way = np.linalg.norm(back.positions[:, 0] - clip.positions[:, 0], axis=-1)
    assert way.max() < 0.25


def test_joints_are_mirrored_and_face_ahead() -> None:
    still = np.tile(np.eye(3), (2, 22, 1, 1))
    still[:, 0] = rotation_x(np.pi / 2)
    skeleton = smpl_skeleton(Path("a"), np.arange(2.0), still, np.zeros((2, 3)))
    at = dict(zip(skeleton.names, skeleton.positions[0], strict=True))
    for name, point in at.items():
        if name.startswith("left"):
            other = at[name.replace("left", "right")]
            assert np.allclose(point * [-1.0, 1.0, 1.0], other)
            assert point[0] > 0.0
    assert at["left_toe_tip"][1] < at["left_ankle"][1], "root x turn by 90: ahead is -y"
    assert at["head_top"][2] - at["left_toe_tip"][2] == pytest.approx(1.72, abs=0.1)


@pytest.mark.parametrize("rate", ["mocap_frame_rate", "fps", "frame_rate"])
def test_root_and_body_may_be_apart_and_the_rate_has_many_names(
    rate: str, tmp_path: Path, amass: Amass, clip: HumanClip, poses: np.ndarray
) -> None:
    path = save(
        tmp_path / "a.npz",
        root_orient=poses[:, :3],
        pose_body=poses[:, 3:],
        trans=clip.positions[:, 0],
        **{rate: np.array(20)},
    )
    back = read_npz(path, ReadOptions())
    whole = read_npz(amass(tmp_path / "b.npz"), ReadOptions())
    assert np.array_equal(back.rotations, whole.rotations)
    assert back.rate == pytest.approx(20.0)
    assert abs(yaw_of(back.rotations[0, 0])) < 1e-6


def test_a_stated_rate_wins(tmp_path: Path, amass: Amass) -> None:
    back = read_npz(amass(tmp_path / "a.npz"), ReadOptions(rate=40.0))
    assert back.rate == pytest.approx(40.0)


@pytest.mark.parametrize(
    ("key", "value", "match"),
    [
        ("poses", np.zeros((4, 10)), "shape"),
        ("poses", np.zeros(66), "shape"),
        ("poses", np.zeros((0, 66)), "no frames"),
        ("poses", np.full((4, 66), np.nan), "finite"),
        ("poses", np.array([["a"] * 66]), "no numbers"),
        ("trans", np.zeros((3, 3)), "expected"),
        ("trans", np.full((4, 3), np.inf), "finite"),
        ("mocap_framerate", np.zeros(3), "one number"),
        ("mocap_framerate", np.array(0.0), "no frame rate"),
        ("mocap_framerate", np.array("fast"), "one number"),
        ("mocap_framerate", np.array(np.nan), "no frame rate"),
    ],
)
def test_wrong_arrays_are_named(
    tmp_path: Path, key: str, value: np.ndarray, match: str
) -> None:
    arrays = {"poses": np.zeros((4, 66)), "trans": np.zeros((4, 3))}
    path = save(tmp_path / "bad.npz", **{**arrays, key: value})
    with pytest.raises(BadRecording, match=match) as caught:
        read_npz(path, ReadOptions())
    assert key in str(caught.value) and "\n" not in str(caught.value)
