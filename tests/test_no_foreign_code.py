"""Nothing that comes from outside can become code: no pickle, no eval, no shell."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("retarget", "robots", "calibration", "teleop", "launch_scripts")
FILES = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]

WRITERS = {"retarget/training/pickles.py"}
"""Who may write pickles, for a program that reads nothing else; nobody reads them."""
MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve"}
MODULES |= {"yaml", "code", "codeop", "pty.spawn", "imp", "runpy"}
CALLS = {"eval", "exec", "compile", "__import__"}
ATTRIBUTES = {("os", "system"), ("os", "popen"), ("subprocess", "getoutput")}
ATTRIBUTES |= {("np", "load"), ("numpy", "load"), ("tempfile", "mktemp")}


def _problems(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = {alias.name.partition(".")[0] for alias in node.names}
            yield from sorted(names & MODULES)
        elif isinstance(node, ast.ImportFrom):
            yield from {(node.module or "").partition(".")[0]} & MODULES
        elif isinstance(node, ast.Call):
            yield from _calls(node)


def _calls(node: ast.Call) -> Iterator[str]:
    called = node.func
    if isinstance(called, ast.Name) and called.id in CALLS:
        yield f"{called.id}()"
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        pair = (called.value.id, called.attr)
        if pair in ATTRIBUTES:
            yield ".".join(pair)
    for option in node.keywords:
        if option.arg in ("shell", "allow_pickle"):
            value = option.value
            if not (isinstance(value, ast.Constant) and value.value is False):
                yield f"{option.arg}=..."


@pytest.mark.parametrize("package", PACKAGES)
def test_no_package_runs_what_it_reads(package: str) -> None:
    found = {
        str(path.relative_to(ROOT)): problems
        for path in FILES
        if path.relative_to(ROOT).parts[0] == package
        and (problems := list(_problems(path.read_text(encoding="utf-8"))))
    }
    for writer in WRITERS & found.keys():
        assert found.pop(writer) == ["pickle"]
        assert "pickle.load" not in (ROOT / writer).read_text(encoding="utf-8")
    assert found == {}


@pytest.mark.parametrize(
    "source",
    [
        "import pickle",
        "from yaml import load",
        "eval(text)",
        "subprocess.run(text, shell=True)",
        "numpy.load(path)",
        "read_array(file, allow_pickle=yes)",
        "os.system(text)",
    ],
)
def test_each_of_these_would_be_found(source: str) -> None:
    assert list(_problems(source))
