"""The table at the end of a batch."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text
from telexist.teleop.batch.job import JobOutcome

__all__ = ["print_summary", "summary_table"]

UNFOLDED = (
    1000  # [columns] where there is no terminal: names stay whole, to be searched
)


def print_summary(outcomes: Sequence[JobOutcome], out: Path) -> None:
    """Print the table and where the results are."""
    width = None if sys.stdout.isatty() else UNFOLDED
    console = Console(width=width, highlight=False)
    console.print(summary_table(outcomes))
    counts = Counter(outcome.status for outcome in outcomes)
    words = ", ".join(f"{n} {status}" for status, n in sorted(counts.items()))
    console.print(Text(f"{words}; results are in {out.resolve()}"), soft_wrap=True)


def summary_table(outcomes: Sequence[JobOutcome]) -> Table:
    """Return one row for each clip and robot."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("clip", overflow="fold")
    table.add_column("robot", overflow="fold")
    headings = ("frames", "limbs\n[deg]", "links\n[deg]", "slide\n[mm/s]")
    for heading in (*headings, "at limits\n[%]", "frames\n/s"):
        # Text, for rich would take [deg] for a style.
        table.add_column(Text(heading), justify="right", no_wrap=True)
    table.add_column("status", no_wrap=True)
    for outcome in outcomes:
        table.add_row(*(Text(cell) for cell in _cells(outcome)))
    return table


def _cells(outcome: JobOutcome) -> tuple[str, ...]:
    report, job = outcome.report, outcome.job
    frames = report.get("frames")
    per_step_us = _number(report, "timing", "step_time_p50_us")
    share = _number(report, "limits", "share_at_limits")
    return (
        job.clip.name,
        job.robot.name,
        "-" if frames is None else str(frames),
        _shown(_number(report, "whole_clip", "limb_direction_error_deg", "mean"), 2),
        _shown(_number(report, "whole_clip", "orientation_error_deg", "mean"), 2),
        _shown(_number(report, "feet", "slide_mm_s", "p50"), 1),
        _shown(None if share is None else 100.0 * share, 1),
        _shown(None if not per_step_us else 1e6 / per_step_us, 0),
        outcome.status,
    )


def _number(report: Mapping[str, Any], *keys: str) -> float | None:
    value: Any = report
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return float(value) if isinstance(value, int | float) else None


def _shown(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
