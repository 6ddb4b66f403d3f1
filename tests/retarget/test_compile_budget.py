"""What an empty cache costs, counted and not timed, and the rules that keep it low."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import telexist.retarget
from telexist.retarget.compiled import FOLDERS

ENTRIES = {"jit_hold_gil", "jit_release_gil"}
KINDS = {*ENTRIES, "jit_internal", "inlined"}
PACKAGES = ("retarget", "robots", "teleop")
ROOT = Path(telexist.retarget.__file__).parents[1]

FIRST_RUN = """
import collections, hashlib, json, sys
from numba.core import event
from telexist.retarget.compiled import cache_folder
from telexist.retarget.follow import Retargeter
from telexist.retarget.recordings.format import read_clip
from telexist.robots.description import load_body

class Listener(event.Listener):
    def on_start(self, event): pass
    def on_end(self, event): names.append(event.data["dispatcher"].py_func.__name__)

names = []
event.register("numba:compile", Listener())
clip = read_clip("builtin")
retargeter = Retargeter(load_body("icub"), clip.size)
motion = retargeter.run(clip)
whole = len(names)
live = [retargeter.step(clip.frame(0)).q] if retargeter.reset() is None else []
live += [retargeter.step(clip.frame(k)).q for k in range(1, 40)]
print(json.dumps({
    "whole": whole,
    "live": len(names) - whole,
    "cached": len(list(cache_folder().rglob("*.nbc"))),
    "digest": hashlib.sha256(motion.joint_positions.tobytes()).hexdigest(),
    "same": bool((motion.joint_positions[:40] == live).all()),
}))
"""


def _run_with(cache: Path) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_RUN],
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_the_first_run_compiles_little_and_the_second_nothing(tmp_path: Path) -> None:
    first, second = _run_with(tmp_path), _run_with(tmp_path)
    assert 0 < int(str(first["whole"])) <= 225, "functions that a clip needs"
    assert int(str(first["live"])) <= 4, "a live step shares them"
    assert int(str(first["cached"])) <= 6, "only entries become machine code"
    assert second["whole"] == second["live"] == 0
    assert first["digest"] == second["digest"], "joined and loaded code are one"
    assert first["same"], "live and clip give the same numbers"


def _decorator(function: ast.FunctionDef) -> str:
    names = {x.id for x in function.decorator_list if isinstance(x, ast.Name)}
    return next(iter(names & KINDS), "")


def _compiled_functions() -> dict[str, dict[str, tuple[str, ast.FunctionDef]]]:
    """Return, for every module that has any, its compiled functions and their kind."""
    found: dict[str, dict[str, tuple[str, ast.FunctionDef]]] = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            own = {
                node.name: (_decorator(node), node)
                for node in tree.body
                if isinstance(node, ast.FunctionDef) and _decorator(node)
            }
            if own:
                found[str(path.relative_to(ROOT))] = own
    return found


def _calls(function: ast.FunctionDef) -> set[str]:
    return {
        node.func.id
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


def _may_be_called(module: str) -> bool:
    return any(module.startswith(f"retarget/{folder}/") for folder in FOLDERS)


def test_compiled_functions_call_only_what_the_cache_knows_of() -> None:
    modules = _compiled_functions()
    homes: dict[str, set[str]] = {}
    for module, functions in modules.items():
        for name in functions:
            homes.setdefault(name, set()).add(module)
    wrong = [
        f"{module}: {name} calls {other} of {sorted(homes[other])}"
        for module, functions in modules.items()
        for name, (_, function) in functions.items()
        for other in sorted(_calls(function) & homes.keys())
        if other not in functions and not any(map(_may_be_called, homes[other]))
    ]
    assert len(modules) > 40, "the search finds them"
    assert not wrong, "a change there would leave stale machine code: " + str(wrong)


def test_the_engine_calls_no_entry() -> None:
    """Called by compiled code an entry is compiled twice, once for Python."""
    modules = _compiled_functions()
    engine = [m for m in modules if m.startswith(("retarget/follow", "retarget/ik"))]
    entries = {
        name
        for module in engine
        for name, (kind, _) in modules[module].items()
        if kind in ENTRIES
    }
    wrong = [
        f"{module}: {name} calls {sorted(called)}"
        for module in engine
        for name, (_, function) in modules[module].items()
        if (called := _calls(function) & entries)
    ]
    assert not wrong, wrong
