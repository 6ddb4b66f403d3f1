"""What was put into a session comes out of it, whatever happens to the disk."""

from __future__ import annotations

import base64
import io
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from mcap.reader import make_reader
from PIL import Image
from telexist.retarget.errors import CannotWrite
from telexist.teleop import clock
from telexist.teleop.recording.channels import CHANNELS
from telexist.teleop.recording.export.pictures import decode_picture
from telexist.teleop.recording.replay.play_session import play_ticks
from telexist.teleop.recording.replay.recorded_ticks import recorded_ticks
from telexist.teleop.recording.session_header import SessionHeader
from telexist.teleop.recording.session_reader import SessionReader
from telexist.teleop.recording.session_recorder import SessionRecorder, session_path
from telexist.teleop.terms.device_sample import DeviceSample
from telexist.teleop.terms.tick import Event, State, Tick

CHILD = Path(__file__).with_name("recording_child.py")
PATIENCE = 120.0  # [s] for what takes a second or two on a quiet machine


def test_every_number_reads_back_bit_for_bit(
    session: Path, ticks: tuple[Tick, ...]
) -> None:
    reader = SessionReader(session)
    assert reader.complete
    reference, robot = reader.arrays("reference"), reader.arrays("robot")
    for field in ("stamp", "q", "dq", "ddq"):
        want = np.array([getattr(tick.reference, field) for tick in ticks])
        assert np.array_equal(reference[field], want)
    for field in ("stamp", "q", "dq", "tau", "foot_wrenches", "world_R_base"):
        want = np.array([getattr(tick.robot, field) for tick in ticks])
        assert np.array_equal(robot[field], want)
    assert np.isnan(robot.get("world_v_base", np.nan)).all()
    loop = reader.arrays("loop")
    assert loop["tick"].tolist() == [tick.number for tick in ticks]
    assert np.array_equal(loop["stages"], [tick.stages for tick in ticks])
    assert np.array_equal(loop["age"], [tick.age for tick in ticks], equal_nan=True)
    assert set(loop["state"]) == {"active"}
    assert reader.problems == ()


def test_human_frames_read_back_as_they_came(
    session: Path, ticks: tuple[Tick, ...]
) -> None:
    frames = list(SessionReader(session).frames("raw"))
    wanted = [tick.raw for tick in ticks if tick.raw is not None]
    assert len(frames) == len(wanted)
    for frame, want in zip(frames, wanted, strict=True):
        assert (frame.stamp, frame.sequence) == (want.stamp, want.sequence)
        assert frame.segments == want.segments
        assert np.array_equal(frame.rotations, want.rotations)
        assert frame.positions is not None and want.positions is not None
        assert np.array_equal(frame.positions, want.positions)
        assert np.array_equal(frame.angular_velocities, want.angular_velocities)


def test_partial_frames_and_broken_numbers_are_kept(
    tmp_path: Path, ticks: tuple[Tick, ...], header: SessionHeader
) -> None:
    raw = ticks[0].raw
    assert raw is not None
    rotations = np.array(raw.rotations[[6, 10]])
    rotations[0, 0, 0] = np.nan
    part = replace(
        raw,
        segments=("Head", "RightHand"),
        rotations=rotations,
        angular_velocities=raw.angular_velocities[[6, 10]],
        positions=None,
        linear_velocities=None,
    )
    path = tmp_path / "part.mcap"
    recorder = SessionRecorder(path, header)
    recorder.put(replace(ticks[0], raw=part, human=None))
    recorder.close()
    reader = SessionReader(path)
    (frame,) = reader.frames("raw")
    assert frame.positions is None and frame.segments == part.segments
    assert np.array_equal(frame.rotations, rotations, equal_nan=True)
    arrays = reader.arrays("raw")
    assert arrays["rotations"].shape == (1, 23, 3, 3)
    assert "positions" not in arrays
    assert np.array_equal(arrays["rotations"][0, 6], rotations[0], equal_nan=True)
    assert np.isnan(arrays["rotations"][0, 0]).all()


def test_events_inputs_texts_and_header_read_back(
    session: Path, ticks: tuple[Tick, ...], header: SessionHeader
) -> None:
    reader = SessionReader(session)
    assert reader.header == header
    assert reader.events() == tuple(event for tick in ticks for event in tick.events)
    assert reader.text("configuration") == "rate = 200\n"
    assert reader.text("calibration") == "height = 1.7\n"
    inputs = [f for _, f in reader.messages("input") if not f["human"]]
    assert [f["tick"] for f in inputs] == [10, 60, 110, 160]
    assert inputs[1]["requests"] == ("hold", "engage")
    assert inputs[1]["walk"].tolist() == [0.1, -0.2, 0.6]
    assert inputs[1]["treadmill"].tolist() == [1.0, 0.5, 0.1, 0.0]
    assert inputs[1]["dead_man"] is True and inputs[1]["dropped"] == {"late": 3}


def test_whole_turns_read_back_as_the_loop_gave_them(
    session: Path, ticks: tuple[Tick, ...]
) -> None:
    found = list(recorded_ticks(SessionReader(session), decode_picture))
    assert len(found) == len(ticks)
    for tick, want in zip(found, ticks, strict=True):
        for name in ("number", "stamp", "period", "state", "events", "stages"):
            assert getattr(tick, name) == getattr(want, name)
        assert repr(tick.command) == repr(want.command)
        assert repr(tick.reference) == repr(want.reference)
        assert repr(tick.targets) == repr(want.targets)
        assert repr(tick.robot) == repr(want.robot)
        assert repr(tick.samples) == repr(want.samples)
        assert (tick.feedback is None) == (want.feedback is None)
        if tick.feedback is not None and want.feedback is not None:
            assert tick.feedback.image is not None
            assert tick.feedback.image.shape == (48, 64, 3)


def test_values_of_changing_size_are_padded(
    session: Path, ticks: tuple[Tick, ...]
) -> None:
    values = SessionReader(session).arrays("controller")["values.footsteps"]
    assert values.shape == (len(ticks), 3, 4)
    report = ticks[2].report
    assert report is not None
    assert np.array_equal(values[2, :2], report.values["footsteps"])
    assert np.isnan(values[2, 2]).all()


def test_another_reader_agrees(session: Path, ticks: tuple[Tick, ...]) -> None:
    with session.open("rb") as file:
        reader = make_reader(file, validate_crcs=True)
        summary = reader.get_summary()
        assert summary is not None and summary.statistics is not None
        topics = {channel.topic for channel in summary.channels.values()}
        assert topics == {channel.topic for channel in CHANNELS.values()}
        found = list(reader.iter_messages(topics=["/reference"]))
        (metadata,) = reader.iter_metadata()
        assert metadata.name == "session" and metadata.metadata["operator"] == "Ada"
    assert len(found) == len(ticks)
    for (schema, _, message), tick in zip(found, ticks, strict=True):
        assert schema is not None and json.loads(schema.data)["type"] == "object"
        assert message.sequence == tick.number
        assert json.loads(message.data)["q"] == tick.reference.q.tolist()


def test_pictures_are_compressed_images(session: Path, ticks: tuple[Tick, ...]) -> None:
    pictures = [fields for _, fields in SessionReader(session).messages("camera")]
    assert len(pictures) == 5
    assert pictures[0]["format"] == "jpeg"
    image = np.asarray(Image.open(io.BytesIO(base64.b64decode(pictures[1]["data"]))))
    assert image.shape == (48, 64, 3)
    assert np.abs(image[24, 20].astype(int) - (200, 30, 10)).max() < 12
    assert image[24, 60].max() < 30


def test_existing_and_unwritable_files_are_refused(
    session: Path, tmp_path: Path, header: SessionHeader
) -> None:
    size = session.stat().st_size
    with pytest.raises(CannotWrite, match="exists already"):
        SessionRecorder(session, header)
    assert session.stat().st_size == size
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotWrite, match="cannot be written"):
        SessionRecorder(tmp_path / "file" / "a.mcap", header)


def test_a_new_name_is_found_in_a_folder(tmp_path: Path, header: SessionHeader) -> None:
    robot = replace(header, robot="../evil robot")
    first = session_path(tmp_path, robot)
    assert first.parent == tmp_path and first.name.endswith("_evil_robot.mcap")
    first.write_text("")
    assert session_path(tmp_path, robot).name.endswith("_evil_robot_2.mcap")


def test_a_calibration_within_the_session_is_recorded_once(
    tmp_path: Path, ticks: tuple[Tick, ...], header: SessionHeader
) -> None:
    recorder = SessionRecorder(
        tmp_path / "a.mcap", header, calibration="a = 1\n", profile=lambda: "b = 2\n"
    )
    event = replace(ticks[20].events[0], kind="calibrated")
    for tick in ticks[:3]:
        recorder.put(replace(tick, events=(event,)))
    recorder.close()
    texts = [f for _, f in SessionReader(recorder.path).messages("calibration")]
    assert [f["text"] for f in texts] == ["a = 1\n", "b = 2\n"]
    assert texts[0]["tick"] == 0


def test_what_cannot_be_encoded_is_left_out_and_said(
    tmp_path: Path, ticks: tuple[Tick, ...], header: SessionHeader
) -> None:
    said: list[tuple[str, str]] = []
    recorder = SessionRecorder(
        tmp_path / "a.mcap", header, report=lambda kind, why: said.append((kind, why))
    )
    recorder.put(replace(ticks[0], samples=(DeviceSample(stamp=1.0, sequence=2**70),)))
    recorder.put(replace(ticks[1], stamp=float("nan")))
    recorder.close()
    assert recorder.problem is None
    assert len(said) == 1 and said[0][0] == "recording" and "input" in said[0][1]
    reader = SessionReader(tmp_path / "a.mcap")
    assert [e.kind for e in reader.events()] == ["recording"]
    assert len(reader.arrays("reference")["tick"]) == 2


def test_a_slow_disk_costs_the_least_important_and_no_event(
    tmp_path: Path,
    ticks: tuple[Tick, ...],
    header: SessionHeader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forever = 3600.0  # [s] the writer looks into the queue only when it is closed
    monkeypatch.setattr("telexist.teleop.recording.session_recorder.DRAIN", forever)
    said: list[str] = []
    recorder = SessionRecorder(
        tmp_path / "slow.mcap",
        header,
        capacity=80,
        report=lambda kind, why: said.append(why),
    )
    event = Event(stamp=1.0, kind="storm", reason="x", state=State.ACTIVE)
    for tick in ticks:
        recorder.put(replace(tick, events=(event,)))
    recorder.close()
    reader = SessionReader(tmp_path / "slow.mcap")
    events = reader.events()
    assert [e.kind for e in events].count("storm") == len(ticks)
    count = {
        name: len(reader.arrays(name).get("tick", ()))
        for name in ("loop", "reference", "robot", "controller", "targets")
    }
    assert count == {
        "loop": 80,
        "reference": 80,
        "robot": 60,
        "controller": 40,
        "targets": 20,
    }
    (loss,) = [e.reason for e in events if e.kind == "recording"]
    assert f"{len(ticks) - 80} whole turns" in loss and "40 controller" in loss
    assert said == [loss]


@pytest.fixture
def child(tmp_path: Path) -> Iterator[Callable[..., Child]]:
    """Return a function that begins to record in another process."""
    begun: list[Child] = []

    def begin(room: int = 0) -> Child:
        begun.append(Child(tmp_path / "child.mcap", room))
        return begun[-1]

    yield begin
    for recording in begun:
        recording.kill()


def test_a_session_that_was_killed_reads_up_to_the_last_second(
    child: Callable[..., Child], tmp_path: Path
) -> None:
    session = child()
    session.wait(lambda: session.last >= 400, "turns to be put")

    def follows() -> bool:
        found, last = session.recorded(), session.last
        return len(found) > 0 and found[-1] > last - 200  # turns: a second

    session.wait(follows, "the file to hold all but the last second")
    before = session.recorded()[-1]
    session.kill()
    reader = SessionReader(session.path)
    assert not reader.complete
    found = reader.arrays("loop")
    assert np.array_equal(found["tick"], np.arange(len(found["tick"])))
    assert found["tick"][-1] >= before
    reference = reader.arrays("reference")["q"]
    assert np.array_equal(reference[:, 0], found["tick"] / 7.0)


def test_a_full_disk_ends_the_recording_and_not_the_session(
    child: Callable[..., Child],
) -> None:
    session = child(room=20_000)
    said, limit = (session.path.with_suffix(f".{k}") for k in ("said", "limit"))
    session.wait(lambda: said.exists() and limit.exists(), "the end of the disk")
    session.wait(limit.read_text, "its size")
    turns = session.recorded()
    assert np.array_equal(turns, np.arange(len(turns))) and len(turns) > 20
    session.wait(lambda: session.last > turns[-1] + 20, "the session to go on")
    session.kill()
    assert session.path.stat().st_size <= int(limit.read_text())
    assert np.array_equal(SessionReader(session.path).arrays("loop")["tick"], turns)
    assert said.read_text().count("recording ended: File") == 1


class Child:
    """Another process that records, until it is killed."""

    def __init__(self, path: Path, room: int) -> None:
        self.path, self.last = path, -1
        self._process = subprocess.Popen(
            [sys.executable, str(CHILD), str(path), str(room)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[3],
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self.last = int(line)

    def recorded(self) -> np.ndarray:
        """Return the turns that can be read from the file as it is now."""
        copy = self.path.with_suffix(".copy.mcap")
        shutil.copyfile(self.path, copy)
        return SessionReader(copy).arrays("loop").get("tick", np.empty(0))

    def wait(self, condition: Callable[[], object], what: str) -> None:
        end = clock.now() + PATIENCE
        while not condition():
            assert self._process.poll() is None, "the recording process has ended"
            assert clock.now() < end, f"waited in vain for {what}"
            clock.sleep(0.02)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._thread.join()


class _Watched:
    """A sink that remembers when each turn came."""

    def __init__(self) -> None:
        self.turns: list[tuple[int, float]] = []

    def put(self, tick: Tick) -> None:
        self.turns.append((tick.number, clock.now()))

    def close(self) -> None: ...


def test_turns_are_shown_in_their_own_time(ticks: tuple[Tick, ...]) -> None:
    watched = _Watched()
    far = replace(ticks[21], stamp=float("nan"))
    assert play_ticks([*ticks[:21], far, *ticks[22:60]], watched, speed=2.0) == 60
    numbers, times = zip(*watched.turns, strict=True)
    assert list(numbers) == list(range(60))
    assert times[-1] - times[0] >= (ticks[59].stamp - ticks[0].stamp) / 2.0 - 1e-3
