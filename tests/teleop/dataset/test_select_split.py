"""Selections, parts that share nothing, and shards read by others' readers."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest
from telexist.retarget.errors import BadConfig, BadInput, UsageError
from telexist.retarget.results import load_motion
from telexist.teleop.dataset import (
    DatasetPlace,
    parse_shares,
    read_marks,
    read_selection,
    select_rows,
    split_dataset,
    split_rows,
    write_mark,
    write_selection,
)


@pytest.fixture()
def place(build, recordings: Path, tmp_path: Path) -> DatasetPlace:
    build(tmp_path / "set", recordings)
    return DatasetPlace(tmp_path / "set")


def names(selected) -> list[str]:
    return [row["clip"] for row in selected.rows]


def test_like_clips_count_once_and_failed_ones_never(built: DatasetPlace) -> None:
    assert names(select_rows(built, "")) == ["a/reach", "a/walk", "b/walk"]
    every = select_rows(built, "", duplicates=True)
    assert names(every) == ["a/reach", "a/walk", "b/copy", "b/part", "b/walk"]
    some = select_rows(built, "like(clip, 'b/*')")
    assert names(some) == ["b/copy", "b/walk"], "the first like clip that is kept"
    assert (some.by_expression, some.duplicates, some.failed) == (2, 1, 1)


def test_nothing_left_is_said(built: DatasetPlace) -> None:
    with pytest.raises(UsageError, match="no clip of 6 is left"):
        select_rows(built, "frames < 0")


def test_marks_win_over_the_expression(place: DatasetPlace) -> None:
    write_mark(place.marks, "a/walk.human66", "drop")
    write_mark(place.marks, "a/reach.human66", "keep")
    found = select_rows(place, "like(clip, '*/walk')")
    assert names(found) == ["a/reach", "b/walk"]
    assert found.by_mark == 1
    write_mark(place.marks, "a/walk.human66", "")
    assert read_marks(place.marks) == {"a/reach.human66": "keep"}
    with pytest.raises(BadInput, match="no mark"):
        write_mark(place.marks, "x", "perhaps")
    place.marks.write_text('{"a": 3}')
    with pytest.raises(BadConfig, match="marks.json"):
        read_marks(place.marks)


def test_a_selection_is_read_again_by_its_name(place: DatasetPlace) -> None:
    selected = select_rows(place, "frames > 10")
    write_selection(place, "good", selected.rows)
    assert read_selection(place, "good") == list(selected.rows)
    with pytest.raises(UsageError, match="there are: good"):
        read_selection(place, "bad")
    with pytest.raises(UsageError, match="make a name"):
        place.selection("../x")


def made_rows(performers: int = 30, takes: int = 7) -> list[dict]:
    rng = np.random.default_rng(0)
    rows = [
        {
            "clip": f"s{who:02}/take{take}{mirror}",
            "folder": f"s{who:02}",
            "frames": int(rng.integers(100, 900)),
            "near_duplicates": None,
        }
        for who in range(performers)
        for take in range(takes)
        for mirror in ("", "~mirrored")
    ]
    rows[0]["near_duplicates"] = rows[-1]["near_duplicates"] = 0
    return rows


def test_parts_share_no_performer_and_no_like_clips() -> None:
    rows, shares = made_rows(), parse_shares(["train=0.7", "val=0.1", "test=0.2"])
    seen = set()
    for seed in range(5):
        parts = split_rows(rows, shares, seed=seed)
        seen.add(tuple(parts))
        for who in {row["folder"] for row in rows}:
            own = {p for p, r in zip(parts, rows, strict=True) if r["folder"] == who}
            assert len(own) == 1
        assert parts[0] == parts[-1], "near duplicates of two performers"
        total = sum(row["frames"] for row in rows)
        for part, share in shares.items():
            size = sum(
                r["frames"] for p, r in zip(parts, rows, strict=True) if p == part
            )
            assert abs(size / total - share) < 0.04
        assert parts == split_rows(rows, shares, seed=seed)
    assert len(seen) > 1, "the seed counts"


def test_a_performer_may_stand_in_the_name() -> None:
    rows = [
        {"clip": f"{d}/{who}_{k}", "folder": d, "frames": 10, "near_duplicates": None}
        for d in ("walk", "run")
        for who in ("ann", "bob", "cy", "di")
        for k in range(3)
    ]
    parts = split_rows(rows, {"a": 0.5, "b": 0.5}, seed=0, performer="ann|bob|cy|di")
    for who in ("ann", "bob", "cy", "di"):
        own = {p for p, r in zip(parts, rows, strict=True) if who in r["clip"]}
        assert len(own) == 1
    assert set(parts) == {"a", "b"}
    with pytest.raises(UsageError, match="--performer"):
        split_rows(rows, {"a": 1.0}, seed=0, performer="(")


@pytest.mark.parametrize(
    "words", [["a=0.5"], ["a=1", "a=1"], ["a"], ["a=x"], ["../a=1"], ["a=nan"], []]
)
def test_wrong_shares_are_refused(words: list[str]) -> None:
    with pytest.raises(UsageError, match="--shares"):
        parse_shares(words)


def test_shards_hold_every_motion_once(place: DatasetPlace) -> None:
    shares = parse_shares(["train=0.5", "test=0.5"])
    done = split_dataset(place, "all", shares, seed=0, shards="webdataset", clips=1)
    folder = place.folder / "splits" / "all"
    assert done.shards == 3
    found: dict[str, set[str]] = {}
    for path in sorted(folder.glob("*.tar")):
        with tarfile.open(path) as archive:
            for member in archive:
                key, _, ending = member.name.partition(".")
                found.setdefault(key, set()).add(ending)
                content = archive.extractfile(member)
                assert content is not None
                if ending.endswith("npz"):
                    with np.load(io.BytesIO(content.read())) as arrays:
                        assert arrays["joint_positions"].ndim == 2
                else:
                    assert json.load(content)["robot"] == "human66"
    assert sorted(found) == ["a/reach_human66", "a/walk_human66", "b/walk_human66"]
    assert all(ends == {"npz", "json"} for ends in found.values())
    lines = [
        line
        for part in ("train", "test")
        for line in (folder / f"{part}.txt").read_text().splitlines()
    ]
    assert len(lines) == 3
    assert all((place.folder / line).is_file() for line in lines)
    first = sorted(folder.glob("*.tar"))[0].read_bytes()
    split_dataset(place, "all", shares, seed=0, shards="webdataset", clips=1)
    assert sorted(folder.glob("*.tar"))[0].read_bytes() == first


def test_parquet_shards_give_the_motions_back(place: DatasetPlace) -> None:
    split_dataset(place, "all", {"train": 1.0}, seed=0, shards="parquet")
    (path,) = (place.folder / "splits" / "all").glob("train-*.parquet")
    rows = pyarrow.parquet.read_table(path).to_pylist()
    assert [row["clip"] for row in rows] == ["a/reach", "a/walk", "b/walk"]
    for row in rows:
        motion = load_motion(place.motions / f"{row['clip']}.human66.npz")
        q = np.reshape(row["joint_positions"], (row["frames"], -1))
        assert np.abs(q - motion.joint_positions).max() < 1e-6
        assert row["joint_names"] == list(motion.joint_names)
        planted = np.reshape(row["contacts"], (-1, 2))
        assert np.array_equal(planted[:, 0], motion.contact_left)
