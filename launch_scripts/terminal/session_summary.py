"""The summary of a session, for people."""

from __future__ import annotations

import io
import math
import shutil

from rich.console import Console
from rich.table import Table
from telexist.launch_scripts.terminal.any_session import AnySession
from telexist.teleop.sinks import Summary

__all__ = ["summary_lines"]

LINES = 12  # of events


def summary_lines(summary: Summary, session: AnySession) -> list[str]:
    """Return rates, latencies, events and limits touched."""
    text = io.StringIO()
    console = Console(file=text, width=shutil.get_terminal_size().columns)
    table = Table(title=f"{session.title}: {summary.duration:.1f} s")
    table.add_column("milliseconds")
    for column in ("p50", "p99", "worst"):
        table.add_column(column, justify="right")
    _row(table, "loop period", summary.period_ms)
    _row(table, "sample to command", summary.latency_ms)
    for name, values in summary.stages_ms.items():
        _row(table, f"  {name}", values)
    _row(table, "age of the sample in use", summary.age_ms)
    if not session.touched:  # there is no robot to command
        return [f"{session.title}: {summary.duration:.1f} s, {summary.turns} turns"]
    console.print(table)
    console.print(
        f"{summary.turns} turns at {summary.rate:.0f} Hz, {summary.samples} samples at "
        f"{summary.sample_rate:.0f} Hz; greatest tracking error "
        f"{summary.tracking_deg:.2f} deg"
    )
    if math.isfinite(summary.joint_speed):
        console.print(
            f"joints, measured: at most {100 * summary.joint_speed:.0f} % of the speed "
            f"and {100 * summary.joint_acceleration:.0f} % of the acceleration allowed"
        )
    states = ", ".join(f"{name} {t:.1f} s" for name, t in summary.states.items())
    console.print(f"states: {states}")
    counts = ", ".join(f"{kind} {n}" for kind, n in summary.events.items())
    console.print(f"events: {counts or 'none'}")
    if session.touched:
        console.print(f"limits touched: {session.touched}")
    return text.getvalue().splitlines()


def _row(table: Table, name: str, values: tuple[float, ...]) -> None:
    texts = [f"{value:.2f}" if math.isfinite(value) else "-" for value in values]
    table.add_row(name, *texts)
