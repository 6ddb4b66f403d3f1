"""Exports, opened by the libraries that others would open them with."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as parquet
import pytest
from PIL import Image
from telexist.calibration.operator_profile import OperatorProfile
from telexist.calibration.profile_file import save_profile
from telexist.retarget.errors import BadInput, BadRecording, CannotWrite, UnknownName
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.recordings.options import ReadOptions
from telexist.retarget.signals import HumanClip
from telexist.teleop.recording.export.formats import FORMATS, export_session
from telexist.teleop.recording.export.options import ExportOptions
from telexist.teleop.recording.session_header import SessionHeader
from telexist.teleop.recording.session_reader import SessionReader
from telexist.teleop.recording.session_recorder import SessionRecorder
from telexist.teleop.terms.tick import State, Tick

STATES = (
    [State.CALIBRATED] * 20
    + [State.ACTIVE] * 80
    + [State.HOLDING] * 20
    + [State.ACTIVE] * 80
)


@pytest.fixture(scope="module")
def reader(
    ticks: tuple[Tick, ...],
    header: SessionHeader,
    clip: HumanClip,
    tmp_path_factory: pytest.TempPathFactory,
) -> SessionReader:
    """Return a session with two engaged stretches and a real profile."""
    folder = tmp_path_factory.mktemp("export")
    profile = folder / "ada.toml"
    save_profile(OperatorProfile.identity(clip.size, "Ada"), profile)
    recorder = SessionRecorder(
        folder / "drive.mcap",
        replace(header, fixed_base=False),
        calibration=profile.read_text(),
    )
    for tick, state in zip(ticks, STATES, strict=True):
        recorder.put(replace(tick, state=state))
    recorder.close()
    return SessionReader(folder / "drive.mcap")


def test_npz_holds_the_arrays_exactly(
    reader: SessionReader, ticks: tuple[Tick, ...], tmp_path: Path
) -> None:
    place, notes = export_session(reader, "npz", tmp_path)
    assert place == tmp_path / "drive.npz" and "5 pictures" in notes[0]
    with np.load(place / "session.npz", allow_pickle=False) as arrays:
        assert tuple(arrays["joint_names"]) == reader.header.joints
        want = np.array([tick.reference.q for tick in ticks])
        assert np.array_equal(arrays["reference.q"], want)
        assert arrays["raw.rotations"].shape == (67, 23, 3, 3)
        assert arrays["events.reason"][0] == 'joint "neck" – limit'
        assert "joints" in str(arrays["calibration"])


def test_csv_names_joints_and_units(
    reader: SessionReader, ticks: tuple[Tick, ...], tmp_path: Path
) -> None:
    place, _ = export_session(reader, "csv", tmp_path)
    with (place / "command.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    joint = reader.header.joints[3]
    command = ticks[5].command
    assert command is not None
    assert float(rows[5][f"q.{joint} [rad]"]) == command.q[3]
    assert float(rows[5][f"dq.{joint} [rad/s]"]) == command.dq[3]
    assert float(rows[5]["stamp [s]"]) == command.stamp
    assert rows[5]["hands.right"] == "1.0"
    assert rows[5]["fingers.r_jaw [m]"] == ""
    hands = ticks[40].command.hands if ticks[40].command else None
    assert hands is not None and hands.fingers is not None
    assert float(rows[40]["fingers.r_jaw [m]"]) == hands.fingers[2]
    names = {path.name for path in place.iterdir()}
    assert {"loop.csv", "raw.csv", "robot.csv", "events.csv", "input.csv"} <= names
    with (place / "loop.csv").open(newline="") as file:
        loop = list(csv.DictReader(file))
    assert loop[0]["age [s]"] == "" and loop[30]["state"] == "active"
    assert float(loop[30]["stages.retarget [s]"]) == ticks[30].stages[2]
    with (place / "raw.csv").open(newline="") as file:
        header = next(csv.reader(file))
    assert "positions.LeftFoot.z [m]" in header


def test_a_text_that_looks_like_a_formula_is_defused(
    ticks: tuple[Tick, ...], header: SessionHeader, tmp_path: Path
) -> None:
    recorder = SessionRecorder(tmp_path / "evil.mcap", header)
    event = replace(ticks[20].events[0], reason='=HYPERLINK("http://x")')
    recorder.put(replace(ticks[0], events=(event,)))
    recorder.close()
    place, _ = export_session(
        SessionReader(tmp_path / "evil.mcap"), "csv", tmp_path / "out"
    )
    with (place / "events.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["reason"].startswith("'=")


def test_parquet_tables_open_and_agree(
    reader: SessionReader, ticks: tuple[Tick, ...], tmp_path: Path
) -> None:
    place, _ = export_session(reader, "parquet", tmp_path)
    table = parquet.read_table(place / "robot.parquet")
    joint = reader.header.joints[0]
    want = [tick.robot.q[0] for tick in ticks if tick.robot is not None]
    assert table[f"q.{joint} [rad]"].to_pylist() == want
    assert table.schema.metadata[b"telexist.robot"] == b"icub"


def test_lerobot_layout_is_complete_and_consistent(
    reader: SessionReader, ticks: tuple[Tick, ...], tmp_path: Path
) -> None:
    options = ExportOptions(fps=40.0, task="wave")
    place, notes = export_session(reader, "lerobot", tmp_path, options)
    info = json.loads((place / "meta" / "info.json").read_text())
    assert info["codebase_version"] == "v3.0" and info["fps"] == 40
    assert info["total_episodes"] == 2 and info["splits"] == {"train": "0:2"}
    data = parquet.read_table(place / info["data_path"].format(**FIRST))
    assert data.num_rows == info["total_frames"]
    assert set(data.column_names) == set(info["features"])
    for name, feature in info["features"].items():
        if feature["names"] and feature["dtype"] == "float32":
            assert data.schema.field(name).type.list_size == feature["shape"][0]
            assert len(feature["names"]) == feature["shape"][0]
    episodes = parquet.read_table(place / "meta/episodes/chunk-000/file-000.parquet")
    rows = episodes.to_pylist()
    assert [row["tasks"] for row in rows] == [["wave"], ["wave"]]
    assert sum(row["length"] for row in rows) == data.num_rows
    assert rows[1]["dataset_from_index"] == rows[0]["dataset_to_index"]
    indices = data["episode_index"].to_pylist()
    assert indices.count(1) == rows[1]["length"]
    assert data["index"].to_pylist() == list(range(data.num_rows))
    tasks = parquet.read_table(place / "meta" / "tasks.parquet")
    assert tasks.to_pylist() == [{"task_index": 0, "task": "wave"}]
    stats = json.loads((place / "meta" / "stats.json").read_text())
    assert set(stats) == set(info["features"])
    action = np.array(data["action"].to_pylist())
    assert np.allclose(stats["action"]["mean"], action.mean(axis=0), atol=1e-6)
    assert stats["action"]["count"] == [data.num_rows]
    assert "no video" in notes[0]


FIRST = {"chunk_index": 0, "file_index": 0}


def test_lerobot_frames_are_the_newest_samples_of_their_time(
    reader: SessionReader, ticks: tuple[Tick, ...], tmp_path: Path
) -> None:
    place, _ = export_session(reader, "lerobot", tmp_path, ExportOptions(fps=40.0))
    data = parquet.read_table(place / "data/chunk-000/file-000.parquet")
    states = np.array(data["observation.state"].to_pylist())
    n = len(reader.header.joints)
    assert states.shape[1] == n + 7  # a base that is free
    begin = ticks[20].stamp
    for row in (0, 7, 15):
        time = begin + row / 40.0
        (want,) = [t.robot.q for t in ticks if t.robot and t.robot.stamp <= time][-1:]
        assert np.array_equal(states[row, :n], want.astype(np.float32))
        (sent,) = [t.command for t in ticks if t.command and t.command.stamp <= time][
            -1:
        ]
        action = data["action"][row].as_py()
        assert np.array_equal(action[:n], sent.q.astype(np.float32))
        told = [t.command.hands.fingers for t in ticks[30:] if t.command]
        hand = sent.hands.fingers if sent.hands.fingers is not None else told[0]
        assert np.array_equal(action[n:], hand.astype(np.float32))
    stamps = data["timestamp"].to_pylist()
    assert stamps[:3] == [0.0, np.float32(0.025), np.float32(0.05)]
    picture = data["observation.images.head"][0].as_py()
    assert Image.open(io.BytesIO(picture["bytes"])).size == (64, 48)


def test_the_whole_session_can_be_one_episode(
    reader: SessionReader, tmp_path: Path
) -> None:
    options = ExportOptions(fps=100.0, whole=True)
    place, _ = export_session(reader, "lerobot", tmp_path, options)
    info = json.loads((place / "meta" / "info.json").read_text())
    assert info["total_episodes"] == 1 and info["total_frames"] in (99, 100)


def test_a_session_without_engagement_is_refused_with_the_remedy(
    header: SessionHeader, ticks: tuple[Tick, ...], tmp_path: Path
) -> None:
    recorder = SessionRecorder(tmp_path / "idle.mcap", header)
    for tick in ticks[:50]:
        recorder.put(replace(tick, state=State.IDLE))
    recorder.close()
    idle = SessionReader(tmp_path / "idle.mcap")
    with pytest.raises(BadRecording, match="--whole"):
        export_session(idle, "lerobot", tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_clip_is_read_by_retarget(
    reader: SessionReader, ticks: tuple[Tick, ...], clip: HumanClip, tmp_path: Path
) -> None:
    place, notes = export_session(reader, "clip", tmp_path)
    read = read_clip(place / "drive.npz")
    frames = [tick.human for tick in ticks if tick.human is not None]
    assert len(read) == len(frames) and notes == ()
    assert np.array_equal(read.rotations[4], frames[4].rotations)
    assert np.allclose(np.diff(read.time), np.diff([f.stamp for f in frames]))
    assert np.isclose(read.size.height, clip.size.height)


def test_a_session_itself_is_read_by_retarget(
    reader: SessionReader, tmp_path: Path
) -> None:
    place, _ = export_session(reader, "clip", tmp_path)
    exported, read = read_clip(place / "drive.npz"), read_clip(reader.path)
    for name in ("time", "rotations", "positions", "linear_velocities"):
        assert np.array_equal(getattr(read, name), getattr(exported, name))
    assert any("operator" in note for note in read.notes)
    with pytest.raises(BadRecording, match="leave out start"):
        read_clip(reader.path, ReadOptions(start=1.0))


def test_damaged_sessions_are_refused_in_one_line(
    reader: SessionReader, tmp_path: Path
) -> None:
    whole = reader.path.read_bytes()
    path = tmp_path / "a.mcap"
    for content in (b"", b"no session", whole[:40], whole[40:]):
        path.write_bytes(content)
        with pytest.raises(BadRecording) as caught:
            read_clip(path)
        assert "\n" not in str(caught.value) and "a.mcap" in str(caught.value)


def test_a_clip_needs_a_profile(session: Path, tmp_path: Path) -> None:
    with pytest.raises(BadRecording, match="operator profile"):
        export_session(SessionReader(session), "clip", tmp_path)


def test_nothing_is_overwritten_unless_asked(
    reader: SessionReader, tmp_path: Path
) -> None:
    place, _ = export_session(reader, "csv", tmp_path)
    (place / "mine.txt").write_text("keep")
    with pytest.raises(CannotWrite, match="--force"):
        export_session(reader, "csv", tmp_path)
    assert (place / "mine.txt").read_text() == "keep"
    export_session(reader, "csv", tmp_path, force=True)
    assert not (place / "mine.txt").exists() and (place / "loop.csv").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["drive.csv"]


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_half_written_is_left(
    reader: SessionReader, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, function = FORMATS[name].split(":")

    def fail(_: SessionReader, out: Path, __: ExportOptions) -> tuple[str, ...]:
        (out / "half").write_text("x")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(f"{module}.{function}", fail)
    with pytest.raises(CannotWrite, match="No space left"):
        export_session(reader, name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_unknown_formats_and_rates_are_refused(
    reader: SessionReader, tmp_path: Path
) -> None:
    with pytest.raises(UnknownName, match="lerobot"):
        export_session(reader, "lerobt", tmp_path)
    with pytest.raises(BadInput, match="fps"):
        ExportOptions(fps=float("nan"))


def test_trainers_get_the_motion_that_was_asked_for(
    reader: SessionReader, ticks: tuple[Tick, ...], tmp_path: Path
) -> None:
    options = ExportOptions(fps=50.0)
    place, notes = export_session(reader, "mjlab", tmp_path, options)
    files = sorted(place.glob("*.mjlab.npz"))
    assert len(files) == 2 and notes == ("2 motions at 50 Hz",)
    targets = reader.arrays("targets")
    with np.load(files[0]) as archive:
        fps, q = archive["fps"], archive["joint_pos"]
        base = archive["body_pos_w"][:, 0]
    assert fps.tolist() == [50.0]
    turns = reader.arrays("loop")
    active = turns["stamp"][20:100]
    inside = (targets["stamp"] >= active[0]) & (targets["stamp"] <= active[-1])
    stamps = targets["stamp"][inside]
    assert len(q) == int((stamps[-1] - stamps[0]) * 50.0 + 1e-6) + 1
    apart = np.abs(base[0] - targets["world_p_base"][inside][0]).max()
    assert apart < 1e-6 and np.isfinite(q).all()
