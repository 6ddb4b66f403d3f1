"""`telexist dataset status`: how much there is, what failed, the worst clips."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text
from telexist.retarget.errors import UnknownName
from telexist.teleop.dataset import (
    SHORT,
    DatasetPlace,
    column_names,
    read_marks,
    read_rows,
)

__all__ = ["print_columns", "print_dataset"]

UNFOLDED = 1000  # [columns] where there is no terminal: names stay whole
NAMED = 10  # failures that are named
SHOWN = ("orientation", "slide_p95", "held", "self_collision", "limit_violations")


def print_columns(place: DatasetPlace) -> None:
    """Print every column; short names with what they stand for."""
    for name in column_names(place.table):
        long, unit = SHORT.get(name, ("", ""))
        print(f"{name:20} [{unit}]  {long}" if long else name)


def print_dataset(place: DatasetPlace, *, worst: str, top: int) -> None:
    """Print how much there is, what failed, and the worst clips by a figure.

    Raises:
        UnknownName: If there is no such figure.
    """
    known = column_names(place.table)
    if worst not in known:
        raise UnknownName("column", worst, known)
    names = ("clip", "robot", "status", "reason", "frames", "duration", "obstacles")
    rows = read_rows(place.table, list(dict.fromkeys((*names, *_there(known), worst))))
    done = [row for row in rows if row["status"] == "done"]
    frames, hours = (sum(row[k] for row in done) for k in ("frames", "duration"))
    good = sum(not row["obstacles"] for row in done)
    clips, robots = ({row[k] for row in rows} for k in ("clip", "robot"))
    print(f"{len(clips)} clips on {', '.join(sorted(robots))}: {len(done)} motions,")
    print(
        f"{frames} frames, {hours / 3600.0:.2f} h; {good} of them playable as they are"
    )
    marks = list(read_marks(place.marks).values())
    if marks:
        print(f"marked: {marks.count('keep')} keep, {marks.count('drop')} drop")
    bad = [row for row in rows if row["status"] != "done"]
    for row in bad[:NAMED]:
        print(f"failed: {row['clip']} on {row['robot']}: {row['reason']}")
    if len(bad) > NAMED:
        print(f"failed: {len(bad) - NAMED} more")
    measured = [row for row in done if isinstance(row[worst], float)]
    measured.sort(key=lambda row: (-row[worst], row["clip"]))
    if top and measured:
        _print_rows(measured[:top], tuple(dict.fromkeys((worst, *_there(known)))))


def _there(known: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in SHOWN if name in known)


def _print_rows(rows: Sequence[Mapping[str, Any]], figures: Sequence[str]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("worst clips", overflow="fold")
    table.add_column("robot", overflow="fold")
    for name in figures:
        unit = SHORT.get(name, ("", ""))[1]
        heading = f"{name}\n[{unit}]" if unit else name
        table.add_column(Text(heading), justify="right", no_wrap=True)
    for row in rows:
        cells = [_shown(row[name]) for name in figures]
        table.add_row(*(Text(cell) for cell in (row["clip"], row["robot"], *cells)))
    width = None if sys.stdout.isatty() else UNFOLDED
    Console(width=width, highlight=False).print(table)


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else "-"
