"""What is installed is ours and complete, and nobody else's package touches it."""

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

import telexist

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = (
    "retarget",
    "robots",
    "calibration",
    "teleop",
    "launch_scripts",
    "benchmarks",
)
FOREIGN = ("teleop", "robots")
"""Names that strangers have in the registry, as we have folders of these names."""


def project() -> dict[str, object]:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return dict(tomllib.loads(text)["project"])


@pytest.mark.parametrize("name", PACKAGES)
def test_import_names_are_ours(name: str) -> None:
    module = importlib.import_module(f"telexist.{name}")
    assert module.__file__ is not None
    assert Path(module.__file__).resolve().parent == ROOT / name


def test_version_is_that_of_the_project() -> None:
    assert version("telexist") == project()["version"] == telexist.__version__


def test_command_is_installed() -> None:
    (command,) = entry_points(group="console_scripts", name="telexist")
    assert command.value == "telexist.launch_scripts.telexist:main"


def test_changelog_names_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## .*{re.escape(version('telexist'))}", text, re.MULTILINE)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d"]
    subprocess.run([*build, folder], cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return Path(built)


@pytest.mark.slow
def test_wheel_holds_telexist_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    tops = {name.split("/")[0] for name in names}
    assert tops == {"telexist", f"telexist-{version('telexist')}.dist-info"}
    assert {f"telexist/{package}/__init__.py" for package in PACKAGES} <= names
    assert "telexist/py.typed" in names
    shipped = {p.parent.name for p in (ROOT / "robots" / "models").glob("*/robot.toml")}
    assert shipped
    assert {f"telexist/robots/models/{name}/robot.toml" for name in shipped} <= names


def foreign_wheel(folder: Path, name: str) -> Path:
    """Make a wheel whose package has the name of one of our folders."""
    path = folder / f"{name}-9.0-py3-none-any.whl"
    info = f"{name}-9.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}/__init__.py", "STRANGER = True\n")
        archive.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 9.0\n"
        )
        archive.writestr(
            f"{info}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\n"
            "Tag: py3-none-any\n",
        )
        archive.writestr(f"{info}/RECORD", "")
    return path


@pytest.mark.slow
def test_packages_with_our_folders_names_come_and_go_without_harm(
    wheel: Path, tmp_path: Path
) -> None:
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", tmp_path / "env"], check=True
    )
    python = tmp_path / "env" / "bin" / "python"
    # what telexist needs is taken from here; editable installs in it are not followed
    site = next((tmp_path / "env").rglob("site-packages"))
    needs = [path for path in sys.path if "site-packages" in path]
    (site / "needs.pth").write_text("\n".join(needs), encoding="utf-8")

    def pip(*words: object) -> None:
        command = [sys.executable, "-m", "pip", "--python", python, *words]
        subprocess.run(list(map(str, command)), check=True, capture_output=True)

    def works() -> None:
        code = (
            "import telexist.teleop.devices.base, telexist.robots.base as robots\n"
            "assert 'site-packages/telexist/' in robots.__file__, robots.__file__\n"
            "from telexist.launch_scripts.telexist import main\n"
            "raise SystemExit(main(['robots', 'list']))"
        )
        ran = subprocess.run(
            [python, "-E", "-c", code],  # whatever path its caller has
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert ran.returncode == 0, ran.stderr
        assert "icub" in ran.stdout

    pip("install", "--no-deps", "--no-index", wheel)
    works()
    for name in FOREIGN:
        pip("install", "--no-deps", "--no-index", foreign_wheel(tmp_path, name))
    works()
    pip("uninstall", "-y", *FOREIGN)
    works()
