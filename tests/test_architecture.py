"""The house's rules that a reader would miss: who may import whom."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("retarget", "robots", "calibration", "teleop", "launch_scripts")
FILES = [path for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))]

OPTIONAL = {"trimesh", "collada", "robot_descriptions", "example_robot_data"}
HEAVY = {"matplotlib", "mujoco", "pinocchio", "rich", "scipy", "viser", "yarp"}
DEVICES_AND_NETWORK = {
    "asyncio",
    "datetime",
    "http",
    "requests",
    "serial",
    "socket",
    "subprocess",
    "threading",
    "time",
    "urllib.request",
    "viser",
    "websockets",
}
COAL = {"retarget/metrics/collisions.py", "robots/urdf/read_mesh.py"}
"""Who may know pinocchio's library of shapes."""


def imports(path: Path) -> Iterator[str]:
    """Yield every module that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""


def inside(module: str, names: set[str]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in names)


def calls(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_imports_go_one_way(path: Path) -> None:
    layer = LAYERS.index(path.relative_to(ROOT).parts[0])
    above = set(LAYERS[layer + 1 :]) | {"tests", "benchmarks"}
    wrong = [module for module in imports(path) if inside(module, above)]
    assert not wrong, f"{name_of(path)} imports {wrong} from above"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_prints_only_in_launch_scripts(path: Path) -> None:
    if path.relative_to(ROOT).parts[0] != "launch_scripts":
        assert "print" not in set(calls(path))


def test_engine_has_no_clock_device_or_network() -> None:
    for path in FILES:
        if path.relative_to(ROOT).parts[0] == "retarget":
            wrong = [m for m in imports(path) if inside(m, DEVICES_AND_NETWORK)]
            assert not wrong, f"{name_of(path)} imports {wrong}"


def test_time_comes_from_the_clock() -> None:
    users = {name_of(p) for p in FILES if inside_any(p, {"time", "datetime"})}
    assert users <= {"teleop/clock.py"}


def inside_any(path: Path, names: set[str]) -> bool:
    return any(inside(module, names) for module in imports(path))


def test_pinocchio_stays_in_its_adapters() -> None:
    users = {name_of(p) for p in FILES if inside_any(p, {"pinocchio"})}
    assert users <= {"retarget/kinematics.py", "robots/dynamics/dynamics_model.py"}
    assert {name_of(p) for p in FILES if inside_any(p, {"coal"})} <= COAL


def test_packages_import_nothing_optional_or_heavy_at_once() -> None:
    top = [ROOT / layer / "__init__.py" for layer in LAYERS]
    for path in FILES:
        if path.name == "__init__.py":
            names = OPTIONAL | (HEAVY if path in top else set())
            wrong = [module for module in imports(path) if inside(module, names)]
            assert not wrong, f"{name_of(path)} imports {wrong}"


def test_all_lists_are_true_and_sorted() -> None:
    for path in FILES:
        if path.name != "__init__.py":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == (
                "__all__"
            ):
                names = ast.literal_eval(node.value)
                assert names == sorted(names), name_of(path)
                bound = {
                    alias.asname or alias.name
                    for item in tree.body
                    if isinstance(item, ast.Import | ast.ImportFrom)
                    for alias in item.names
                }
                assert set(names) <= bound, name_of(path)


def test_no_file_is_called_after_nothing() -> None:
    vague = {"utils.py", "helpers.py", "common.py", "misc.py", "util.py"}
    assert not [name_of(path) for path in FILES if path.name in vague]


def test_launch_scripts_stay_thin() -> None:
    for path in (ROOT / "launch_scripts").glob("*.py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= 100, f"{name_of(path)} has {len(lines)} lines"
