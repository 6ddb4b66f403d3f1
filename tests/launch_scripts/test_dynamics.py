"""`telexist dynamics`: files whole, figures with deviations, errors of one line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from telexist.launch_scripts.telexist import main
from telexist.retarget.recordings import read_clip
from telexist.retarget.recordings.npz import save_clip
from telexist.retarget.signals import HumanClip


@pytest.fixture(scope="module")
def squat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a second of the built-in motion as a saved clip."""
    clip = read_clip("builtin")
    at = slice(0, 120)
    short = HumanClip(
        name="short",
        source="short",
        time=clip.time[at] - clip.time[0],
        rotations=clip.rotations[at],
        angular_velocities=clip.angular_velocities[at],
        positions=clip.positions[at],
        linear_velocities=clip.linear_velocities[at],
        size=clip.size,
    )
    path = tmp_path_factory.mktemp("clips") / "short.npz"
    save_clip(path, short)
    return path


def test_numbers_report_and_sheet_are_written(
    squat: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["dynamics", str(squat), "--mass", "70", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "hip flexion" in out and "mass 70.0 kg" in out
    arrays = np.load(tmp_path / "short.dynamics.npz")
    assert arrays["torques"].shape == arrays["torques_sd"].shape == (120, 66)
    assert np.all(arrays["torques_sd"] > 0.0)
    assert list(arrays["joint_names"])[0] == "jL5S1_roty"
    report = json.loads((tmp_path / "short.dynamics.json").read_text())
    assert report["mass_kg"] == 70.0
    assert report["hands"]["left"]["sd_at_one_moment_kg"] > 0.0
    judged = report["ergonomics"]
    assert judged["settings"]["abducted_deg"] == 30.0  # what was assumed is named
    assert 1 <= judged["rula"]["most"] <= 7 and 1 <= judged["reba"]["most"] <= 15
    assert judged["l5_s1_compression"]["most_sd_n"] > 0.0
    assert judged["lifts"] == [] and "hands taken as empty" in str(judged["notes"])
    assert sum(judged["rula"]["share_of_time"].values()) == pytest.approx(1.0)
    assert "RULA up to" in out and "sd" in out
    assert arrays["rula"].shape == (120, 2)
    assert np.all(arrays["lumbar_compression_sd"] > 0.0)
    picture = (tmp_path / "short.dynamics.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) > 50_000


def test_what_cannot_be_read_leaves_nothing_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.c3d"
    broken.write_bytes(b"\x02\x50" + b"\0" * 700)
    out = tmp_path / "out"
    assert main(["dynamics", str(broken), "--out", str(out)]) == 1
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert not list(out.glob("*")) if out.exists() else True
    assert main(["dynamics", str(tmp_path / "none.c3d"), "--out", str(out)]) == 1
    assert main(["dynamics", "builtin", "--mass", "1"]) == 2
    for text, word in (("lever = 3", "lever"), ("levers = 3", "levers")):
        wrong = tmp_path / "wrong.toml"
        wrong.write_text(text)
        asked = ["dynamics", "builtin", "--ergonomics", str(wrong), "--out", str(out)]
        capsys.readouterr()
        assert main(asked) in (1, 2)
        told = capsys.readouterr().err.strip()
        assert word in told and len(told.splitlines()) == 1
        assert not out.exists() or not list(out.glob("*"))
