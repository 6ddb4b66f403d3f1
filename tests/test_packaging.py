"""What is installed is ours and complete."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import entry_points, version
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("retarget", "robots", "calibration", "teleop", "launch_scripts")


def project() -> dict[str, object]:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return dict(tomllib.loads(text)["project"])


@pytest.mark.parametrize("name", PACKAGES)
def test_import_names_are_ours(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__file__ is not None
    assert Path(module.__file__).resolve().parent == ROOT / name


def test_version_is_that_of_the_project() -> None:
    assert version("telexist") == project()["version"]


def test_command_is_installed() -> None:
    (command,) = entry_points(group="console_scripts", name="telexist")
    assert command.value == "launch_scripts.telexist:main"


def test_changelog_names_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## .*{re.escape(version('telexist'))}", text, re.MULTILINE)


@pytest.mark.slow
def test_wheel_holds_packages_and_robots(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d"]
    subprocess.run([*build, tmp_path], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for package in PACKAGES:
        assert f"{package}/__init__.py" in names
    shipped = {p.parent.name for p in (ROOT / "robots" / "models").glob("*/robot.toml")}
    assert shipped
    assert {f"robots/models/{name}/robot.toml" for name in shipped} <= names
    assert not [name for name in names if name.startswith(("tests/", "out/"))]
