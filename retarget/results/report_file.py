"""The report of a motion as JSON."""

from __future__ import annotations

import json
from pathlib import Path

from telexist.retarget.files import write_bytes
from telexist.retarget.metrics import Report

__all__ = ["save_report"]


def save_report(path: Path, report: Report) -> None:
    """Write `<clip>.<robot>.json`.

    Raises:
        CannotWrite: If the disk or the folder refuses.
    """
    text = json.dumps(report.to_json(), indent=2, ensure_ascii=False, allow_nan=False)
    write_bytes(path, (text + "\n").encode("utf-8"))
