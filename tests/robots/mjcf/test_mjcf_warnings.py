"""What MuJoCo warns of goes into the log, not into files beside the user's own."""

from __future__ import annotations

import logging
from pathlib import Path

import mujoco
import pytest
from telexist.robots.mjcf import log_mujoco_warnings


def test_a_warning_is_a_log_line_and_writes_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    log_mujoco_warnings()
    body = "<body pos='nan 0 0'><joint/><geom size='1'/></body>"
    with caplog.at_level(logging.WARNING):
        mujoco.MjModel.from_xml_string(
            f"<mujoco><worldbody>{body}</worldbody></mujoco>"
        )
    assert "MuJoCo: XML contains a 'NaN'" in caplog.text
    assert not list(tmp_path.iterdir())
