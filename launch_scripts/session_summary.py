"""The summary of a session, for people and for programs."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

from rich.console import Console
from rich.table import Table

from retarget.errors import CannotWrite
from teleop.session import Session
from teleop.summary import Summary

__all__ = ["print_summary", "require_writable", "write_summary"]

LINES = 12  # of events


def print_summary(summary: Summary, session: Session) -> None:
    """Print rates, latencies, events and limits touched."""
    console = Console()
    table = Table(title=f"{session.loaded.spec.title}: {summary.duration:.1f} s")
    table.add_column("milliseconds")
    for column in ("p50", "p99", "worst"):
        table.add_column(column, justify="right")
    _row(table, "loop period", summary.period_ms)
    _row(table, "sample to command", summary.latency_ms)
    for name, values in summary.stages_ms.items():
        _row(table, f"  {name}", values)
    _row(table, "age of the sample in use", summary.age_ms)
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
    console.print(f"limits touched: {_touched(session)}")


def require_writable(path: Path) -> None:
    """Find out before a session whether its summary can be written.

    Raises:
        CannotWrite: If it cannot, with the reason.
    """
    there = path.exists()
    try:
        path.open("ab").close()
        if not there:
            path.unlink()
    except OSError as error:
        reason = f"{path}: cannot be written: {error.strerror}"
        raise CannotWrite(f"{reason}; choose another file with --json") from error


def write_summary(summary: Summary, path: Path) -> None:
    """Write the summary as JSON.

    Raises:
        CannotWrite: If the file cannot be written.
    """
    table = dataclasses.asdict(summary)
    table["last_events"] = [
        {"stamp": e.stamp, "kind": e.kind, "reason": e.reason, "state": e.state.value}
        for e in summary.last_events
    ]
    try:
        path.write_text(json.dumps(_finite(table), indent=1), encoding="utf-8")
    except OSError as error:
        raise CannotWrite(f"{path}: {error.strerror}") from error


def _finite(value: object) -> object:
    """Return the value with null for numbers that JSON does not know."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _row(table: Table, name: str, values: tuple[float, ...]) -> None:
    texts = [f"{value:.2f}" if math.isfinite(value) else "-" for value in values]
    table.add_row(name, *texts)


def _touched(session: Session) -> str:
    touched = session.loop.reference.touched
    joints = session.loaded.body.kinematics.joints
    order = sorted(range(len(joints)), key=lambda i: -int(touched[i]))
    found = [f"{joints[i]} ({touched[i]} turns)" for i in order[:8] if touched[i]]
    return ", ".join(found) or "none"
