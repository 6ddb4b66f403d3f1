from __future__ import annotations

from pathlib import Path

import pytest

from retarget.errors import BadConfig
from teleop import clock
from teleop.devices.interface import WalkCommand
from teleop.devices.table import make_device
from teleop.devices.walk_script import WalkScript, read_script

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
