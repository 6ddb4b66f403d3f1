"""Calibrated within a session, kept, loaded, recorded, checked and played again."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from telexist.calibration.profile_file import load_profile
from telexist.retarget.robot_body import RobotBody

pytestmark = pytest.mark.slow

PATIENCE = 120.0  # [s] until the suit sends; a busy machine is slow
QUICK = """
[loop]
real_time = false
[engage]
approach = 0.3
[calibration]
countdown = 0.2
duration = 1.0
[safety]                # a busy machine is slow
deadline = 30.0
stalled = 30.0
robot_deadline = 30.0
"""


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Return the port to which a suit sends somebody who stands, then moves."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
        words = ["simulate", "xsens", "builtin", "--to", f"127.0.0.1:{port}"]
        words += ["--heading", "40", "--n-pose", "600", "--noise", "0.01"]
        command = [sys.executable, "-m", "telexist.launch_scripts.telexist", *words]
        suit = subprocess.Popen(command)
        try:
            probe.settimeout(PATIENCE)
            probe.recv(65536)  # it sends already
            probe.close()
            yield port
        finally:
            suit.terminate()
            suit.wait()


@pytest.fixture
def drive(
    telexist: Any, tmp_path: Path, body_of: Callable[[str], RobotBody]
) -> Callable[..., dict[str, Any]]:
    """Return a function that runs a session and returns its summary."""
    body_of("icub")
    config, summary = tmp_path / "quick.toml", tmp_path / "summary.json"
    config.write_text(QUICK)

    def run(*words: object, command: tuple[object, ...] = ("teleoperate",)) -> Any:
        usual = ("--headless", "--backend", "fake", "--json", summary)
        ran = telexist(*command, *usual, *words)
        assert ran.code == 0, ran.err
        return json.loads(summary.read_text())

    return run


def _only(folder: Path) -> Path:
    (path,) = folder.glob("*.mcap")
    return path


def test_an_operator_is_calibrated_once_and_used_everywhere(
    telexist: Any, drive: Callable[..., Any], tmp_path: Path, port: int
) -> None:
    config = ("--config", tmp_path / "quick.toml")
    anna, first, second = (tmp_path / n for n in ("anna.toml", "first", "second"))
    suit = ("--source", f"xsens:{port}", "--operator", anna, *config)

    made = drive(*suit, "--duration", "9", "--record", first)
    assert made["events"]["profile_saved"] == made["events"]["engage"] == 1
    assert load_profile(anna).source == f"xsens:{port}"
    assert telexist("replay", _only(first), "--check").code == 0

    used = drive(*suit, "--duration", "6", "--record", second)
    assert used["events"]["engage"] == 1 and "calibrate" not in used["events"]
    assert telexist("replay", _only(second), "--check").code == 0

    for recording in (_only(first), _only(second)):
        source = ("--source", f"session:{recording}", *config)
        again = drive(*source, "--duration", "9")
        assert again["events"]["engage"] == 1
        assert "refused_request" not in again["events"]
        assert again["states"]["active"] > 0.0

    feed = ("replay", _only(first), "--feed", "--")
    fed = drive("--duration", "9", command=feed)
    assert fed["events"]["engage"] == 1
    assert "refused_request" not in fed["events"]
    assert load_profile(anna).source == f"xsens:{port}"
    assert [p.name for p in tmp_path.glob("anna*")] == ["anna.toml"]
