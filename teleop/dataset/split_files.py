"""A split on disk: a table, a list of motions for each part, and shards if asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from telexist.retarget.files import write_bytes
from telexist.teleop.dataset.place import DatasetPlace
from telexist.teleop.dataset.selection import (
    read_selection,
    select_rows,
    write_selection,
)
from telexist.teleop.dataset.shards import write_shards
from telexist.teleop.dataset.split import split_rows
from telexist.teleop.dataset.table import write_rows

__all__ = ["SplitDone", "split_dataset"]

EVERYTHING = "all"
"""The selection that need not be made: all that did not fail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitDone:
    """Part to its rows, and how many shards were written."""

    parts: Mapping[str, tuple[Mapping[str, Any], ...]]
    shards: int


def split_dataset(
    place: DatasetPlace,
    name: str,
    shares: Mapping[str, float],
    *,
    seed: int,
    performer: str = "",
    shards: str | None = None,
    clips: int = 512,
) -> SplitDone:
    """Divide a selection and write the parts below `splits/NAME`.

    Args:
        place: Of the set.
        name: Of the selection.
        shares: Part to its share of all frames.
        seed: See `split_rows`.
        performer: See `split_rows`.
        shards: Kind of shards to write, if any.
        clips: In a shard.

    Raises:
        UsageError: If there is no such selection.
        CannotWrite: If the disk or the folder refuses.
    """
    if name == EVERYTHING and not place.selection(name).is_file():
        write_selection(place, name, select_rows(place, "").rows)
    rows = read_selection(place, name)
    of_row = split_rows(rows, shares, seed=seed, performer=performer)
    folder = place.folder / "splits" / name
    parts = {
        part: tuple(r for r, own in zip(rows, of_row, strict=True) if own == part)
        for part in shares
    }
    for part, inside in parts.items():
        lines = "".join(f"motions/{row['motion']}\n" for row in inside)
        write_bytes(folder / f"{part}.txt", lines.encode())
    table = [{**row, "part": p} for row, p in zip(rows, of_row, strict=True)]
    write_rows(folder / "split.parquet", table)
    written: tuple[object, ...] = ()
    if shards is not None:
        formats = tuple(f for f in place.read_settings().formats if f != "npz")
        written = write_shards(
            shards, folder, parts, place.motions, formats=formats, clips=clips
        )
    return SplitDone(parts=parts, shards=len(written))
