"""The tables of `telexist robots`."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table
from rich.text import Text
from telexist.retarget.errors import ModelNotFound, TelexistError
from telexist.robots.check import CheckReport
from telexist.robots.description import (
    DEFAULT_ROBOT,
    find_model,
    list_robots,
    load_robot,
    load_spec,
)

__all__ = ["print_findings", "print_robots"]

_STYLES = {"ok": "green", "warning": "yellow", "error": "red"}
_WIDTH = 140  # [columns] where there is no terminal to ask


def print_robots(folders: tuple[str, ...] = ()) -> None:
    """Print every shipped robot: what it is, and where its model is or comes from."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("name")
    table.add_column("robot")
    table.add_column("joints", justify="right")
    table.add_column("model", overflow="fold")
    for name in list_robots():
        table.add_row(*(Text(cell) for cell in _robot_row(name, folders)))
    _console().print(table)


def print_findings(report: CheckReport) -> None:
    """Print what a check found, worst last on its own line."""
    console = _console()
    table = Table(box=None, pad_edge=False, header_style="bold", show_header=False)
    for finding in report.findings:
        table.add_row(
            Text(finding.level, style=_STYLES[finding.level]),
            Text(finding.subject),
            Text(finding.text),
        )
    console.print(table)
    console.print(Text(f"{report.robot}: {report.worst}", _STYLES[report.worst]))


def _robot_row(name: str, folders: tuple[str, ...]) -> tuple[str, str, str, str]:
    spec = load_spec(name)
    title = f"{spec.title} (default)" if name == DEFAULT_ROBOT else spec.title
    try:
        joints = str(load_robot(name, folders).body.kinematics.n)
        where = "generated"
        if not spec.model.generated:
            where = str(find_model(spec, folders=folders))
    except ModelNotFound:
        return name, title, "", f"not here: {spec.model.get}"
    except TelexistError as error:
        return name, title, "", f"cannot be used: {error}"
    return name, title, joints, where


def _console() -> Console:
    width = None if sys.stdout.isatty() else _WIDTH
    return Console(width=width, highlight=False, soft_wrap=not sys.stdout.isatty())
