"""demo.sh, test.sh and .ci/run on machines that lack something."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ("demo.sh", "test.sh", "test_lowest.sh", "environment.sh")
TOOLS = ("bash", "cat", "cksum", "dirname", "env", "tail", "mkdir", "touch")

pytestmark = pytest.mark.skipif(not shutil.which("bash"), reason="no bash here")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project that has only its scripts, in a folder with a space."""
    root = tmp_path / "my project"
    (root / "launch_scripts").mkdir(parents=True)
    for name in SCRIPTS:
        shutil.copy(ROOT / "launch_scripts" / name, root / "launch_scripts" / name)
    shutil.copy(ROOT / "pyproject.toml", root)
    return root


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """Return a folder of commands: a machine with no Python at all."""
    commands = tmp_path / "bin"
    commands.mkdir()
    for tool in TOOLS:
        path = shutil.which(tool)
        assert path, tool
        (commands / tool).symlink_to(path)
    return commands


def put(machine: Path, name: str, text: str) -> None:
    path = machine / name
    path.write_text(f"#!/usr/bin/env bash\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def run(project: Path, machine: Path, script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", str(project / "launch_scripts" / script)],
        env={"PATH": str(machine), "HOME": str(machine)},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("script", ["demo.sh", "test.sh", "test_lowest.sh"])
def test_no_python_is_one_clear_line(project, machine, script) -> None:
    ran = run(project, machine, script)
    assert ran.returncode == 1
    (line,) = ran.stderr.splitlines()
    assert line.startswith("telexist: error: Python 3.11 or newer is needed")


def test_old_python_is_one_clear_line(project, machine) -> None:
    put(
        machine,
        "python3",
        'case "$1" in --version) echo Python 3.9.2;; *) exit 1; esac',
    )
    ran = run(project, machine, "demo.sh")
    assert ran.returncode == 1
    (line,) = ran.stderr.splitlines()
    assert "found: Python 3.9.2" in line


def test_python_without_venv_is_one_clear_line(project, machine) -> None:
    put(machine, "python3.11", 'case "$2" in *ensurepip*) exit 1; esac; exit 0')
    ran = run(project, machine, "demo.sh")
    assert ran.returncode == 1
    (line,) = ran.stderr.splitlines()
    assert "apt-get install python3.11-venv" in line


def _fake_venv(project: Path, pip: str) -> None:
    """Make an environment whose pip does what the test wants."""
    commands = project / ".venv" / "bin"
    commands.mkdir(parents=True)
    log = project / "calls"
    put(
        commands,
        "python",
        f'echo "$@" >>"{log}"; if [ "$2" = pip ]; then {pip}; fi; exit 0',
    )
    put(commands, "telexist", f'echo telexist "$@" >>"{log}"')


def test_failed_installation_says_where_its_words_are(project, machine) -> None:
    _fake_venv(project, "echo no such package; exit 1")
    ran = run(project, machine, "demo.sh")
    assert ran.returncode == 1
    assert "no such package" in ran.stderr
    assert "telexist: error: the installation failed" in ran.stderr


def test_demo_installs_once_and_runs_the_main_job(project, machine) -> None:
    _fake_venv(project, "true")
    for _ in range(2):
        assert run(project, machine, "demo.sh").returncode == 0
    calls = (project / "calls").read_text(encoding="utf-8")
    assert calls.count("pip install") == 1
    assert calls.count("telexist teleoperate --duration 60") == 2


def test_tests_end_with_pytest_and_their_environment_serves_the_demo(
    project, machine
) -> None:
    _fake_venv(project, "true")
    assert run(project, machine, "test.sh").returncode == 0
    calls = (project / "calls").read_text(encoding="utf-8").splitlines()
    assert calls[-1] == "-m pytest -n 2"
    assert any("[test]" in call for call in calls)
    assert run(project, machine, "demo.sh").returncode == 0
    text = (project / "calls").read_text(encoding="utf-8")
    assert text.count("pip install") == 1


@pytest.mark.parametrize(
    "script", [".ci/run", *(f"launch_scripts/{s}" for s in SCRIPTS)]
)
def test_scripts_are_sound_bash(script: str) -> None:
    subprocess.run(["bash", "-n", ROOT / script], check=True)
    if not script.endswith("environment.sh"):
        assert os.access(ROOT / script, os.X_OK)
