"""The examples run, use only the public door, and together use all of it."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from telexist.retarget.human import adult_size, human_urdf

import telexist

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def load(name: str) -> ModuleType:
    path = ROOT / "examples" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"examples_{name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def telexist_names(path: Path) -> set[str]:
    """Return what a file imports from the door; anything deeper fails."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not any(a.name.startswith("telexist") for a in node.names), path
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("telex"):
            assert node.module == "telexist", f"{path}: examples use the public door"
            found |= {alias.name for alias in node.names}
    return found


def test_every_public_name_is_used_in_an_example() -> None:
    used = set().union(*(telexist_names(path) for path in EXAMPLES))
    public = set(telexist.__all__) - {"__version__"}
    assert used <= public
    assert public - used == set()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_says_how_it_is_run(path: Path) -> None:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert text is not None and f"python examples/{path.name}" in text


def test_live_frames_stay_within_the_joints_speeds() -> None:
    body = telexist.load_robot("human48").body
    fastest = load("live_frames").follow("human48", 2.0)
    assert 0.0 < fastest <= np.max(body.velocity) * (1.0 + 1e-9)


def test_a_motion_of_ones_own_is_carried_over() -> None:
    motion = load("own_motion").retarget_in_the_air("human48", 2.0, 100)
    assert len(motion.time) == 100
    assert not motion.contact_left.any() and not motion.contact_right.any()


def test_a_new_robot_is_described_by_its_urdf_alone(tmp_path: Path) -> None:
    urdf = tmp_path / "someone.urdf"
    urdf.write_text(human_urdf(adult_size(), model="human48"), encoding="utf-8")
    robot = load("new_robot").describe(urdf, tmp_path / "someone")
    assert robot.body.soles.keys() == {"left", "right"}


def test_a_session_is_driven_recorded_and_read(tmp_path: Path) -> None:
    drive = load("drive_a_robot").drive
    path = drive("builtin", tmp_path, seconds=3.0, backend="fake")
    lines = load("read_a_session").summary(path)
    assert any(line.startswith("engage") for line in lines)
    assert any(line.startswith("commands: ") for line in lines)


@pytest.mark.slow
def test_a_clip_becomes_a_motion_a_report_and_a_sheet(tmp_path: Path) -> None:
    report = load("retarget_clip").retarget("builtin", "icub", tmp_path)
    assert report.robot == "icub" and report.frames > 100
    assert (tmp_path / "builtin.icub.npz").is_file()
    assert (tmp_path / "builtin.icub.png").stat().st_size > 10_000


@pytest.mark.slow
def test_a_batch_is_done_once(tmp_path: Path) -> None:
    retarget_all = load("many_clips").retarget_all
    first = retarget_all(["builtin"], ["human48"], tmp_path)
    assert [line.strip() for line in first] == ["builtin.human48: done"]
    assert {p.name for p in tmp_path.iterdir()} == {
        f"builtin.human48.{ending}" for ending in ("npz", "json", "csv")
    }
    again = retarget_all(["builtin"], ["human48"], tmp_path)
    assert [line.strip() for line in again] == ["builtin.human48: kept"]


@pytest.mark.slow
def test_robots_are_compared() -> None:
    found = load("many_robots").compare("builtin", ["human48"])
    assert found["human48"].leg_ratio == pytest.approx(1.0, abs=0.2)


@pytest.mark.slow
def test_a_push_is_stood() -> None:
    assert load("stand_a_push").stands("icub", 0.2, 3.0)
