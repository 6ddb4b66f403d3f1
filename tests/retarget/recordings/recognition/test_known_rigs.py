"""Rigs that are known by name or by their bones, and those that only look like one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.recordings.recognition.all_frames import known_rig
from telexist.retarget.recordings.recognition.human_motion import clip_from_skeleton
from telexist.retarget.recordings.recognition.skeleton import SourceSkeleton
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array, exp_so3, log_so3

MEAN, WORST, AGREE = 3.0, 10.0, 5.0  # [deg] the issue's
STRETCHES = ((0, 60), (0, 1100), (1100, 2200), (300, 2400))  # the first stands still
CHAINS = {
    "": "Hips:Pelvis Spine:L5 Spine1:L3 Spine2:T8 Neck:Neck Head:Head",
    "LeftLeg": "LeftUpLeg:LeftUpperLeg LeftLeg:LeftLowerLeg LeftFoot:LeftFoot "
    "LeftToe:LeftToe",
    "LeftArm": "LeftShoulder:LeftShoulder LeftArm:LeftUpperArm "
    "LeftForeArm:LeftForeArm LeftHand:LeftHand",
}


def chains() -> list[tuple[str, str, str]]:
    """Return joint, its parent and its segment of Ubisoft's rig, parents first."""
    out = []
    for where, text in CHAINS.items():
        sides = ("Left", "Right") if where else ("",)
        for side in sides:
            above = "Hips" if where.endswith("Leg") else "Spine2" if where else ""
            for pair in text.replace("Left", side or "Left").split():
                joint, segment = pair.split(":")
                out.append((joint, above, segment))
                above = joint
    return out


def axes_of(segment: str) -> Array:
    """Return columns x, y, z of a joint in N-pose, x ahead, y left, z up.

    In the file's T-pose x is along every bone, knees and elbows bend about -z.
    """
    right = segment.startswith("Right")
    if "Leg" in segment:
        columns = [(0, 0, -1), (1, 0, 0), (0, -1, 0)]
    elif segment.endswith(("Foot", "Toe")):
        columns = [(1, 0, 0), (0, 0, 1), (0, -1, 0)]
    elif segment.endswith("Shoulder"):
        columns = [
            (0, -1 if right else 1, 0),
            (-1, 0, 0),
            (0, 0, -1 if right else 1),
        ]
    elif "Arm" in segment or "Hand" in segment:
        columns = [(0, 0, -1), (-1, 0, 0), (0, 1, 0)]
    else:
        columns = [(0, 0, 1), (1, 0, 0), (0, 1, 0)]
    return np.array(columns, dtype=np.float64).T


def lafan1(clip: HumanClip, rows: slice, seed: int | None = None) -> SourceSkeleton:
    """Return a clip on joints named and made as LAFAN1's; with a seed, only named."""
    joints = chains()
    names = [joint for joint, _, _ in joints]
    rng = np.random.default_rng(seed)
    own = {joint: axes_of(segment) for joint, _, segment in joints}
    if seed is not None:
        own = {joint: exp_so3(rng.normal(size=3) * 2.0) for joint in own}
    at = {joint: clip.size.joints[segment] for joint, _, segment in joints}
    rest = {"Hips": np.zeros(3)}
    for joint, above, _ in joints[1:]:
        rest[joint] = rest[above] + own[above].T @ (at[joint] - at[above])
    where = [SEGMENT_INDEX[segment] for _, _, segment in joints]
    return SourceSkeleton(
        path="made.bvh",
        names=tuple(names),
        parents=tuple(names.index(a) if a else -1 for _, a, _ in joints),
        time=clip.time[rows] - clip.time[rows][0],
        positions=clip.positions[rows][:, where],
        rotations=clip.rotations[rows][:, where] @ np.stack([own[n] for n in names]),
        rest_positions=np.stack([rest[n] for n in names]),
        unit=1.0,
        up="z",
    )


def errors(clip: HumanClip, found: HumanClip, rows: slice) -> dict[str, Array]:
    out = {}
    for _, _, segment in chains():
        k = SEGMENT_INDEX[segment]
        off = np.swapaxes(clip.rotations[rows][:, k], -1, -2) @ found.rotations[:, k]
        out[segment] = np.degrees(np.median(log_so3(off), axis=0))
    return out


def test_a_known_rig_is_true_whatever_a_clip_shows() -> None:
    clip = builtin_clip()
    found = []
    for stretch in STRETCHES:
        rows = slice(*stretch)
        options = ReadOptions(heading="keep", floor=0.0)
        got = clip_from_skeleton(lafan1(clip, rows), options)
        assert any("rig of LAFAN1" in note for note in got.notes)
        found.append(errors(clip, got, rows))
        angles = {name: np.linalg.norm(e) for name, e in found[-1].items()}
        assert np.mean(list(angles.values())) < MEAN
        assert max(angles.values()) < WORST, angles
    for stretch in found[1:]:
        for name, e in stretch.items():
            assert np.linalg.norm(e - found[0][name]) < AGREE, name


def test_joints_that_are_only_named_like_a_rig_are_not_believed() -> None:
    clip, rows = builtin_clip(), slice(0, 1100)
    options = ReadOptions(heading="keep", floor=0.0)
    got = clip_from_skeleton(lafan1(clip, rows, seed=3), options)
    assert any("made otherwise" in note for note in got.notes)
    off = {n: np.linalg.norm(e) for n, e in errors(clip, got, rows).items()}
    warned = " ".join(n for n in got.notes if n.startswith("warning: neutral"))
    unsaid = {n: a for n, a in off.items() if a > WORST and n not in warned}
    assert not unsaid


def test_a_rig_without_its_names_is_told_by_its_bones(
    shared_motions: Path, tmp_path: Path
) -> None:
    name = "dataset-1_walk_normal_001.bvh"
    text = (shared_motions / "bandai_namco" / name).read_text()
    path = tmp_path / name
    path.write_text(text.replace("Spine", "Waist").replace("Chest", "Ribs"))
    notes = read_clip(path).notes
    assert any("rig of Bandai Namco" in note for note in notes)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("CMU", "Hips LHipJoint RHipJoint LeftUpLeg LeftArm LeftForeArm"),
        (
            "Mixamo",
            "mixamorig:Hips mixamorig:Spine mixamorig:Spine1 mixamorig:Spine2 "
            "mixamorig:Neck mixamorig:Head mixamorig:LeftShoulder mixamorig:LeftArm "
            "mixamorig:LeftForeArm mixamorig:LeftHand mixamorig:LeftUpLeg "
            "mixamorig:LeftLeg mixamorig:LeftFoot mixamorig:LeftToeBase",
        ),
        (
            "SMPL",
            "pelvis left_hip left_knee left_ankle left_foot spine1 spine2 spine3 neck "
            "head left_collar left_shoulder left_elbow left_wrist",
        ),
        (
            "Xsens",
            "Hips Chest Chest2 Chest3 Chest4 Neck Head LeftCollar LeftShoulder "
            "LeftElbow LeftWrist LeftHip LeftKnee LeftAnkle LeftToe",
        ),
        ("", "a b c"),
    ],
)
def test_rigs_are_known_by_the_names_of_their_joints(name: str, words: str) -> None:
    assert known_rig(words.split()).name == name


def test_axes_of_known_rigs_are_rotations() -> None:
    rig = known_rig([joint for joint, _, _ in chains()])
    assert rig.name == "LAFAN1"
    for R in rig.axes.values():
        assert np.allclose(R @ R.T, np.eye(3))
        assert np.linalg.det(R) == pytest.approx(1.0)
