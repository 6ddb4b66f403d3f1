"""How benchmarks hand over what they measured: a table to read, JSON to keep."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from telexist.retarget.files import write_bytes

__all__ = ["print_table", "write_json"]


def write_json(path: Path | None, content: object) -> None:
    """Write JSON, whole or not at all; nothing if the path is None.

    Raises:
        CannotWrite: If the disk or the folder refuses.
    """
    if path is not None:
        write_bytes(path, f"{json.dumps(content, indent=2)}\n".encode())


def print_table(
    title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]
) -> None:
    """Print rows of text; the first column to the left, all others to the right."""
    table = Table(title=escape(title))
    for k, heading in enumerate(headings):
        table.add_column(escape(heading), justify="right" if k else "left")
    for row in rows:
        table.add_row(*row)
    Console(width=max(100, Console().width)).print(table)
