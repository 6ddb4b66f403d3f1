"""What the manual takes from the program itself, at build: nothing is copied by hand.

A line of its own in a page becomes
  [[help NAME ...]]   what `telexist NAME ... --help` prints
  [[doc PATH]]        the docstring of a module
  [[file PATH]]       a Markdown file of the repository
  [[examples]]        the programs of `examples/`
  [[api]]             the reference of every public name
Pages that nobody put into `nav` follow under "More".
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from mkdocs.plugins import event_priority

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("retarget", "robots", "calibration", "teleop", "launch_scripts")

_views: list[tempfile.TemporaryDirectory[str]] = []


@event_priority(100)  # before the reference's reader is made
def on_config(config: Any) -> Any:
    """Show the package to the reference's reader; add pages that nobody listed."""
    view = tempfile.TemporaryDirectory(prefix="telexist-docs-")
    _views.append(view)
    package = Path(view.name) / "telexist"
    package.mkdir()
    for path in (*(ROOT / "telexist").glob("*"), *(ROOT / name for name in FOLDERS)):
        if path.name != "__pycache__":
            (package / path.name).symlink_to(path)
    config.plugins["mkdocstrings"].config.handlers["python"]["paths"] = [view.name]
    listed = set(re.findall(r"[\w./-]+\.md", str(config.nav)))
    docs = Path(config.docs_dir)
    pages = (p.relative_to(docs).as_posix() for p in sorted(docs.rglob("*.md")))
    more = [page for page in pages if page not in listed]
    if more:
        config.nav.append({"More": more})
    return config


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace the marks of a page."""
    return re.sub(r"(?m)^\[\[(\w+)(?: (.+))?\]\]$", _replaced, markdown)


def on_post_build(**_: Any) -> None:
    """Take the view away."""
    while _views:
        _views.pop().cleanup()


def _replaced(mark: re.Match[str]) -> str:
    makers = {
        "help": _help,
        "doc": _doc,
        "file": _file,
        "examples": _examples,
        "api": _api,
    }
    if mark[1] not in makers:  # TOML has tables that look the same
        return str(mark[0])
    return makers[mark[1]](mark[2] or "")


def _help(words: str) -> str:
    """Return what a command prints, as it prints it 80 columns wide."""
    from telexist.launch_scripts.telexist import main

    said = io.StringIO()
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "88"
    command = [word for word in words.split() if word != "telexist"]
    try:
        with contextlib.redirect_stdout(said):
            code = main([*command, "--help"])
    finally:
        os.environ.pop("COLUMNS")
        if before is not None:
            os.environ["COLUMNS"] = before
    if code != 0:
        raise ValueError(f"telexist {words} --help ended with {code}")
    return _fenced(said.getvalue(), "text")


def _doc(path: str) -> str:
    text = ast.get_docstring(ast.parse((ROOT / path).read_text(encoding="utf-8")))
    return _fenced(text or "", "text")


def _file(path: str) -> str:
    """Return a file, with links to the repository's files as plain words."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return re.sub(r"\[([^\]]+)\]\((?!https?:|#)[^)]*\)", r"\1", text)


def _examples(_: str) -> str:
    parts = []
    for path in sorted((ROOT / "examples").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        title = (ast.get_docstring(ast.parse(text)) or path.stem).splitlines()[0]
        parts.append(
            f'??? example "{path.name}: {title.rstrip(".")}"\n\n'
            + _indented(_fenced(text, "python"))
        )
    return "\n\n".join(parts)


def _api(_: str) -> str:
    import telexist

    names = [name for name in telexist.__all__ if name != "__version__"]
    return "\n\n".join(f"::: {_home(getattr(telexist, name))}" for name in names)


def _home(value: Any) -> str:
    return f"{value.__module__}.{value.__qualname__}"


def _fenced(text: str, language: str) -> str:
    return f"````{language}\n{text.rstrip()}\n````"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.splitlines())
