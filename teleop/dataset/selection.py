"""Which rows of a data set are wanted, by an expression and by what was marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from telexist.retarget.errors import UsageError
from telexist.teleop.dataset.expression import Expression
from telexist.teleop.dataset.marks import mark_key, read_marks
from telexist.teleop.dataset.place import DatasetPlace
from telexist.teleop.dataset.table import column_names, read_rows, write_rows

__all__ = ["COLUMNS", "Selected", "read_selection", "select_rows", "write_selection"]

COLUMNS = (
    "clip",
    "robot",
    "folder",
    "status",
    "frames",
    "duration",
    "motion",
    "mirrored",
    "near_duplicates",
)
"""What a selection keeps of a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """Rows that were chosen, and how many were left out by what."""

    rows: tuple[dict[str, Any], ...]
    failed: int
    by_expression: int
    by_mark: int
    duplicates: int


def select_rows(
    place: DatasetPlace, keep: str, *, duplicates: bool = False
) -> Selected:
    """Choose rows of a set.

    A clip that is marked is kept or dropped whatever the expression says. Of like clips
    the first that is kept stays.

    Args:
        place: Of the set.
        keep: An expression over its columns; "" keeps all that are done.
        duplicates: Whether like clips may all stay.

    Raises:
        UsageError: If the expression is wrong, or nothing is left.
        BadRecording: If the table is damaged.
    """
    wish = Expression(keep or "True", column_names(place.table))
    needed = dict.fromkeys((*COLUMNS, *wish.columns))
    rows = read_rows(place.table, list(needed))
    marks = read_marks(place.marks)
    counts = {"failed": 0, "by_expression": 0, "by_mark": 0, "duplicates": 0}
    kept: list[dict[str, Any]] = []
    seen: set[tuple[str, int]] = set()
    for row in rows:
        mark = marks.get(mark_key(row["clip"], row["robot"]), "")
        group = (row["robot"], row["near_duplicates"])
        if row["status"] != "done":
            counts["failed"] += 1
        elif mark == "drop":
            counts["by_mark"] += 1
        elif mark != "keep" and not wish(row):
            counts["by_expression"] += 1
        elif not duplicates and mark != "keep" and group in seen:
            counts["duplicates"] += 1
        else:
            kept.append({name: row[name] for name in COLUMNS})
            if group[1] is not None:
                seen.add(group)
    if not kept:
        raise UsageError(f"--keep '{keep}': no clip of {len(rows)} is left")
    return Selected(rows=tuple(kept), **counts)


def write_selection(
    place: DatasetPlace, name: str, rows: Sequence[dict[str, Any]]
) -> None:
    """Keep a selection under a name."""
    write_rows(place.selection(name), rows)


def read_selection(place: DatasetPlace, name: str) -> list[dict[str, Any]]:
    """Return the rows of a selection.

    Raises:
        UsageError: If there is none of that name.
        BadRecording: If it is damaged.
    """
    path = place.selection(name)
    if not path.is_file():
        there = sorted(p.stem for p in path.parent.glob("*.parquet"))
        words = f"there are: {', '.join(there)}" if there else "there is none yet"
        raise UsageError(
            f"no selection '{name}' ({words}); `telexist dataset select "
            f"{place.folder} --keep ... --name {name}` makes it"
        )
    return read_rows(path)
