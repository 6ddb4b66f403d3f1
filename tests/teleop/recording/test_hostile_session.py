"""A session's file whose names want to be paths, and files that are too large."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

import pytest
from telexist.calibration.operator_folder import profile_path
from telexist.calibration.profile_file import MAX_BYTES, load_profile
from telexist.retarget.config import MAX_BYTES as MAX_CONFIG_BYTES
from telexist.retarget.errors import BadConfig, BadInput, TelexistError
from telexist.retarget.robot_body import RobotBody
from telexist.teleop.recording.export.formats import FORMATS, export_session
from telexist.teleop.recording.session_header import start_header
from telexist.teleop.recording.session_reader import SessionReader
from telexist.teleop.recording.session_recorder import SessionRecorder, session_path
from telexist.teleop.settings.settings import load_settings
from telexist.teleop.terms.tick import Tick

CLIMB = "../../../climbed"


@pytest.fixture
def hostile(body: RobotBody, ticks: tuple[Tick, ...], tmp_path: Path) -> Path:
    """Return a recording whose every name is a path that leads out of its folder."""
    header = start_header(body, operator=CLIMB, source=f"/{CLIMB}", deadline=0.1)
    joints = tuple(f"{CLIMB}/{name}" for name in header.joints)
    header = replace(header, robot=CLIMB, joints=joints)
    path = session_path(tmp_path / "deep" / "in" / "sessions", header)
    recorder = SessionRecorder(path, header, calibration="a = 1", configuration="b = 2")
    for tick in ticks[:50]:
        recorder.put(tick)
    recorder.close()
    return path


def test_a_recording_is_written_in_its_folder(hostile: Path, tmp_path: Path) -> None:
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert written == [hostile]
    assert hostile.parent == tmp_path / "deep" / "in" / "sessions"


@pytest.mark.parametrize("name", FORMATS)
def test_an_export_writes_in_its_folder_only(
    hostile: Path, tmp_path: Path, name: str
) -> None:
    out = tmp_path / "deep" / "out"
    with contextlib.suppress(TelexistError):  # refused is as good
        export_session(SessionReader(hostile), name, out)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert all(out in path.parents for path in written if path != hostile)


@pytest.mark.parametrize(
    "name", [CLIMB, "/etc/passwd", "a/b", "..", "", "a\0b", "é" * 9]
)
def test_an_operator_is_called_by_letters(name: str) -> None:
    with pytest.raises(BadInput, match="no operator's name"):
        profile_path(name)


def test_files_that_are_too_large_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    path.write_bytes(b"#" * (max(MAX_BYTES, MAX_CONFIG_BYTES) + 1))
    with pytest.raises(BadConfig, match=r"large\.toml"):
        load_profile(path)
    with pytest.raises(BadConfig, match="larger than"):
        load_settings(path)
