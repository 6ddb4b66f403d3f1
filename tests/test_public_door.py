"""The names that `import telexist` promises."""

from __future__ import annotations

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import telexist

ROOT = Path(__file__).resolve().parents[1]
NAMES = [name for name in telexist.__all__ if name != "__version__"]


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    thing = getattr(telexist, name)
    assert inspect.getdoc(thing), name
    assert name in dir(telexist)


@pytest.mark.parametrize("name", NAMES)
def test_types_and_run_time_agree_on_where_a_name_comes_from(name: str) -> None:
    """mypy reads the imports, Python the table: both must mean the same."""
    tree = ast.parse(Path(telexist.__file__).read_text(encoding="utf-8"))
    typed = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    module = importlib.import_module(str(typed[name]))
    assert getattr(module, name) is getattr(telexist, name)


def test_the_list_is_sorted_and_small() -> None:
    assert telexist.__all__ == sorted(telexist.__all__)
    assert 10 <= len(NAMES) <= 25


def test_importing_the_door_loads_nothing_heavy() -> None:
    code = (
        "import sys, telexist\n"
        "print({'numpy', 'numba', 'pinocchio', 'mujoco', 'rich'} & set(sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True
    )
    assert ran.stdout.strip() == "set()", ran.stderr


def test_a_wrong_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Retargetter"):
        telexist.__getattr__("Retargetter")


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_used_in_an_example(name: str) -> None:
    examples = sorted((ROOT / "examples").glob("*.py"))
    if not examples:
        pytest.skip("no examples yet")
    used = {
        alias.name
        for path in examples
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "telexist"
        for alias in node.names
    }
    assert name in used
