"""What a session calibrates is there for the next one."""

from __future__ import annotations

import dataclasses
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from telexist.calibration.operator_profile import OperatorProfile
from telexist.calibration.profile_file import load_profile, profile_text, save_profile
from telexist.retarget.so3 import rotation_z
from telexist.teleop.sinks.profile_keeper import ProfileKeeper
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.tick import State


def _calibrate(bench: Any) -> None:
    """Stand still, as sensors see it, for as long as the capture of the bench takes."""
    random = np.random.default_rng(1)
    bench.give(None, Request.CALIBRATE)
    for _ in range(400):
        frame = bench.frame(0)
        turn = rotation_z(random.normal(0.0, 1e-5))
        bench.give(dataclasses.replace(frame, rotations=turn @ frame.rotations))


def _reasons(bench: Any, kind: str) -> list[str]:
    return [e.reason for tick in bench.ticks for e in tick.events if e.kind == kind]


def _finish(bench: Any, keeper: ProfileKeeper) -> None:
    keeper.close()
    keeper.close()
    bench.silence(0.01)
    bench.turn()


def _keeper(bench: Any, path: Path) -> ProfileKeeper:
    keeper = ProfileKeeper(
        str(path), lambda: bench.loop.motion.profile, bench.loop.supervisor.note
    )
    bench.loop.sinks = (keeper,)
    return keeper


def test_a_calibration_is_saved_and_its_place_told(bench: Any, tmp_path: Path) -> None:
    path = tmp_path / "anna.toml"
    save_profile(OperatorProfile.identity(bench.clip.size, "older"), path)
    keeper = _keeper(bench, path)
    _calibrate(bench)
    assert bench.state is State.CALIBRATED
    _finish(bench, keeper)
    used = bench.loop.motion.profile
    assert used is not None
    assert profile_text(load_profile(path)) == profile_text(used)
    assert load_profile(tmp_path / "anna-1.toml").operator == "older"
    (reason,) = _reasons(bench, "profile_saved")
    assert str(path) in reason and "anna-1.toml" in reason


def test_a_profile_that_was_loaded_is_not_saved_again(
    bench: Any, tmp_path: Path
) -> None:
    loaded = OperatorProfile.identity(bench.clip.size, "loaded")
    bench.loop.take_profile(loaded, "test")
    path = tmp_path / "loaded.toml"
    keeper = ProfileKeeper(
        str(path),
        lambda: bench.loop.motion.profile,
        bench.loop.supervisor.note,
        known=loaded,
    )
    bench.loop.sinks = (keeper,)
    bench.play(0.1)
    _finish(bench, keeper)
    assert not path.exists()


def test_a_full_or_foreign_folder_is_told_and_the_session_goes_on(
    bench: Any, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    keeper = _keeper(bench, tmp_path / "file" / "anna.toml")
    _calibrate(bench)
    assert bench.state is State.CALIBRATED
    _finish(bench, keeper)
    (reason,) = _reasons(bench, "profile_not_saved")
    assert "this session only" in reason


def test_a_disk_that_does_not_answer_does_not_hold_up_the_loop(
    bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = threading.Event()
    monkeypatch.setattr(
        "telexist.teleop.sinks.profile_keeper.replace_profile",
        lambda *_: answers.wait() and None,
    )
    keeper = _keeper(bench, tmp_path / "anna.toml")
    _calibrate(bench)
    bench.give(bench.frame(), Request.ENGAGE)
    bench.play(3.0)
    assert bench.state is State.ACTIVE
    assert _reasons(bench, "profile_saved") == []
    answers.set()
    _finish(bench, keeper)
    assert len(_reasons(bench, "profile_saved")) == 1
