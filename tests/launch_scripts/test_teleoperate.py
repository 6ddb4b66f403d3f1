"""`telexist teleoperate`: one clear line for whatever is wrong, and what to do."""

from __future__ import annotations

import json
import os
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from telexist.launch_scripts.terminal.event_lines import EventLines
from telexist.launch_scripts.terminal.summary_file import require_writable
from telexist.retarget.robot_body import RobotBody
from telexist.teleop.devices.keyboard.keys import KEYS
from telexist.teleop.devices.walk.walk_script import read_script
from telexist.teleop.terms.robot_reference import RobotReference
from telexist.teleop.terms.tick import Event, State, Tick

QUICK = ("--headless", "--backend", "fake", "--duration", "1")

WRONG = {
    "robot": (("--robot", "icup"), 2, "icub"),
    "controller": (("--controller", "wlak"), 2, "walk"),
    "source": (("--source", "xsesn"), 2, "xsens"),
    "input": (("--walk-input", "joipad"), 2, "joypad"),
    "backend": (("--backend", "mujoko"), 2, "mujoco"),
    "no file": (("--source", "nowhere.bvh"), 1, "nowhere.bvh"),
    "option of a device": (("--source", "xsens:9763?protocl=tcp"), 2, "protocol"),
    "port of a device": (("--source", "xsens:99999"), 2, "port"),
    "sender": (("--source", "xsens?sender=anna"), 2, "192.168"),
    "start": (("--start", "1000"), 2, "start"),
    "operator": (("--operator", "nobody-of-that-name"), 2, "calibrate"),
    "duration": (("--duration", "soon"), 2, "--duration"),
    "negative duration": (("--duration", "-1"), 2, "--duration"),
    "nan duration": (("--duration", "nan"), 2, "--duration"),
    "both walk": (("--walk-input", "joypad", "--walk-input", "kat"), 2, "only="),
    "nobody": (("--source", "treadmill:cyberith"), 2, "all else is for --walk-input"),
    "no such host": (("--source", "xsens:300.1.2.3:9763"), 1, "300.1.2.3"),
    "device that is not there": (("--walk-input", "kat:/dev/nothing"), 1, "/dev/"),
    "json": (("--json", "/nowhere/summary.json"), 1, "--json"),
    "which treadmill": (("--walk-input", "treadmill"), 2, "treadmill:kat"),
    "no feet": (("--robot", "baxter", "--controller", "walk"), 2, "servo"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_argument_is_one_line_and_says_what_to_do(
    telexist: Any, body_of: Callable[[str], RobotBody], case: str
) -> None:
    body_of("icub")
    words, code, hint = WRONG[case]
    ran = telexist("teleoperate", *QUICK, *words)
    assert (ran.code, len(ran.err.splitlines())) == (code, 1), ran.err
    assert hint in ran.error
    assert "unexpected" not in ran.error


CONFIGS = {
    "not toml": ("[loop", "not valid TOML"),
    "unknown table": ("[lop]\nrate = 1\n", "loop"),
    "unknown key": ("[loop]\nrte = 100\n", "rate"),
    "wrong kind": ('[loop]\nrate = "fast"\n', "rate"),
    "out of range": ("[loop]\nrate = 1e9\n", "20 to 1000"),
    "not a number": ("[safety]\nspeed = nan\n", "speed"),
    "no group": ("[posture.walking]\nwings = 1.0\n", "arms, head, legs"),
    "weight": ("[posture.standing]\narms = -1.0\n", "posture.standing.arms"),
    "unknown fault": ('[reactions]\nbored = "hold"\n', "stale"),
    "unknown reaction": ('[reactions]\nstale = "dance"\n', "note, hold, stop"),
    "unknown pose": ('[calibration]\npose = "x"\n', "pose"),
    "endless calibration": ("[calibration]\nduration = inf\n", "duration"),
    "empty bytes": ("\x00\xff", "configuration"),
}


@pytest.mark.parametrize("case", CONFIGS)
def test_a_wrong_configuration_names_the_file_and_the_key(
    telexist: Any, tmp_path: Path, body_of: Callable[[str], RobotBody], case: str
) -> None:
    body_of("icub")
    text, hint = CONFIGS[case]
    path = tmp_path / "configuration.toml"
    path.write_bytes(text.encode("latin-1"))
    ran = telexist("teleoperate", *QUICK, "--config", str(path))
    assert ran.code in (1, 2), ran.err
    assert len(ran.err.splitlines()) == 1
    assert "configuration.toml" in ran.error
    assert hint in ran.error


def test_the_manual_names_every_key_of_the_keyboard(telexist: Any) -> None:
    ran = telexist("teleoperate", "--help")
    assert KEYS in " ".join(ran.out.split())


def test_a_missing_configuration_is_one_line(telexist: Any, tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.toml", tmp_path):
        ran = telexist("teleoperate", *QUICK, "--config", str(path))
        assert ran.code in (1, 2)
        assert len(ran.err.splitlines()) == 1
        assert str(path) in ran.error


@pytest.mark.parametrize("source", ["builtin", "xsens:0"])
@pytest.mark.parametrize("text", ["", "version = 1\n", "version = 99\n", "\x00"])
def test_an_unreadable_profile_is_one_line(
    telexist: Any, tmp_path: Path, text: str, source: str
) -> None:
    path = tmp_path / "anna.toml"
    path.write_text(text)
    words = ("--source", source, "--operator", str(path))
    ran = telexist("teleoperate", *QUICK, *words)
    assert ran.code in (1, 2)
    assert len(ran.err.splitlines()) == 1
    assert "anna.toml" in ran.error


def test_a_busy_port_is_one_line_that_names_it(telexist: Any) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        ran = telexist("teleoperate", *QUICK, "--source", f"xsens:{port}")
    assert ran.code == 1
    assert len(ran.err.splitlines()) == 1
    assert str(port) in ran.error


def test_a_busy_port_of_the_page_is_one_line_that_names_it(telexist: Any) -> None:
    pytest.importorskip("viser")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = ("--no-open", "--backend", "fake", "--duration", "1")
        ran = telexist("teleoperate", *words, "--port", str(port))
    assert ran.code in (1, 2)
    assert len(ran.err.splitlines()) == 1
    assert str(port) in ran.error
    assert "--port" in ran.error


def test_a_wrong_host_of_the_page_is_one_line_that_names_it(telexist: Any) -> None:
    pytest.importorskip("viser")
    words = ("--no-open", "--backend", "fake", "--duration", "1")
    ran = telexist("teleoperate", *words, "--host", "203.0.113.7")
    assert len(ran.err.splitlines()) == 1
    assert "--host" in ran.error and "--port" not in ran.error


def test_a_file_that_can_be_written_is_left_as_it_was(tmp_path: Path) -> None:
    there, new = tmp_path / "there.json", tmp_path / "new.json"
    there.write_text("{}")
    require_writable(there)
    require_writable(new)
    assert there.read_text() == "{}" and not new.exists()


def test_events_are_said_with_their_time() -> None:
    said: list[str] = []
    lines, q = EventLines(said.append), np.zeros(1)
    for stamp in (100.0, 101.25):
        state = State.HOLDING
        event = Event(stamp=stamp, kind="hold", reason="by anna", state=state)
        reference = RobotReference(stamp=stamp, q=q, dq=q, ddq=q)
        lines.put(
            Tick(
                number=1,
                stamp=stamp,
                period=0.0,
                state=state,
                reference=reference,
                events=(event,),
            )
        )
    first, second = said
    assert first.split() == ["0.000", "s", "[holding]", "hold:", "by", "anna"]
    assert second.split()[0] == "1.250"


def test_a_keyboard_that_is_no_terminal_is_one_line(
    telexist: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open(os.devnull) as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        ran = telexist("teleoperate", *QUICK, "--walk-input", "keyboard")
    assert ran.code == 1
    assert len(ran.err.splitlines()) == 1
    assert "terminal" in ran.error


def test_an_absent_library_says_how_to_install_it(
    telexist: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openvr", None)
    ran = telexist("teleoperate", *QUICK, "--source", "openvr")
    assert ran.code == 1
    assert len(ran.err.splitlines()) == 1
    assert "pip install" in ran.error


def test_a_folder_that_cannot_be_written_is_one_line(
    telexist: Any, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "sessions"
    ran = telexist("teleoperate", *QUICK, "--record", str(folder))
    assert ran.code == 1
    assert len(ran.err.splitlines()) == 1
    assert "sessions" in ran.error


@pytest.mark.slow
def test_a_session_ends_with_its_clip_and_a_summary(
    telexist: Any, tmp_path: Path, body_of: Callable[[str], RobotBody]
) -> None:
    body_of("icub")
    summary = tmp_path / "summary.json"
    usual = tmp_path / "configuration.toml"
    usual.write_text(
        "[loop]\nreal_time = false\n"
        "[safety]\ndeadline = 30.0\nstalled = 30.0\nrobot_deadline = 30.0\n"
    )
    words = ("--headless", "--backend", "fake", "--once", "--start", "30")
    words += ("--config", str(usual))
    ran = telexist("teleoperate", *words, "--json", str(summary))
    assert ran.code == 0
    assert "sample to command" in ran.out
    found = json.loads(summary.read_text())
    assert found["duration"] < 600.0  # it ended by itself
    # Refused if the machine was so busy that the robot never followed.
    assert found["events"].keys() & {"hold", "refused_request"}


@pytest.mark.parametrize(("word", "told"), [("servo", 1), ("balance", 1), ("walk", 0)])
def test_walking_that_nobody_follows_is_told_once(
    telexist: Any, body_of: Callable[[str], RobotBody], word: str, told: int
) -> None:
    body_of("icub")
    ran = telexist(
        "teleoperate", *QUICK, "--controller", word, "--walk-input", "script"
    )
    said = [
        line for line in ran.out.splitlines() if "walk_unused" in line and "[" in line
    ]
    assert len(said) == told
    assert all(f"{word} controller does not walk" in line for line in said)
    assert all("--controller walk" in line for line in said)


def test_the_help_has_a_script_that_can_be_read(telexist: Any, tmp_path: Path) -> None:
    text = telexist("teleoperate", "--help").out
    lines = [
        line for line in text.splitlines() if re.match(r" +\d+(, [-.\d]+){3} ", line)
    ]
    path = tmp_path / "walk.csv"
    path.write_text("\n".join(lines))
    assert len(read_script(path)) == 4
