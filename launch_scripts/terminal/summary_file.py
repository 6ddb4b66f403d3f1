"""The summary of a session as a file, for programs."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

from telexist.retarget.errors import CannotWrite
from telexist.teleop.sinks import Summary

__all__ = ["require_writable", "write_summary"]


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
