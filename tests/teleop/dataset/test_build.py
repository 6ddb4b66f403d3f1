"""Sets of clips: their table, what is alike, and that nothing is ever lost."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pyarrow.parquet
import pytest
from telexist.retarget.errors import BadConfig, BadRecording, UsageError
from telexist.retarget.results import load_motion
from telexist.teleop.dataset import (
    BuildOptions,
    DatasetPlace,
    column_names,
    dataset_clips,
    read_rows,
)

CLIPS = ["a/reach", "a/walk", "b/broken", "b/copy", "b/part", "b/walk"]


def test_folders_of_the_source_are_those_of_the_set(built: DatasetPlace) -> None:
    rows = read_rows(built.table)
    assert [row["clip"] for row in rows] == CLIPS
    done = [row for row in rows if row["status"] == "done"]
    assert len(done) == 5
    for row in done:
        motion = load_motion(built.motions / row["motion"])
        assert row["motion"] == f"{row['clip']}.human66.npz"
        assert row["frames"] == len(motion.time)
        assert row["folder"] == row["clip"].split("/")[0]
        assert row["orientation"] == row["whole_clip_orientation_error_deg_mean"]
        assert row["stance_slide_p95_mm_s"] == row["slide_p95"]
        assert len(row["settings_sha256"]) == len(row["source_sha256"]) == 64
    (bad,) = (row for row in rows if row["status"] == "failed")
    assert "broken.npz" in bad["reason"]
    assert bad["frames"] is None


def test_copies_and_parts_are_found_and_others_are_not(built: DatasetPlace) -> None:
    rows = {row["clip"]: row for row in read_rows(built.table)}
    assert rows["b/copy"]["duplicate_of"] == "a/walk"
    group = rows["a/walk"]["near_duplicates"]
    assert group is not None
    assert rows["b/copy"]["near_duplicates"] == group
    assert rows["b/part"]["near_duplicates"] == group, "at half the rate, a part of it"
    assert rows["b/part"]["duplicate_of"] == ""
    for other in ("a/reach", "b/walk", "b/broken"):
        assert rows[other]["near_duplicates"] is None


def test_again_keeps_everything_and_lost_files_are_made_again(
    build: Callable, recordings: Path, built: DatasetPlace, tmp_path: Path
) -> None:
    first = build(tmp_path / "set", recordings)
    place = DatasetPlace(tmp_path / "set")
    assert (first.done, first.kept, first.failed) == (5, 0, 1)
    table = place.table.read_bytes()
    assert table == built.table.read_bytes(), "wherever the set lies"
    (place.motions / "b" / "part.human66.npz").unlink()
    (place.motions / "a" / "walk.human66.json").write_text("{")
    again = build(tmp_path / "set", recordings)
    assert (again.done, again.kept, again.failed) == (2, 3, 1)
    assert place.table.read_bytes() == table


def test_a_damaged_table_is_one_line_and_made_again(
    build: Callable, recordings: Path, built: DatasetPlace, tmp_path: Path
) -> None:
    build(tmp_path / "set", recordings)
    place = DatasetPlace(tmp_path / "set")
    good = place.table.read_bytes()
    for bad in (b"", good[:1000], good[:-200], b"PAR1" + bytes(500) + b"PAR1"):
        place.table.write_bytes(bad)
        with pytest.raises(BadRecording, match=r"table\.parquet.*nothing is lost"):
            read_rows(place.table)
        with pytest.raises(BadRecording, match=r"table\.parquet"):
            column_names(place.table)
    place.settings_file.write_text("{}")
    with pytest.raises(BadConfig, match="writes it again"):
        place.read_settings()
    assert build(tmp_path / "set", recordings).kept == 5
    assert place.table.read_bytes() == good


def test_a_mirror_and_trimming_are_clips_of_their_own(
    build: Callable, recordings: Path, tmp_path: Path
) -> None:
    build(tmp_path / "set", recordings / "a", mirror=True, trim=True)
    rows = read_rows(DatasetPlace(tmp_path / "set").table)
    names = ["reach", "reach~mirrored", "walk", "walk~mirrored"]
    assert [row["clip"] for row in rows] == names
    assert [row["mirrored"] for row in rows] == [False, True, False, True]
    assert all(row["trimmed"] and row["status"] == "done" for row in rows)
    assert all(row["duplicate_of"] == "" for row in rows)
    assert rows[2]["settings_sha256"] != rows[3]["settings_sha256"]


def test_distances_are_asked_of_the_engine_and_change_what_a_row_was_made_from(
    build: Callable, recordings: Path, tmp_path: Path
) -> None:
    place, hashes = DatasetPlace(tmp_path / "set"), []
    for distances in (False, True):
        result = build(place.folder, recordings / "a", distances=distances)
        assert (result.done, result.kept) == (2, 0)
        assert place.read_settings().distances is distances
        row = read_rows(place.table)[0]
        report = (place.motions / row["motion"]).with_suffix(".json")
        made_from = json.loads(report.read_text(encoding="utf-8"))["made_from"]
        assert made_from["settings"]["distances"] is distances
        hashes.append(row["settings_sha256"])
    assert hashes[0] != hashes[1]


def test_names_that_would_meet_are_told_apart(tmp_path: Path, recordings: Path) -> None:
    data = (recordings / "a" / "walk.npz").read_bytes()
    for name in ("one/x/walk.npz", "two/x/walk.npz", "one/x/Walk.npz"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    sources = (str(tmp_path / "one"), str(tmp_path / "two"))
    clips = dataset_clips(sources, mirror=False, trim=False)
    names = [clip.name.casefold() for clip in clips]
    assert len(set(names)) == 3
    assert all(clip.name.count("/") >= 1 for clip in clips)


def test_a_folder_with_other_things_is_left_alone(
    build: Callable, recordings: Path, tmp_path: Path
) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(UsageError, match="no data set"):
        build(tmp_path, recordings)
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]


def _command(recordings: Path, folder: Path, *more: str) -> list[str]:
    words = ["dataset", "build", str(recordings), "--out", str(folder)]
    words += ["--robot", "human66", "--mirror", *more]
    return [sys.executable, "-m", "telexist", *words]


def test_a_full_disk_is_one_line_and_what_is_done_stays(
    build: Callable, recordings: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "set"

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))

    ran = subprocess.run(
        _command(recordings, folder, "--jobs", "1"),
        preexec_fn=little_room,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1, ran.stderr
    (line,) = [x for x in ran.stderr.splitlines() if x.startswith("telexist: error")]
    assert "cannot be written" in line and "same command again" in line
    place = DatasetPlace(folder)
    assert not place.table.exists()
    assert not [p for p in folder.rglob("*.part") if p.is_file()]
    result = build(folder, recordings, mirror=True)
    assert result.failed == 2 and place.table.is_file()


@pytest.mark.slow
def test_killed_at_any_moment_it_ends_with_the_same_table(
    build: Callable, recordings: Path, tmp_path: Path
) -> None:
    build(tmp_path / "whole", recordings, mirror=True)
    wanted = DatasetPlace(tmp_path / "whole").table.read_bytes()
    folder, rng = tmp_path / "set", random.Random(1)
    command = _command(recordings, folder, "--jobs", "2")
    killed = 0
    for _ in range(10):
        process = subprocess.Popen(
            command, stderr=subprocess.DEVNULL, start_new_session=True
        )
        until = time.monotonic() + rng.uniform(0.5, 7.0)
        while time.monotonic() < until and process.poll() is None:
            time.sleep(0.01)
        killed += process.poll() is None
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert killed >= 3, "the test kills at all"
    assert subprocess.run(command, check=False).returncode == 1, "one is damaged"
    assert DatasetPlace(folder).table.read_bytes() == wanted
    whole = {p.relative_to(tmp_path / "whole") for p in (tmp_path / "whole").rglob("*")}
    here = {p.relative_to(folder) for p in folder.rglob("*") if p.suffix != ".part"}
    assert here == whole, "nothing is missing, and nothing is there twice"


@pytest.mark.slow
def test_a_cluster_loses_a_worker_and_nothing_else(
    build: Callable, recordings: Path, tmp_path: Path
) -> None:
    distributed = pytest.importorskip("distributed")
    build(tmp_path / "whole", recordings, mirror=True)
    with distributed.LocalCluster(
        n_workers=3,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address=None,
    ) as cluster:
        done: list[object] = []
        options = BuildOptions(scheduler=cluster.scheduler_address)

        def kill_one() -> None:
            folder = tmp_path / "set" / "motions"
            while not list(folder.rglob("*.json")):
                time.sleep(0.01)
            pid = next(iter(cluster.workers.values())).pid
            done.append(pid)
            os.kill(pid, signal.SIGKILL)

        killer = threading.Thread(target=kill_one)
        killer.start()
        result = build(tmp_path / "set", recordings, options=options, mirror=True)
        killer.join()
    assert done, "a worker was killed"
    assert (result.done, result.kept, result.failed) == (10, 0, 2)
    tables = [DatasetPlace(tmp_path / n).table.read_bytes() for n in ("whole", "set")]
    assert tables[0] == tables[1]


@pytest.mark.slow
def test_a_scheduler_of_our_own_listens_on_loopback_only(
    recordings: Path, tmp_path: Path
) -> None:
    pytest.importorskip("distributed")
    command = _command(
        recordings, tmp_path / "set", "--jobs", "2", "--scheduler", "local"
    )
    process = psutil.Popen(command, stderr=subprocess.DEVNULL)
    heard: set[str] = set()
    while process.poll() is None:
        for each in (process, *process.children(recursive=True)):
            try:
                found = each.net_connections(kind="inet")
            except psutil.Error:
                continue
            heard |= {c.laddr.ip for c in found if c.status == psutil.CONN_LISTEN}
        time.sleep(0.05)
    assert heard == {"127.0.0.1"}
    assert pyarrow.parquet.read_metadata(tmp_path / "set" / "table.parquet").num_rows


def test_nobody_at_the_scheduler_is_one_line(
    build: Callable, recordings: Path, tmp_path: Path, monkeypatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("telexist.teleop.dataset.cluster.PATIENCE", 0.5)
    options = BuildOptions(scheduler="tcp://127.0.0.1:9")
    with pytest.raises(Exception, match="nobody answers as a scheduler"):
        build(tmp_path / "set", recordings, options=options)
