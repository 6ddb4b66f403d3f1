"""Markers put on a person whose motion is known give that motion back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import BadRecording, TelexistError, UnknownName
from telexist.retarget.recordings import ReadOptions, read_clip
from telexist.retarget.recordings.c3d import c3d_capture
from telexist.retarget.recordings.markers import known_roles
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array, angle_between, log_so3

RATE = 50.0
MOTION = slice(300, 900, 4)
ROTATION = np.deg2rad(1.0)  # what rounding to 1 um and half a spine leave
SHRUG = np.deg2rad(4.0)  # no marker tells how the shoulder girdle is turned
PLACE = 0.01  # [m]
LIMBS = ("UpperLeg", "LowerLeg", "Foot", "UpperArm", "ForeArm")
Writers = dict[str, Callable[..., Path]]
Moved = Callable[[HumanClip, slice], tuple[tuple[str, ...], Array]]


def written(
    moved: Moved,
    person: HumanClip,
    folder: Path,
    writer: Callable[..., Path],
    suffix: str,
) -> Path:
    names, standing = moved(person, slice(0, 3))
    writer(folder / f"static{suffix}", names, standing, RATE)
    _, points = moved(person, MOTION)
    return writer(folder / f"walk{suffix}", names, points, RATE)


@pytest.mark.parametrize("suffix", [".trc", ".c3d"])
def test_the_motion_comes_back(
    person: HumanClip, moved: Moved, files: Writers, suffix: str, tmp_path: Path
) -> None:
    path = written(moved, person, tmp_path, files[suffix], suffix)
    clip = read_clip(path, ReadOptions(heading="keep"))
    truth = person.rotations[MOTION]
    assert any("static" in note for note in clip.notes)
    turn = truth[0, 0] @ clip.rotations[0, 0].T  # the heading of a y-up file is its own
    for side in ("Left", "Right"):
        for part in LIMBS:
            k = SEGMENT_INDEX[f"{side}{part}"]
            miss = log_so3(np.swapaxes(truth[:, k], 1, 2) @ turn @ clip.rotations[:, k])
            bound = SHRUG if part == "UpperArm" else ROTATION
            assert np.linalg.norm(miss, axis=1).max() < bound, f"{side}{part}"
        for part in ("LowerLeg", "Foot"):
            k = SEGMENT_INDEX[f"{side}{part}"]
            found = (clip.positions[:, k] - clip.positions[:, 0]) @ turn.T
            wanted = (person.positions[:, k] - person.positions[:, 0])[MOTION]
            assert np.linalg.norm(found - wanted, axis=1).max() < PLACE
    assert clip.size.leg_length == pytest.approx(person.size.leg_length, abs=0.03)


def test_gaps_are_bridged_and_said(
    person: HumanClip, moved: Moved, files: Writers, tmp_path: Path
) -> None:
    names, points = moved(person, MOTION)
    whole = files[".trc"](tmp_path / "a.trc", names, points, RATE)
    points = points.copy()
    points[40:44, [names.index(n) for n in ("LTB1", "LTB2", "LANK")]] = np.nan
    gaps = files[".trc"](tmp_path / "b.trc", names, points, RATE)
    clip, truth = read_clip(gaps), read_clip(whole)
    assert any("interpolated" in note for note in clip.notes)
    assert np.abs(clip.positions - truth.positions).max() < 0.05


def test_without_a_standing_trial_the_bones_are_still_along_the_limbs(
    person: HumanClip, moved: Moved, files: Writers, tmp_path: Path
) -> None:
    names, points = moved(person, MOTION)
    clip = read_clip(files[".c3d"](tmp_path / "a.c3d", names, points, RATE))
    down = np.array([0.0, 0.0, -1.0])
    turn = person.rotations[MOTION][0, 0] @ clip.rotations[0, 0].T
    for part in ("LeftUpperLeg", "RightLowerLeg", "LeftUpperArm"):
        k = SEGMENT_INDEX[part]
        wanted = person.rotations[MOTION][:, k] @ down
        found = (turn @ clip.rotations[:, k]) @ down
        assert angle_between(wanted, found).max() < np.deg2rad(6.0), part


@pytest.mark.parametrize("processor", [84, 85, 86])
@pytest.mark.parametrize("integers", [False, True])
def test_every_processor_and_number_is_read(
    person: HumanClip,
    moved: Moved,
    files: Writers,
    processor: int,
    integers: bool,
    tmp_path: Path,
) -> None:
    names, points = moved(person, slice(0, 5))
    path = files[".c3d"](
        tmp_path / "a.c3d", names, points, RATE, processor=processor, integers=integers
    )
    capture = c3d_capture(path)
    assert capture.names == names
    step = 1e-4 if integers else 1e-6  # [m]
    assert np.abs(capture.positions * 1e-3 - points).max() < step


def test_a_plate_is_turned_into_the_world(
    person: HumanClip, moved: Moved, files: Writers, tmp_path: Path
) -> None:
    names, points = moved(person, slice(0, 4))
    corners = np.array([[0.6, 0.2, 0], [0.2, 0.2, 0], [0.2, 0.8, 0], [0.6, 0.8, 0]])
    force, at = np.array([10.0, -20.0, 500.0]), np.array([0.35, 0.45, 0.0])
    depth = 0.04
    middle = corners.mean(axis=0)
    to_plate = np.diag([1.0, -1.0, -1.0])  # x as in the room, z down
    local = to_plate @ force
    moment = np.cross(to_plate @ (at - middle) - [0, 0, depth], local)
    channels = np.tile(np.concatenate([local, 1000.0 * moment]), (8, 1))
    plates = {
        "TYPE": np.array([2]),
        "CHANNEL": np.arange(1, 7)[:, None],
        "CORNERS": 1000.0 * corners.T[:, :, None],
        "ORIGIN": np.array([0.0, 0.0, 1000.0 * depth])[:, None],
    }
    path = files[".c3d"](
        tmp_path / "a.c3d",
        names,
        points,
        RATE,
        plates=plates,
        samples=2,
        channels=channels,
    )
    forces = c3d_capture(path).forces
    assert forces is not None and forces.names == ("plate 1",)
    assert len(forces.time) == 8 and forces.time[1] == pytest.approx(0.01)
    assert np.allclose(forces.wrenches[0, :, :3], force, atol=1e-3)
    assert np.allclose(forces.wrenches[0, :, 3:], np.cross(at, force), atol=1e-3)


def test_a_plate_without_corners_is_left_out_and_said(
    person: HumanClip, moved: Moved, files: Writers, tmp_path: Path
) -> None:
    names, points = moved(person, slice(0, 4))
    plates = {"TYPE": np.array([2]), "CHANNEL": np.arange(1, 7)[:, None]}
    path = files[".c3d"](
        tmp_path / "a.c3d",
        names,
        points,
        RATE,
        plates=plates,
        channels=np.zeros((4, 6)),
    )
    forces = c3d_capture(path).forces
    assert forces is not None and not forces.names
    assert "no corners" in forces.notes[0]


@pytest.mark.parametrize("suffix", [".trc", ".c3d"])
def test_a_file_cut_anywhere_is_one_clear_line(
    person: HumanClip, moved: Moved, files: Writers, suffix: str, tmp_path: Path
) -> None:
    path = written(moved, person, tmp_path, files[suffix], suffix)
    data = path.read_bytes()
    broken = tmp_path / f"broken{suffix}"
    for share in (0.0, 0.001, 0.01, 0.03, 0.3, 0.9, 0.999):
        broken.write_bytes(data[: int(share * len(data))])
        with pytest.raises(BadRecording) as raised:
            read_clip(broken)
        assert "\n" not in str(raised.value)


@pytest.mark.parametrize("suffix", [".trc", ".c3d"])
def test_damage_never_ends_in_a_traceback(
    person: HumanClip, moved: Moved, files: Writers, suffix: str, tmp_path: Path
) -> None:
    names, points = moved(person, slice(300, 340, 4))
    data = files[suffix](tmp_path / f"a{suffix}", names, points, RATE).read_bytes()
    rng = np.random.default_rng(0)
    broken = tmp_path / f"broken{suffix}"
    for _ in range(150):
        harmed = bytearray(data)
        for place in rng.integers(0, min(len(data), 6000), 4):
            harmed[place] = int(rng.integers(256))
        broken.write_bytes(bytes(harmed))
        try:
            read_clip(broken)
        except TelexistError as error:
            assert "\n" not in str(error)


def test_a_unit_that_makes_no_person_is_refused(
    person: HumanClip, moved: Moved, files: Writers, tmp_path: Path
) -> None:
    names, points = moved(person, MOTION)
    path = files[".trc"](tmp_path / "a.trc", names, points, RATE, unit="m")
    path.write_text(path.read_text().replace("\tm\t", "\tmm\t", 1))
    with pytest.raises(BadRecording, match="unit"):
        read_clip(path)
    assert len(read_clip(path, ReadOptions(unit=1.0))) == points.shape[0]


def test_strange_names_are_mapped_by_options(
    person: HumanClip, moved: Moved, files: Writers, tmp_path: Path
) -> None:
    names, points = moved(person, MOTION)
    strange = tuple(f"M{k:02d}" for k in range(len(names)))
    path = files[".trc"](tmp_path / "a.trc", strange, points, RATE)
    with pytest.raises(BadRecording, match=r"\[markers\].*LeftAsis"):
        read_clip(path)
    roles = known_roles(names)
    stated = {place: strange[names.index(name)] for place, name in roles.items()}
    plain = read_clip(files[".trc"](tmp_path / "b.trc", names, points, RATE))
    clip = read_clip(path, ReadOptions(markers=stated))
    assert np.allclose(clip.rotations, plain.rotations)
    with pytest.raises(UnknownName, match="LeftAsis"):
        read_clip(path, ReadOptions(markers={"LeftAsi": "M00"}))


def test_shared_c3d_files_read_as_ezc3d_reads_them(shared_motions: Path) -> None:
    ezc3d = pytest.importorskip("ezc3d")
    for name in (
        "biomechzoo/HC002D06.c3d",
        "rehazenter/2014001_C1_01.c3d",
        "nimblephysics/sprint_JA1/original.c3d",
    ):
        path = shared_motions / name
        theirs = ezc3d.c3d(str(path), extract_forceplat_data=True)
        ours = c3d_capture(path)
        points = theirs["data"]["points"][:3].transpose(2, 1, 0)
        labels = theirs["parameters"]["POINT"]["LABELS"]["value"]
        columns = [labels.index(n) for n in ours.names if n in labels]
        mine = [k for k, n in enumerate(ours.names) if n in labels]
        assert np.nanmax(np.abs(points[:, columns] - ours.positions[:, mine])) < 1e-9
        assert ours.forces is not None
        for plate, wrench in zip(
            theirs["data"]["platform"], ours.forces.wrenches, strict=True
        ):
            assert np.abs(plate["force"].T - wrench[:, :3]).max() < 1e-6
            loaded = np.abs(wrench[:, 2]) > 100.0
            if loaded.any():
                down = wrench[loaded, 2]
                centre = np.stack([-wrench[loaded, 4], wrench[loaded, 3]], 1)
                centre = 1000.0 * centre / down[:, None]
                there = plate["center_of_pressure"].T[loaded, :2]
                assert np.abs(centre - there).max() < 0.5  # [mm] its plate is 2 mm low
