"""A recording outlives the name of its file."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from telexist.teleop.recording.session_header import SessionHeader
from telexist.teleop.recording.session_reader import SessionReader
from telexist.teleop.recording.session_recorder import SessionRecorder
from telexist.teleop.terms.tick import Tick

PATIENCE = 60.0  # [s]


def _deleted(path: Path) -> None:
    path.unlink()


def _folder_deleted(path: Path) -> None:
    shutil.rmtree(path.parent)


def _replaced(path: Path) -> None:
    path.rename(path.with_suffix(".old"))
    path.write_bytes(b"another file")


@pytest.mark.parametrize("fault", [_deleted, _folder_deleted, _replaced])
def test_all_turns_are_kept_and_it_is_told(
    tmp_path: Path,
    ticks: tuple[Tick, ...],
    header: SessionHeader,
    fault: Callable[[Path], None],
) -> None:
    told, said = threading.Event(), list[str]()

    def report(kind: str, reason: str) -> None:
        said.append(f"{kind}: {reason}")
        told.set()

    path = tmp_path / "deep" / "session.mcap"
    recorder = SessionRecorder(path, header, report=report)
    for tick in ticks[:100]:
        recorder.put(tick)
    fault(path)
    assert told.wait(PATIENCE)
    for tick in ticks[100:]:
        recorder.put(tick)
    recorder.close()
    assert recorder.path != path
    assert str(recorder.path) in said[0]
    assert recorder.problem is not None
    reader = SessionReader(recorder.path)
    assert reader.complete
    assert reader.problems == ()
    assert np.array_equal(reader.arrays("loop")["tick"], [t.number for t in ticks])
    if fault is _replaced:
        assert path.read_bytes() == b"another file"


def test_a_recording_that_stays_where_it_is_has_no_problem(
    tmp_path: Path, ticks: tuple[Tick, ...], header: SessionHeader
) -> None:
    recorder = SessionRecorder(tmp_path / "session.mcap", header)
    for tick in ticks:
        recorder.put(tick)
    recorder.close()
    assert recorder.problem is None
