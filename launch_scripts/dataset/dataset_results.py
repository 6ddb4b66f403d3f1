"""What the actions on a data set say when they are done."""

from __future__ import annotations

from telexist.teleop.dataset import BuildResult, DatasetPlace, Selected, SplitDone

__all__ = ["print_built", "print_selected", "print_split"]


def print_built(place: DatasetPlace, result: BuildResult) -> None:
    """Say what a build did."""
    words = f"{result.done} done, {result.kept} kept, {result.failed} failed"
    print(f"{words}; the table is {place.table}")


def print_selected(place: DatasetPlace, name: str, selected: Selected) -> None:
    """Say what is left and what took the rest away."""
    hours = sum(row["duration"] for row in selected.rows) / 3600.0
    print(f"{len(selected.rows)} motions, {hours:.2f} h: {place.selection(name)}")
    for count, why in (
        (selected.by_expression, "by --keep"),
        (selected.duplicates, "for being like another (--duplicates keeps them)"),
        (selected.by_mark, "by a mark"),
        (selected.failed, "for having failed"),
    ):
        if count:
            print(f"  {count} left out {why}")


def print_split(place: DatasetPlace, name: str, done: SplitDone) -> None:
    """Say how large the parts are."""
    total = sum(row["frames"] for rows in done.parts.values() for row in rows)
    for part, rows in done.parts.items():
        share = sum(row["frames"] for row in rows) / total
        print(f"{part}: {len(rows)} motions, {share:.1%} of all frames")
    shards = f", {done.shards} shards" if done.shards else ""
    print(f"lists and table{shards}: {place.folder / 'splits' / name}")
