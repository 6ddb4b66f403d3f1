"""Both commands of a network: what they refuse, and that they find each other."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from telexist.launch_scripts.telexist import main
from telexist.teleop import clock


def test_the_operators_side_needs_a_place_and_a_pairing(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert main(["teleoperate", "--robot", "remote:"]) == 2
    assert "remote:HOST" in capsys.readouterr().err
    assert main(["teleoperate", "--robot", "remote:127.0.0.1:9"]) == 2
    assert "--pair CODE" in capsys.readouterr().err
    words = ["teleoperate", "--robot", "remote:127.0.0.1:9", "--pair", "AAAAA-AAAAA"]
    assert main(words) == 1
    assert "not paired" in capsys.readouterr().err
    assert main(["teleoperate", "--pair", "AAAAA-AAAAA"]) == 2
    assert "--robot remote:" in capsys.readouterr().err


def test_the_robots_side_has_no_source_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["robot", "--source", "xsens"]) == 2
    assert "operator's side" in capsys.readouterr().err


@pytest.mark.slow
def test_two_programs_find_each_other_and_ctrl_c_stops_the_robot(
    tmp_path: Path, project_root: Path
) -> None:
    env = dict(os.environ) | {
        "XDG_CONFIG_HOME": str(tmp_path),
        "PYTHONPATH": str(project_root),
        "PYTHONUNBUFFERED": "1",
    }
    command = [sys.executable, "-m", "telexist"]
    log = tmp_path / "robot.txt"

    def said(path: Path, pattern: str) -> re.Match[str]:
        end = clock.now() + 120.0
        while not (found := re.search(pattern, path.read_text())):
            assert clock.now() < end, path.read_text()
            clock.sleep(0.1)
        return found

    words = ["robot", "--robot", "human48", "--backend", "fake", "--headless"]
    with log.open("w") as out:
        robot = subprocess.Popen(
            [*command, *words, "--listen", "127.0.0.1:0"],
            env=env,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        found = said(log, r"remote:HOST:(\d+) .* --pair (\S+)")
        place, code = f"remote:127.0.0.1:{found[1]}", found[2]
        words = ["teleoperate", "--robot", place, "--source", "webxr:simulated"]
        there = tmp_path / "operator.txt"
        with there.open("w") as out:
            operator = subprocess.Popen(
                [*command, *words, "--pair", code],
                env=env,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        said(there, "connected")
        said(there, "robot: active")
        operator.send_signal(signal.SIGINT)
        assert operator.wait(30.0) == 130
        said(log, r"emergency stop by operator.s side")
    finally:
        robot.send_signal(signal.SIGINT)
        robot.wait(60.0)
