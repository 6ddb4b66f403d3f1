"""A configuration says what a session consists of; the command line wins."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from telexist.launch_scripts.arguments.teleoperate_arguments import (
    add_session_arguments,
    session_plan,
)
from telexist.retarget.errors import BadConfig
from telexist.teleop.session.file import load_session_file
from telexist.teleop.session.plan import SessionPlan
from telexist.teleop.settings.settings import SessionSettings

TEXT = """
[session]
robot = "g1"
source = "xsens:9800"
operator = "anna"
controller = "walk"
walk_input = ["joypad", "keyboard"]

[safety]
speed = 0.5
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "setup.toml"
    path.write_text(TEXT)
    return path


def _plan(*words: str) -> SessionPlan:
    parser = argparse.ArgumentParser()
    add_session_arguments(parser)
    return session_plan(parser.parse_args([*words, "--headless"]))


def test_a_file_names_the_parts_of_a_session(config: Path) -> None:
    plan = _plan("--config", str(config))
    assert (plan.robot, plan.source, plan.operator) == ("g1", "xsens:9800", "anna")
    assert (plan.controller, plan.inputs) == ("walk", ("joypad", "keyboard"))
    assert plan.settings.safety.speed == 0.5
    assert type(plan.settings) is SessionSettings


def test_the_command_line_wins(config: Path) -> None:
    words = ("--robot", "talos", "--source", "vmc", "--operator", "")
    more = ("--controller", "servo", "--walk-input", "kat")
    plan = _plan("--config", str(config), *words, *more)
    assert (plan.robot, plan.source, plan.operator) == ("talos", "vmc", "")
    assert (plan.controller, plan.inputs) == ("servo", ("kat",))


def test_without_a_file_all_is_as_usual() -> None:
    plan, usual = _plan(), SessionPlan()
    for name in ("robot", "source", "operator", "controller", "inputs", "settings"):
        assert getattr(plan, name) == getattr(usual, name)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[session]\nrobt = "g1"\n', "session.robt: unknown key; .*walk_input"),
        ("[session]\nrobot = 1\n", "session.robot"),
        ('[session]\nwalk_input = "joypad"\n', "expected a list"),
        ('[sesion]\nrobot = "g1"\n', "sesion: unknown key; .*session"),
        ('[reactions]\nbored = "hold"\n', "no fault"),
    ],
)
def test_what_is_unknown_is_refused_and_named(
    tmp_path: Path, text: str, says: str
) -> None:
    path = tmp_path / "setup.toml"
    path.write_text(text)
    with pytest.raises(BadConfig, match=says):
        load_session_file(path)


def test_the_shipped_configurations_can_be_read(project_root: Path) -> None:
    paths = sorted((project_root / "launch_scripts" / "configs").glob("*.toml"))
    files = {path.stem: load_session_file(path) for path in paths}
    assert files["careful"].engage.refuse_beyond > 0.0
    assert files["g1_suit"].session.robot == "g1"
