"""The commands on recorded sessions."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.teleop.recording.session_header import SessionHeader
from telexist.teleop.recording.session_recorder import SessionRecorder
from telexist.teleop.terms.robot_reference import RobotReference
from telexist.teleop.terms.tick import Event, State, Tick

N = 3


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """Return a short recording of a robot with three joints."""
    header = SessionHeader(
        robot="toy",
        joints=("a", "b", "slide"),
        units=("rad", "rad", "m"),
        operator="Ada",
        started=1.7e9,
        stamp=100.0,
    )
    path = tmp_path / "toy.mcap"
    recorder = SessionRecorder(path, header, configuration="[loop]\nrate = 200.0\n")
    for number in range(50):
        stamp = 100.0 + number * 0.005
        q = np.full(N, number / 3.0)
        happened = Event(stamp=stamp, kind="estop", reason="red", state=State.STOPPED)
        recorder.put(
            Tick(
                number=number,
                stamp=stamp,
                period=0.005,
                state=State.ACTIVE,
                reference=RobotReference(stamp=stamp, q=q, dq=q, ddq=q),
                events=(happened,) if number == 30 else (),
                stages=(1e-3,) * 6,
            )
        )
    recorder.close()
    return path


def test_replay_says_what_happened(telexist: Callable[..., Any], session: Path) -> None:
    ran = telexist("replay", session)
    assert ran.code == 0
    for text in ("toy, 3 joints", "Ada", "200.0 Hz", "0.150 s  estop: red (stopped)"):
        assert text in ran.out
    assert "all" in ran.out and "6.000" in ran.out
    assert "note" not in ran.out


def test_replay_shows_the_texts(telexist: Callable[..., Any], session: Path) -> None:
    ran = telexist("replay", session, "--text", "configuration")
    assert ran.out == "[loop]\nrate = 200.0\n"


def test_replay_of_a_cut_session_says_so(
    telexist: Callable[..., Any], session: Path
) -> None:
    session.write_bytes(session.read_bytes()[:-200])
    ran = telexist("replay", session)
    assert ran.code == 0 and "cut off" in ran.out


def test_replay_of_something_else_is_one_line(
    telexist: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "a.mcap").write_bytes(b"garbage")
    ran = telexist("replay", tmp_path / "a.mcap")
    assert ran.code == 1 and "not an MCAP file" in ran.error
    assert telexist("replay", tmp_path / "none.mcap").code == 1


def test_export_writes_and_refuses_to_overwrite(
    telexist: Callable[..., Any], session: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    ran = telexist("export", session, "--format", "npz,csv", "--out", out)
    assert ran.code == 0 and ran.out.count("wrote") == 2
    with np.load(out / "toy.npz" / "session.npz") as arrays:
        assert np.array_equal(arrays["reference.q"][:, 2], np.arange(50) / 3.0)
    header = (out / "toy.csv" / "reference.csv").read_text().splitlines()[0]
    assert "q.slide [m]" in header and "ddq.a [rad/s^2]" in header
    ran = telexist("export", session, "--out", out)
    assert ran.code == 1 and "--force" in ran.error
    assert telexist("export", session, "--out", out, "--force").code == 0


def test_export_names_what_is_wrong_before_it_begins(
    telexist: Callable[..., Any], session: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    ran = telexist("export", session, "--format", "npz,hdf5", "--out", out)
    assert ran.code == 2 and "known: beyondmimic, clip, csv" in ran.error
    ran = telexist("export", session, "--fps", "0", "--out", out)
    assert ran.code == 1 and "fps" in ran.error
    ran = telexist("export", session, "--format", "lerobot", "--out", out)
    assert ran.code == 1 and "holds no samples of robot" in ran.error
    assert not list(out.iterdir())


def test_feeding_hands_the_session_and_its_texts_to_teleoperate(
    telexist: Callable[..., Any], session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []

    def teleoperate(words: list[str]) -> int:
        given.extend(words)
        config = Path(words[words.index("--config") + 1])
        assert config.read_text() == "[loop]\nrate = 200.0\n"
        return 0

    module = types.ModuleType("telexist.launch_scripts.teleoperate")
    module.main = teleoperate  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    ran = telexist("replay", session, "--feed", "--", "--no-view", "--duration", "3")
    assert ran.code == 0
    assert given[:2] == ["--source", f"session:{session}"]
    assert given[-5:] == ["--robot", "toy", "--no-view", "--duration", "3"]
    assert telexist("replay", session, "--", "--no-view").code == 2


def test_a_clip_without_an_operator_names_the_file_once(
    telexist: Callable[..., Any], tmp_path: Path
) -> None:
    header = SessionHeader(robot="toy", joints=("a",), units=("rad",), stamp=0.0)
    path, q = tmp_path / "toy.mcap", np.zeros(1)
    recorder, clip = SessionRecorder(path, header), builtin_clip(rate=50.0)
    for number in range(5):
        recorder.put(
            Tick(
                number=number,
                stamp=number / 50.0,
                period=0.02,
                state=State.ACTIVE,
                human=clip.frame(number),
                reference=RobotReference(stamp=0.0, q=q, dq=q, ddq=q),
            )
        )
    recorder.close()
    ran = telexist("export", path, "--format", "clip", "--out", tmp_path)
    assert ran.code == 1 and "no operator profile" in ran.error
    assert ran.error.count("toy.mcap") == 1


@pytest.mark.slow
def test_a_live_session_runs_again_to_the_last_bit(
    telexist: Callable[..., Any], tmp_path: Path
) -> None:
    drive = ("teleoperate", "--headless", "--duration", "4", "--record", tmp_path)
    ran = telexist(*drive)
    assert ran.code == 0, ran.err
    (path,) = tmp_path.glob("*.mcap")
    ran = telexist("replay", path, "--check")
    assert ran.code == 0, ran.out + ran.err
    kinds = ("--format", "clip,lerobot", "--whole", "--out", tmp_path)
    ran = telexist("export", path, *kinds)
    assert ran.code == 0, ran.err
