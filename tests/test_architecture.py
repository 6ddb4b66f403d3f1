"""The house's rules that a reader would miss: rooms, doors, and who may import whom."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("retarget", "robots", "calibration", "teleop", "launch_scripts", "benchmarks")
"""From the bottom up; each imports only from those before it, and from itself."""
FILES = [path for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))]
FOUNDATIONS = {"retarget", "teleop"}
"""Folders whose modules are imported by name: what everything stands on (`so3`,
`signals`, ...), and the clock."""
MOST_MODULES = 20

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
CLOCK = {
    "teleop/clock.py",
    "launch_scripts/isaac_sender.py",  # runs alone, where Telexist is not installed
}
PINOCCHIO = {"retarget/kinematics.py", "robots/dynamics/dynamics_model.py"}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[str]:
    """Yield every module that a file imports, wherever in the file."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            for alias in node.names:
                whole = f"{module}.{alias.name}"
                yield whole if is_file(whole) and not at_door(whole) else module


def is_file(module: str) -> bool:
    """Return whether a dotted name is a module of ours that is no folder."""
    if not module.startswith("telexist."):
        return False
    return (
        ROOT / (module.removeprefix("telexist.").replace(".", "/") + ".py")
    ).exists()


def at_door(module: str) -> bool:
    """Return whether a door exports a name that one of its modules has, too."""
    folder, _, name = module.removeprefix("telexist.").rpartition(".")
    return name in bound_in(ROOT / folder.replace(".", "/") / "__init__.py")


def ours(path: Path) -> Iterator[str]:
    """Yield what a file imports of ours, as paths below the root without ending."""
    for module in imports(path):
        if module.startswith("telexist."):
            yield module.removeprefix("telexist.").replace(".", "/")


def folder_of(place: str) -> str:
    """Return the folder of a module, which of a door is the folder itself."""
    return place if (ROOT / place).is_dir() else place.rpartition("/")[0]


def home_of(path: Path) -> str:
    return path.relative_to(ROOT).parent.as_posix()


def inside(module: str, names: set[str]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in names)


def inside_any(path: Path, names: set[str]) -> bool:
    return any(inside(module, names) for module in imports(path))


def calls(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def asserts(path: Path) -> Iterator[int]:
    """Yield the line of every `assert`; `python -O` leaves them out."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Assert):
            yield node.lineno


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_imports_go_one_way(path: Path) -> None:
    above = LAYERS[LAYERS.index(path.relative_to(ROOT).parts[0]) + 1 :]
    wrong = [place for place in ours(path) if place.split("/")[0] in above]
    assert not wrong, f"{name_of(path)} imports {wrong} from above"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_folders_are_entered_by_their_doors(path: Path) -> None:
    wrong = [
        place
        for place in ours(path)
        if not (ROOT / place).is_dir()
        and folder_of(place) not in FOUNDATIONS | {home_of(path)}
    ]
    assert not wrong, f"{name_of(path)} goes past a door: {wrong}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_our_packages_are_imported_under_one_name(path: Path) -> None:
    wrong = [m for m in imports(path) if inside(m, {*LAYERS, "tests"})]
    assert not wrong, f"{name_of(path)} imports {wrong} without telexist."


def test_there_is_no_cycle_between_folders() -> None:
    below: dict[str, set[str]] = {}
    for path in FILES:
        home = home_of(path)
        below.setdefault(home, set()).update(map(folder_of, ours(path)))
        below[home].discard(home)
    while below:  # take away, again and again, the folders that need no other
        free = {home for home, needs in below.items() if not needs & set(below)}
        assert free, f"folders that need each other: {sorted(below)}"
        below = {home: needs for home, needs in below.items() if home not in free}


def test_no_folder_is_crowded() -> None:
    modules = Counter(home_of(p) for p in FILES if p.name != "__init__.py")
    crowded = {home: n for home, n in modules.items() if n > MOST_MODULES}
    assert not crowded


def test_every_folder_has_a_door_that_says_what_it_is_for() -> None:
    for home in {path.parent for path in FILES}:
        door = home / "__init__.py"
        assert door.exists(), f"{home.relative_to(ROOT)} has no door"
        assert ast.get_docstring(tree_of(door)), name_of(door)


def test_no_name_of_a_class_stands_twice() -> None:
    names = Counter(
        node.name
        for path in FILES
        for node in tree_of(path).body
        if isinstance(node, ast.ClassDef)
    )
    assert not [name for name, times in names.items() if times > 1]


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_prints_only_in_launch_scripts(path: Path) -> None:
    if path.relative_to(ROOT).parts[0] not in ("launch_scripts", "benchmarks"):
        assert "print" not in set(calls(path))


def test_asserts_are_for_tests() -> None:
    found = [f"{name_of(p)}:{line}" for p in FILES for line in asserts(p)]
    assert not found


def test_engine_has_no_clock_device_or_network() -> None:
    for path in FILES:
        if path.relative_to(ROOT).parts[0] == "retarget":
            wrong = [m for m in imports(path) if inside(m, DEVICES_AND_NETWORK)]
            assert not wrong, f"{name_of(path)} imports {wrong}"


def test_time_comes_from_the_clock() -> None:
    users = {name_of(p) for p in FILES if inside_any(p, {"time", "datetime"})}
    assert {user for user in users if not user.startswith("benchmarks/")} <= CLOCK


def test_pinocchio_stays_in_its_adapters() -> None:
    users = {name_of(p) for p in FILES if inside_any(p, {"pinocchio"})}
    assert {user for user in users if not user.startswith("benchmarks/")} <= PINOCCHIO
    assert {name_of(p) for p in FILES if inside_any(p, {"coal"})} <= COAL


def test_doors_import_nothing_optional() -> None:
    for path in FILES:
        if path.name == "__init__.py":
            top = path.parent.parent == ROOT
            names = OPTIONAL | (HEAVY if top else set())
            wrong = [module for module in imports(path) if inside(module, names)]
            assert not wrong, f"{name_of(path)} imports {wrong}"


def test_all_lists_are_true_and_sorted() -> None:
    for path in FILES:
        if path.name != "__init__.py":
            continue
        for node in tree_of(path).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == (
                "__all__"
            ):
                names = ast.literal_eval(node.value)
                assert names == sorted(names), name_of(path)
                assert set(names) == bound_in(path), name_of(path)


def bound_in(path: Path) -> set[str]:
    """Return the names that a door imports."""
    return {
        alias.asname or alias.name
        for item in tree_of(path).body
        if isinstance(item, ast.ImportFrom) and item.module != "__future__"
        for alias in item.names
    }


def test_no_file_is_called_after_nothing() -> None:
    vague = {"utils.py", "helpers.py", "common.py", "misc.py", "util.py"}
    assert not [name_of(path) for path in FILES if path.name in vague]


def test_launch_scripts_stay_thin() -> None:
    for path in (ROOT / "launch_scripts").rglob("*.py"):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        lines -= sum(
            (node.end_lineno or node.lineno) - node.lineno + 1
            for node in tree_of(path).body
            if isinstance(node, ast.Import | ast.ImportFrom)
        )
        assert lines <= 90, f"{name_of(path)} has {lines} lines without its imports"
