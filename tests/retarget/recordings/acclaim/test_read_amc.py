"""Acclaim files: the same motion as a BVH of it, and every mistake in one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings.acclaim.read_amc import amc_skeleton, read_amc
from telexist.retarget.recordings.bvh.read_bvh import bvh_skeleton
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.recordings.options import ReadOptions

ASF = """
# a comment
:version 1.10
:name test
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
  made for a test
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name thigh
    direction 0.6 -0.8 0
    length 4.0
    axis 10 -20 30 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
  end
  begin
    id 2
    name shin
    direction 0 -1 0
    length 3.5
    axis 0 0 40 XYZ
    dof rx
  end
  begin
    id 3
    name foot
    direction 0 0 1
    length 1.0
    axis 90 0 0 XYZ
  end
:hierarchy
  begin
    root thigh
    thigh shin
    shin foot
  end
"""


def motion(seed: int, frames: int = 6) -> tuple[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    table = rng.uniform(-60.0, 60.0, (frames, 10))
    lines = [":FULLY-SPECIFIED", ":DEGREES"]
    for number, row in enumerate(table, start=1):
        words = [f"{value:.9f}" for value in row]
        lines += [str(number), "root " + " ".join(words[:6])]
        lines += ["thigh " + " ".join(words[6:9]), "shin " + words[9]]
    return "\n".join(lines), table


def written(folder: Path, asf: str, amc: str, stem: str = "02_01") -> Path:
    (folder / "02.asf").write_text(asf, encoding="utf-8")
    path = folder / f"{stem}.amc"
    path.write_text(amc, encoding="utf-8")
    return path


def test_bones_are_where_plain_matrices_put_them(tmp_path: Path) -> None:
    text, table = motion(seed=1)
    skeleton = amc_skeleton(written(tmp_path, ASF, text))
    assert skeleton.names == ("root", "thigh", "shin", "foot", "foot_end")
    euler = Rotation.from_euler
    for frame, row in enumerate(table):
        world = euler("xyz", row[3:6], degrees=True)
        place = row[:3]
        np.testing.assert_allclose(skeleton.positions[frame, 0], place, atol=1e-6)
        axes = euler("xyz", [10, -20, 30], degrees=True)
        world = world * axes * euler("xyz", row[6:9], degrees=True) * axes.inv()
        place = place + world.apply([2.4, -3.2, 0.0])
        np.testing.assert_allclose(skeleton.positions[frame, 2], place, atol=1e-6)
        axes = euler("z", 40, degrees=True)
        world = world * axes * euler("x", row[9], degrees=True) * axes.inv()
        place = place + world.apply([0.0, -3.5, 0.0])
        np.testing.assert_allclose(skeleton.positions[frame, 3], place, atol=1e-6)
        place = place + world.apply([0.0, 0.0, 1.0])
        np.testing.assert_allclose(skeleton.positions[frame, 4], place, atol=1e-6)
        np.testing.assert_allclose(
            skeleton.rotations[frame, 2], world.as_matrix(), atol=1e-6
        )


def test_the_rest_posture_is_that_of_the_directions(tmp_path: Path) -> None:
    skeleton = amc_skeleton(written(tmp_path, ASF, motion(seed=2)[0]))
    assert skeleton.rest_positions is not None
    np.testing.assert_allclose(skeleton.rest_positions[-1], [2.4, -6.7, 1.0])


def as_acclaim(bvh: Path, folder: Path, frames: int) -> Path:
    """Write a BVH's motion as Acclaim files: bones with axes of the world."""
    source = bvh_skeleton(bvh)
    assert source.rest_positions is not None
    data, hierarchy = [], []
    for i, parent in enumerate(source.parents):
        if parent < 0:
            continue
        reach = source.rest_positions[i] - source.rest_positions[parent]
        length = float(np.linalg.norm(reach))
        direction = reach / length if length else np.array([0.0, 1.0, 0.0])
        data.append(
            f"begin\n name b{i}\n direction {' '.join(map(str, direction))}\n"
            f" length {length}\n axis 0 0 0 XYZ\n dof rx ry rz\nend"
        )
        above = "root" if source.parents[parent] < 0 else f"b{parent}"
        hierarchy.append(f"{above} b{i}")
    # bone i runs from joint `parent` to joint i, so it turns with joint `parent`
    text = (
        ":units\n angle deg\n:root\n order TX TY TZ RX RY RZ\n axis XYZ\n"
        " orientation 0 0 0\n:bonedata\n"
        + "\n".join(data)
        + "\n:hierarchy\nbegin\n"
        + "\n".join(hierarchy)
        + "\nend\n"
    )
    lines = [":DEGREES"]
    for frame in range(frames):
        lines.append(str(frame + 1))
        R = source.rotations[frame]
        root = source.parents.index(-1)
        turned = Rotation.from_matrix(R[root]).as_euler("xyz", degrees=True)
        place = source.positions[frame, root]
        lines.append("root " + " ".join(map(repr, map(float, [*place, *turned]))))
        for i, parent in enumerate(source.parents):
            if parent < 0:
                continue
            above = source.parents[parent]
            up = R[root] if above < 0 else R[above]
            own = Rotation.from_matrix(up.T @ R[parent])
            numbers = own.as_euler("xyz", degrees=True)
            lines.append(f"b{i} " + " ".join(map(repr, map(float, numbers))))
    (folder / "walk.asf").write_text(text, encoding="utf-8")
    path = folder / "walk.amc"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_joints_are_those_of_a_bvh_of_the_same_motion(
    tmp_path: Path, shared_motions: Path
) -> None:
    bvh = shared_motions / "cmu" / "02_01.bvh"
    same = amc_skeleton(as_acclaim(bvh, tmp_path, frames=40))
    source = bvh_skeleton(bvh)
    ends = {name: i for i, name in enumerate(same.names)}
    for i, parent in enumerate(source.parents):
        if parent < 0:
            continue
        kids = [k for k, p in enumerate(source.parents) if p == i]
        point = ends[f"b{kids[0]}"] if kids else ends[f"b{i}_end"]
        np.testing.assert_allclose(
            same.positions[:40, point], source.positions[:40, i], atol=1e-6
        )


def test_a_person_is_recognised_and_read_by_suffix(
    tmp_path: Path, shared_motions: Path
) -> None:
    bvh = shared_motions / "cmu" / "02_01.bvh"
    clip = read_clip(as_acclaim(bvh, tmp_path, frames=200))
    known = read_clip(bvh)
    assert clip.size.leg_length == pytest.approx(known.size.leg_length, rel=0.03)
    assert any("no rate" in note for note in clip.notes)


BAD_ASF = {
    "no hierarchy": ASF.split(":hierarchy")[0],
    "no root": ASF.replace(":root", ":ruut"),
    "a bone twice": ASF.replace("shin foot\n", "shin foot thigh\n"),
    "an unknown bone": ASF.replace("shin foot\n", "shin toe\n"),
    "no number": ASF.replace("length 4.0", "length long"),
    "nan": ASF.replace("length 4.0", "length nan"),
    "an unknown axis": ASF.replace("30 XYZ", "30 XYX"),
    "an unknown dof": ASF.replace("dof rx\n", "dof rq\n"),
    "nothing": "",
}
AMC = motion(seed=3)[0]
BAD_AMC = {
    "nothing": "",
    "no frames": ":DEGREES\n",
    "cut": AMC[: len(AMC) - 30],
    "an unknown bone": AMC.replace("shin", "shinn"),
    "too few numbers": AMC.replace("shin ", "thigh "),
    "nan": AMC.replace("shin ", "shin nan#"),
    "binary": "\x00\x01\x02" * 100,
}


@pytest.mark.parametrize("case", BAD_ASF)
def test_bad_skeletons_are_one_line(tmp_path: Path, case: str) -> None:
    with pytest.raises(BadRecording, match="02.asf"):
        read_amc(written(tmp_path, BAD_ASF[case], AMC), ReadOptions())


@pytest.mark.parametrize("case", BAD_AMC)
def test_bad_motions_are_one_line(tmp_path: Path, case: str) -> None:
    with pytest.raises(BadRecording, match="02_01.amc"):
        read_amc(written(tmp_path, ASF, BAD_AMC[case]), ReadOptions())


def test_a_motion_without_its_skeleton_says_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "walk.amc"
    path.write_text(AMC, encoding="utf-8")
    with pytest.raises(BadRecording, match=r"put walk\.asf beside it"):
        read_amc(path, ReadOptions())


def test_mutated_files_are_read_or_refused(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    for text, other in ((ASF, AMC), (AMC, ASF)):
        letters = np.frombuffer(text.encode(), np.uint8)
        for _ in range(150):
            bad = letters.copy()
            at = rng.integers(0, len(bad), rng.integers(1, 8))
            bad[at] = rng.integers(9, 127, len(at))
            pair = (bad.tobytes().decode(), other)
            asf, amc = pair if text is ASF else pair[::-1]
            try:
                amc_skeleton(written(tmp_path, asf, amc))
            except BadRecording as error:
                assert "\n" not in str(error)
