"""A folder with all kinds of files: recordings are found, the others named."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from telexist.launch_scripts.telexist import main
from telexist.retarget.errors import UsageError
from telexist.teleop.batch import find_clips, passed_over_line


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with one recording that is good and two that are not."""
    here = tmp_path / "recordings"
    (here / "deep").mkdir(parents=True)
    poses = np.zeros((5, 66))
    poses[:, 0] = np.pi / 2
    np.savez(here / "good.npz", poses=poses, trans=np.zeros((5, 3)))
    (here / "deep" / "broken.bvh").write_text("HIERARCHY\nROOT", encoding="utf-8")
    (here / "broken.pt").write_bytes(b"PK\x03\x04poses")
    (here / "robot.pkl").write_bytes(pickle.dumps({"dof_pos": np.zeros(3)}))
    np.savez(
        here / "good.g1.npz",
        joint_positions=np.zeros(2),
        base_quat_wxyz=np.zeros(2),
        format_version=np.zeros(1),
    )
    (here / "good.g1.json").write_text('{"frames": 3}', encoding="utf-8")
    (here / "good.g1.csv").write_text("time,left_hip_pitch_joint\n", encoding="utf-8")
    for name in ("notes.txt", "a.png", "b.png", "README", ".hidden"):
        (here / name).touch()
    return here


def test_what_is_no_recording_is_passed_over_with_its_reason(folder: Path) -> None:
    passed: dict[str, str] = {}
    found = find_clips([str(folder)], lambda path, why: passed.update({path.name: why}))
    assert {Path(clip.path).name for clip in found} == {
        *("good.npz", "broken.bvh", "broken.pt")
    }
    assert passed == {
        "robot.pkl": "no SMPL motion",
        "good.g1.json": "no landmarks",
        "good.g1.csv": "no landmarks",
        "good.g1.npz": "a robot's motion",
        **dict.fromkeys(("notes.txt", "a.png", "b.png", "README"), "no known format"),
    }


def test_the_line_counts_kinds_and_names_the_others() -> None:
    unknown = "no known format"
    files = [(Path(f"{k}.png"), unknown) for k in range(12)] + [(Path("x"), unknown)]
    files += [(Path(f"{k}.json"), "no landmarks") for k in range(7)]
    line = passed_over_line(files)
    assert line.startswith("passed over 20 files: 12 .png, 1 x, 0.json (no landmarks)")
    assert line.endswith("2 more") and "\n" not in line
    assert passed_over_line([]) == ""


def test_a_folder_without_recordings_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    with pytest.raises(UsageError, match="no recordings"):
        find_clips([str(tmp_path)])


@pytest.mark.slow
def test_bad_files_never_stop_the_list(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    arguments = [str(folder), "--out", str(out), "--no-pictures", "--jobs", "1"]
    assert main(["retarget", *arguments, "--robot", "icub"]) == 1
    said = capsys.readouterr()
    assert [p.name for p in out.glob("*.npz")] == ["good.icub.npz"]
    assert "1 done" in said.out and "2 failed" in said.out
    assert "passed over 8 files: 2 .png" in said.err
    assert "good.g1.npz (a robot's motion)" in said.err
