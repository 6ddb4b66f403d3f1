"""`telexist dataset` from its command line: what it says, and its exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest
from telexist.retarget.results import load_motion
from telexist.teleop.dataset import DatasetPlace, read_rows

ROBOT = ("--robot", "human66", "--jobs", "1")


@pytest.fixture()
def made(telexist, clip, tmp_path) -> DatasetPlace:
    folder = tmp_path / "in" / "who"
    folder.mkdir(parents=True)
    (folder / "raise.bvh").write_text(Path(clip).read_text())
    (folder / "bad.bvh").write_text("HIERARCHY\n")
    out = tmp_path / "set"
    ran = telexist(
        "dataset", "build", tmp_path / "in", "--out", out, *ROBOT, "--mirror"
    )
    assert ran.code == 1, "one is damaged"
    assert "2 done, 0 kept, 2 failed" in ran.out
    return DatasetPlace(out)


def test_build_status_select_split(telexist, made: DatasetPlace) -> None:
    folder = made.folder
    rows = {row["clip"]: row for row in read_rows(made.table)}
    assert sorted(rows) == [
        "who/bad",
        "who/bad~mirrored",
        "who/raise",
        "who/raise~mirrored",
    ]
    assert load_motion(made.motions / "who" / "raise~mirrored.human66.npz")
    status = telexist("dataset", "status", folder)
    assert status.code == 0
    assert "4 clips on human66: 2 motions" in status.out
    assert "failed: who/bad on human66" in status.out
    columns = telexist("dataset", "status", folder, "--columns").out
    assert "slide_p95" in columns and "[mm/s]" in columns and "jerk" in columns
    chosen = telexist(
        "dataset", "select", folder, "--keep", "not mirrored", "--name", "plain"
    )
    assert chosen.code == 0
    assert "1 motions" in chosen.out and "2 left out for having failed" in chosen.out
    split = telexist("dataset", "split", folder, "--name", "plain", "--shares", "a=1")
    assert split.code == 0
    assert "a: 1 motions, 100.0% of all frames" in split.out
    lines = (folder / "splits" / "plain" / "a.txt").read_text().split()
    assert lines == ["motions/who/raise.human66.npz"]


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("select", "--keep", "slide_95 < 3"), "did you mean 'slide_p95'?"),
        (("select", "--keep", "slide_p95 <"), "no expression"),
        (("select", "--keep", "frames < 0"), "no clip of 4 is left"),
        (("select", "--name", "../x"), "make a name"),
        (("split", "--name", "nothing"), "no selection 'nothing'"),
        (("split", "--shares", "a=2"), "--shares"),
        (("status", "--worst", "slid_p95"), "slide_p95"),
    ],
)
def test_wrong_words_are_one_line(telexist, made, words, hint) -> None:
    ran = telexist("dataset", words[0], made.folder, *words[1:])
    assert ran.code == 2
    assert hint in ran.error


def test_no_set_and_no_action(telexist, tmp_path) -> None:
    for action in ("status", "select", "split", "view"):
        ran = telexist("dataset", action, tmp_path)
        assert ran.code == 2
        assert "no data set here; telexist dataset build" in ran.error
    assert telexist("dataset").code == 2
    assert telexist("dataset", "build", tmp_path, "--out", tmp_path / "x").code == 2


def test_a_damaged_table_is_one_line(telexist, made: DatasetPlace) -> None:
    made.table.write_bytes(made.table.read_bytes()[:500])
    for words in (("status",), ("select",), ("view", "--no-open", "--port", "0")):
        ran = telexist("dataset", words[0], made.folder, *words[1:])
        assert ran.code == 1
        assert "nothing is lost" in ran.error


def test_bench_shows_every_stage(telexist, clip) -> None:
    ran = telexist("bench", "dataset", clip, "--robot", "human66", "--repeats", 1)
    assert ran.code == 0
    for stage in ("read", "engine", "report", "write"):
        assert stage in ran.out
