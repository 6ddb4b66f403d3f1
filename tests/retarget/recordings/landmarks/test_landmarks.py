"""Landmarks made from a known motion give that motion back."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from telexist.retarget.errors import BadRecording, TelexistError
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.recordings.landmarks.landmark_sets import (
    place_of_name,
    places_of_count,
)
from telexist.retarget.segments import LIMBS, SEGMENT_INDEX
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import angle_between, log_so3, shortest_rotation

CAMERA_R_WORLD = shortest_rotation([0.0, 0.0, 1.0], [0.0, -1.0, 0.0])  # y down
RATE = 20.0


@pytest.fixture(scope="module")
def clip() -> HumanClip:
    return builtin_clip(RATE)


@pytest.fixture(scope="module")
def places(clip: HumanClip) -> dict[str, np.ndarray]:
    """Return the path (t, 3) of every landmark, world axes [m]."""
    size = clip.size

    def on(segment: str, place: Any) -> np.ndarray:
        k = SEGMENT_INDEX[segment]
        return clip.positions[:, k] + clip.rotations[:, k] @ np.asarray(place)

    out = {"nose": on("Head", [0.11, 0.0, 0.06])}
    for side, left in (("left", 1.0), ("right", -1.0)):
        name = side.title()
        out[f"{side}_ear"] = on("Head", [0.0, 0.08 * left, 0.06])
        for part, segment in (
            ("shoulder", "UpperArm"),
            ("elbow", "ForeArm"),
            ("wrist", "Hand"),
            ("hip", "UpperLeg"),
            ("knee", "LowerLeg"),
            ("ankle", "Foot"),
        ):
            out[f"{side}_{part}"] = on(f"{name}{segment}", np.zeros(3))
        out[f"{side}_index"] = on(f"{name}Hand", [0.03, 0.0, -0.09])
        out[f"{side}_pinky"] = on(f"{name}Hand", [-0.03, 0.0, -0.09])
        heel = size.tips[f"{name}Heel"] - size.joints[f"{name}Foot"]
        toe = size.tips[f"{name}ToeTip"] - size.joints[f"{name}Toe"]
        out[f"{side}_heel"] = on(f"{name}Foot", heel)
        out[f"{side}_foot_index"] = on(f"{name}Toe", toe)
        out[f"{side}_small_toe"] = on(f"{name}Toe", toe - [0.05, -0.05 * left, 0.0])
    return out


def table(places: dict[str, np.ndarray], count: int, *, centred: bool) -> np.ndarray:
    """Return the points (t, count, 3) of a set in a camera's axes."""
    hips = (places["left_hip"] + places["right_hip"]) / 2.0
    shift = hips if centred else np.zeros(3)
    nothing = places["nose"]  # of eyes, mouth and fingers that nobody needs
    names = places_of_count(count)
    rows = [(places.get(name, nothing) - shift) @ CAMERA_R_WORLD.T for name in names]
    return np.stack(rows, axis=1)


def same_person(back: HumanClip, clip: HumanClip, *, hands: bool) -> None:
    assert len(back) == len(clip) and back.rate == pytest.approx(RATE, rel=1e-3)
    for limb, end in LIMBS.items():
        i, j = SEGMENT_INDEX[limb], SEGMENT_INDEX[end]
        lines = [c.positions[:, j] - c.positions[:, i] for c in (back, clip)]
        assert np.degrees(angle_between(*lines)).max() < 4.0, limb
    names = ["Pelvis", "T8", "LeftUpperLeg", "RightLowerLeg"]
    for name in [*names, *(("LeftHand", "Head") if hands else ())]:
        i = SEGMENT_INDEX[name]
        turn = np.swapaxes(clip.rotations[:, i], -1, -2) @ back.rotations[:, i]
        off = np.degrees(np.linalg.norm(log_so3(turn), axis=-1))
        # knees that hardly bend do not tell how they are turned
        assert np.median(off) < 8.0 and np.percentile(off, 95) < 25.0, name
    assert 1.5 < back.size.height < 2.0


def write_json(path: Path, frames: list[Any], **others: Any) -> Path:
    content = {**others, "frames": frames} if others else frames
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def as_tables(points: np.ndarray) -> list[Any]:
    return [
        [dict(zip("xyz", map(float, p), strict=True), visibility=0.9) for p in row]
        for row in points
    ]


def test_mediapipes_json_is_the_same_motion(
    clip: HumanClip, places: dict[str, np.ndarray], tmp_path: Path
) -> None:
    points = table(places, 33, centred=True)
    frames = [
        {"poseWorldLandmarks": [row], "timestamp_ms": 1000.0 * t, "landmarks": [0]}
        for row, t in zip(as_tables(points), clip.time, strict=True)
    ]
    back = read_clip(write_json(tmp_path / "a.json", frames))
    same_person(back, clip, hands=True)
    # the origin was between the hips: the way came from the feet
    way = back.positions[-1, 0] - back.positions[0, 0]
    known = clip.positions[-1, 0] - clip.positions[0, 0]
    assert np.linalg.norm((way - known)[:2]) < 0.25
    assert any("lower foot" in note for note in back.notes)


@pytest.mark.parametrize("style", ["LEFT_HIP_x", "leftHip.x", "x23", "23_x", "lines"])
def test_csv_of_any_layout_is_the_same_motion(
    style: str, clip: HumanClip, places: dict[str, np.ndarray], tmp_path: Path
) -> None:
    points = table(places, 33, centred=True)
    names = places_of_count(33)
    path = tmp_path / "a.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if style == "lines":
            writer.writerow(["timestamp", "landmark", "x", "y", "z"])
            for t, row in zip(clip.time, points, strict=True):
                for k, point in enumerate(row):
                    writer.writerow([t, k, *point])
        else:
            titles = {
                "LEFT_HIP_x": [f"{n.upper()}_{a}" for n in names for a in "xyz"],
                "leftHip.x": [
                    n.split("_")[0]
                    + "".join(w.title() for w in n.split("_")[1:])
                    + f".{a}"
                    for n in names
                    for a in "xyz"
                ],
                "x23": [f"{a}{k}" for k in range(33) for a in "xyz"],
                "23_x": [f"{k}_{a}" for k in range(33) for a in "xyz"],
            }[style]
            writer.writerow(["time", *titles])
            for t, row in zip(clip.time, points, strict=True):
                writer.writerow([t, *row.ravel()])
    same_person(read_clip(path), clip, hands=True)


@pytest.mark.parametrize("count", [17, 133])
def test_coco_in_space_is_the_same_motion(
    count: int, clip: HumanClip, places: dict[str, np.ndarray], tmp_path: Path
) -> None:
    points = table(places, count, centred=False)
    frames = [
        {"frame_id": k, "instances": [{"keypoints": row.tolist(), "bbox": [0, 0]}]}
        for k, row in enumerate(points)
    ]
    path = tmp_path / "a.json"
    content = {"meta_info": {}, "fps": RATE, "instance_info": frames}
    path.write_text(json.dumps(content), encoding="utf-8")
    same_person(read_clip(path), clip, hands=count == 133)


def test_points_that_are_hidden_for_a_while_are_bridged(
    clip: HumanClip, places: dict[str, np.ndarray], tmp_path: Path
) -> None:
    frames = as_tables(table(places, 33, centred=True))
    for k in range(100, 104):
        frames[k][15] = {"x": 9.0, "y": 9.0, "z": 9.0, "visibility": 0.01}
    frames[200] = []
    back = read_clip(write_json(tmp_path / "a.json", frames, fps=RATE))
    assert len(back) == len(clip)
    assert np.abs(np.diff(back.positions, axis=0)).max() < 0.6


FLAT = "2D"
BAD: dict[str, tuple[Any, str]] = {
    "nothing": (None, "empty"),
    "no JSON": ("{", "cannot be read"),
    "deep": ("[" * 100_000, "cannot be read"),
    "no frames": ({"frames": []}, "no frames"),
    "a number": (3, "no frames"),
    "no keys": ({"a": 1}, "holds no frames"),
    "flat pairs": ([[[0.1, 0.2]] * 33] * 5, FLAT),
    "flat tables": ([[{"x": 0.1, "y": 0.2}] * 33] * 5, FLAT),
    "COCO's list": ([{"keypoints": [1.0, 2.0, 2.0] * 17}] * 5, FLAT),
    "no depth": ([[[k * 0.1, k * 0.3, 0.0] for k in range(33)]] * 5, FLAT),
    "another set": ([[[0.1, 0.2, 0.3]] * 25] * 5, "25 landmarks, known sets"),
    "one frame": ([[[0.1 * k, 0.2, 0.3] for k in range(33)]], "1 frames"),
    "words": ([[["a", "b", "c"]] * 33] * 5, "cannot be understood"),
    "nobody": ([[], [], []], "no landmarks"),
    "never seen": (
        [[{"x": 0, "y": 0, "z": 0, "visibility": 0.0}] * 33] * 5,
        "left_shoulder.*missing",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_makes_no_person_is_one_line(case: str, tmp_path: Path) -> None:
    content, match = BAD[case]
    path = tmp_path / "a.json"
    text = "" if content is None else content
    path.write_text(text if isinstance(text, str) else json.dumps(text), "utf-8")
    with pytest.raises(BadRecording, match=match) as caught:
        read_clip(path)
    assert "\n" not in str(caught.value) and "a.json" in str(caught.value)


def test_parts_of_an_image_are_refused(
    places: dict[str, np.ndarray], tmp_path: Path
) -> None:
    points = table(places, 33, centred=True) * 0.2 + 0.5
    with pytest.raises(BadRecording, match="pose_world_landmarks"):
        read_clip(write_json(tmp_path / "a.json", as_tables(points)))


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "empty"),
        ("a,b\n", "no rows"),
        ("a,b\n1,2\n3,4\n", "no columns of landmarks"),
        ("left_hip_x,left_hip_y\n1,2\n3,4\n", FLAT),
        ("left_hip_x,left_hip_y,left_hip_z\n1,2,3\n1,2\n", "line 3: 2 columns"),
        ("left_hip_x,left_hip_y,left_hip_z\n1,2,3\n1,2,b\n", "line 3: expected a num"),
        ("left_hip_x,left_hip_y,left_hip_z\n1,2,3\n1,2,4\n", "right_hip"),
        ("landmark,x,y\n1,2,3\n", FLAT),
        ("landmark,x,y,z\n1,2,3,4\n", "frame"),
    ],
)
def test_tables_that_make_no_person_are_one_line(
    text: str, match: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadRecording, match=match) as caught:
        read_clip(path)
    assert "\n" not in str(caught.value) and "a.csv" in str(caught.value)


def test_mutated_files_are_read_or_refused(
    places: dict[str, np.ndarray], tmp_path: Path
) -> None:
    points = table(places, 17, centred=False)[:4]
    frames = [{"keypoints_3d": row.round(3).tolist()} for row in points]
    whole = json.dumps({"fps": 30, "frames": frames}).encode()
    rng = np.random.default_rng(1)
    path = tmp_path / "a.json"
    for _ in range(200):
        bad = bytearray(whole)
        for k in rng.integers(0, len(bad), rng.integers(1, 5)):
            bad[k] = rng.integers(32, 127)
        path.write_bytes(bad)
        try:
            read_clip(path)
        except TelexistError as error:
            assert "\n" not in str(error)


def test_names_are_known_in_many_spellings() -> None:
    for name in ("LEFT_HIP", "leftHip", "left hip", "l_hip", "Left-Hip"):
        assert place_of_name(name) == "left_hip"
    assert place_of_name("LEFT_BIG_TOE") == "left_foot_index"
    assert place_of_name("tail") is None


def test_a_point_seen_in_just_half_of_the_frames_is_filled(
    clip: HumanClip, places: dict[str, np.ndarray], tmp_path: Path
) -> None:
    frames = as_tables(table(places, 33, centred=True))
    frames = frames[: len(frames) // 2 * 2]
    for k in range(0, len(frames), 2):
        frames[k][27]["visibility"] = 0.0  # the left ankle
    back = read_clip(write_json(tmp_path / "a.json", frames, fps=RATE))
    assert len(back) == len(frames)


def test_a_number_of_thousands_of_digits_is_no_landmark(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("frame,landmark,x,y,z\n0,1%s,0,0,0\n1,2,0,0,1\n" % ("7" * 5000))
    with pytest.raises(BadRecording, match="nothing moves"):
        read_clip(path)
