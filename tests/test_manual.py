"""The manual builds without a warning, and what it names exists."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from telexist.launch_scripts.shell import COMMANDS
from telexist.launch_scripts.telexist import main

import telexist

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "benchmarks" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
WALKS = [ROOT / "docs" / "architecture.md", ROOT / "docs" / "walking-tick.md"]
SUFFIXES = "py|toml|sh|md|yml"


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def defined_in(path: Path) -> set[str]:
    """Return classes, functions, constants, and methods as Class.method."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            found |= {node.name}
            inside = (n for n in node.body if isinstance(n, ast.FunctionDef))
            found |= {f"{node.name}.{n.name}" for n in inside}
        elif isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {t.id for t in node.targets if isinstance(t, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


@pytest.mark.parametrize("page", WALKS, ids=relative)
def test_a_walk_names_what_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    walk = re.findall(r"`([\w/]+\.py)`(?:\s+`([\w.]+)`)?", text)
    assert len(walk) > 15
    for file, name in walk:
        path = ROOT / file
        assert path.is_file(), f"{relative(page)}: there is no {file}"
        assert not name or name in defined_in(path), f"{file} has no {name}"


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_files_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name in re.findall(rf"`([a-z_]+/[\w/.-]+\.(?:{SUFFIXES}))`", text):
        if name.split("/")[0] in os.listdir(ROOT):
            assert (ROOT / name).exists(), f"{relative(page)}: there is no {name}"


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    text = re.sub(r"(?ms)^ *```.*?^ *```", "", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?:|mailto:|#", target):
            continue
        path = page.parent / target.split("#")[0]
        assert path.exists(), f"{relative(page)}: {target} leads nowhere"


@cache
def help_of(*words: str) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert main([*words, "--help"]) == 0
    return said.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_commands_of_a_page_take_the_options_that_it_shows(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for line in re.findall(r"(?m)^telexist ([^#\n]+)", text):
        words = line.split("|")[0].split()
        if words[0].startswith("-"):
            continue
        assert words[0] in COMMANDS, f"{relative(page)}: telexist {line}"
        under = words[:2] if words[0] in ("bench", "dataset", "robots") else words[:1]
        for option in (w.split("=")[0] for w in words if w.startswith("--")):
            assert option == "--help" or option in help_of(*under), line


def test_the_front_page_is_short_and_shows_the_program() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 140
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert pictures
    assert all((ROOT / name).stat().st_size < 300_000 for name in pictures)


def test_citation_names_the_version() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {telexist.__version__}\n" in text


@pytest.mark.slow
def test_the_manual_builds_without_a_warning(tmp_path: Path) -> None:
    for module in ("mkdocs", "material", "mkdocstrings"):
        pytest.importorskip(module, reason="pip install 'telexist[docs]'")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", tmp_path],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    reference = (tmp_path / "python" / "index.html").read_text(encoding="utf-8")
    for name in set(telexist.__all__) - {"__version__"}:
        assert f'.{name}"' in reference, f"{name} is not in the reference"
    manual = (tmp_path / "teleoperate" / "index.html").read_text(encoding="utf-8")
    assert "--walk-input" in manual and "usage: telexist teleoperate" in manual
    fetched = re.findall(r'(?:src|href)="(https?://[^"]+\.(?:js|css|woff2?))"', manual)
    assert not fetched, "the manual is read without a network"
