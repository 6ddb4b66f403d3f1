from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import BadConfig
from telexist.teleop import clock
from telexist.teleop.devices.base.table import make_device
from telexist.teleop.devices.walk.walk_script import WalkScript, read_script
from telexist.teleop.sinks.script_start import ScriptStart
from telexist.teleop.terms.robot_reference import RobotReference
from telexist.teleop.terms.tick import State, Tick
from telexist.teleop.terms.walk_command import WalkCommand

TEXT = """# a walk
0, 0, 0, 0
5, 0.2, 0, 0   # ahead
15, 0.2, -0.1, 0.3
"""


def test_commands_come_when_they_are_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "walk.csv"
    path.write_text(TEXT, encoding="utf-8")
    device = make_device(f"script:{path}")
    assert isinstance(device, WalkScript)
    now = 100.0
    monkeypatch.setattr(clock, "now", lambda: now)
    device.open(lambda: None)
    for now, command in (
        (104.9, WalkCommand()),
        (105.0, WalkCommand(vx=0.2)),
        (999.0, WalkCommand(vx=0.2, vy=-0.1, wz=0.3)),
    ):
        sample = device.read()
        assert sample is not None
        assert (sample.walk, sample.stamp) == (command, now)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no commands"),
        ("0, 1, 2", "line 1: expected four numbers"),
        ("0, 0, 0, 0\n0, 1, 0, 0", "line 2: times must increase"),
        ("0, nan, 0, 0", "not finite"),
        ("0, 99, 0, 0", "faster than"),
        ("walk ahead", "expected four numbers"),
    ],
)
def test_wrong_scripts_are_refused_with_their_line(
    tmp_path: Path, text: str, problem: str
) -> None:
    path = tmp_path / "walk.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadConfig, match=problem):
        read_script(path)


def test_a_missing_script_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=r"none\.csv: No such file"):
        make_device(f"script:{tmp_path / 'none.csv'}")


def test_a_script_begins_when_the_robot_begins_to_follow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    script = WalkScript([(0.0, WalkCommand()), (5.0, WalkCommand(vx=0.2))], "script")
    start = ScriptStart([script])
    now = 100.0
    monkeypatch.setattr(clock, "now", lambda: now)
    script.open(lambda: None)
    seen = {}
    for now, state in (
        (160.0, State.CALIBRATED),  # somebody calibrates for a minute
        (170.0, State.ENGAGING),
        (180.0, State.ACTIVE),
        (184.9, State.ACTIVE),
        (185.0, State.HOLDING),  # a hold does not stop it, another start does not begin
        (190.0, State.ACTIVE),
    ):
        start.put(tick(now, state))
        sample = script.read()
        assert sample is not None and sample.walk is not None
        seen[now] = sample.walk.vx
    assert [seen[t] for t in (180.0, 184.9, 185.0, 190.0)] == [0.0, 0.0, 0.2, 0.2]


def tick(stamp: float, state: State) -> Tick:
    none = np.zeros(0)
    reference = RobotReference(stamp=stamp, q=none, dq=none, ddq=none)
    return Tick(number=0, stamp=stamp, period=0.0, state=state, reference=reference)
