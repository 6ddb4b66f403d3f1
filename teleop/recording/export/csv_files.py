"""A table for each channel, for spreadsheets: one row a message, named columns."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from telexist.teleop.recording import SessionReader
from telexist.teleop.recording.export.columns import TABLES, columns
from telexist.teleop.recording.export.options import ExportOptions

__all__ = ["export_csv"]


def export_csv(
    reader: SessionReader, out: Path, options: ExportOptions
) -> tuple[str, ...]:
    """Write `CHANNEL.csv` for each channel that has messages.

    Numbers are written with as many digits as it takes to read them back exactly; a
    number that is not there is an empty cell.
    """
    for channel in TABLES:
        table = columns(reader, channel)
        if table:
            _write(out / f"{channel}.csv", table)
    return ()


def _write(path: Path, table: dict[str, np.ndarray]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table)
        cells = [_cells(column) for column in table.values()]
        writer.writerows(zip(*cells, strict=True))


def _cells(column: np.ndarray) -> list[object]:
    if column.dtype.kind == "U":
        return [_harmless(text) for text in column.tolist()]
    if column.dtype.kind == "b":
        return column.astype(int).tolist()
    if column.dtype.kind == "i":
        return column.tolist()
    return ["" if value != value else repr(value) for value in column.tolist()]


def _harmless(text: str) -> str:
    """Keep a spreadsheet from taking a text for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
