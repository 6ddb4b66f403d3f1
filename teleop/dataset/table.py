"""The table of a data set: one row for each clip and robot, in a parquet file.

It is made from the reports on disk, which are written last of each result; so it can be
made again at any time, and is the same byte for byte however the results came about.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from telexist.retarget.errors import BadRecording, MissingDependency, UsageError
from telexist.retarget.files import write_bytes
from telexist.teleop.batch import Job, JobOutcome
from telexist.teleop.dataset.figures import figures_of

__all__ = ["column_names", "read_rows", "row_of", "write_rows"]

Row = dict[str, Any]
_TEXTS = (
    "clip",
    "robot",
    "folder",
    "status",
    "reason",
    "verdict",
    "obstacles",
    "notes",
)
_MORE_TEXTS = ("source", "source_sha256", "settings_sha256", "motion", "duplicate_of")
_FLAGS = ("mirrored", "trimmed")
_WHOLE = ("frames", "near_duplicates")
_OF_SOURCE = {"source", "source_sha256", "options_sha256"}


def row_of(outcome: JobOutcome) -> Row:
    """Return the row of one clip on one robot; figures only where it was done."""
    job, report = outcome.job, outcome.report
    row: Row = {
        **dict.fromkeys((*_TEXTS, *_WHOLE, *_FLAGS, "duration", *_MORE_TEXTS)),
        "clip": job.clip.name,
        "robot": job.robot.name,
        "folder": job.clip.name.rpartition("/")[0],
        "status": "failed" if outcome.status == "failed" else "done",
        "reason": outcome.reason,
        "mirrored": job.clip.mirrored,
        "trimmed": job.clip.trimmed,
        "source": str(job.stamp["source"]),
        "source_sha256": str(job.stamp.get("source_sha256", "")),
        "settings_sha256": _settings_hash(job),
    }
    if row["status"] == "failed":
        return row
    row["motion"] = f"{job.stem}.npz"
    row["verdict"] = report["verdict"]
    row["obstacles"] = "; ".join(report["obstacles"])
    row["notes"] = "; ".join(report["notes"])
    row["frames"] = int(report["frames"])
    row["duration"] = float(report["duration_s"])
    row["leg_ratio"] = float(report["leg_ratio"])
    row.update(figures_of(report))
    return row


def _settings_hash(job: Job) -> str:
    """Return a hash of everything but the recording that a result depends on."""
    rest = {k: v for k, v in job.stamp.items() if k not in _OF_SOURCE}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """Write a table, whole or not at all; columns that no row has are left out.

    Raises:
        CannotWrite: If the disk or the folder refuses; an older table stays.
    """
    arrow, parquet = _pyarrow()
    names = {name for row in rows for name in row}
    texts = {name for row in rows for name in row if isinstance(row[name], str)}
    first = [name for name in (*_TEXTS, *_WHOLE, *_FLAGS) if name in names]
    last = [name for name in _MORE_TEXTS if name in names]
    ordered = (*first, *_in_order(rows, names.difference(first, last)), *last)
    kinds = {name: _kind(arrow, name, texts) for name in ordered}
    columns = {
        name: arrow.array([row.get(name) for row in rows], type=kind)
        for name, kind in kinds.items()
    }
    data = io.BytesIO()
    table = arrow.table(columns, schema=arrow.schema(list(kinds.items())))
    parquet.write_table(table, data, compression="zstd")
    write_bytes(path, data.getvalue())


def _in_order(rows: Sequence[Row], figures: Collection[str]) -> list[str]:
    """Return figures as the fullest row has them, the others behind."""
    fullest = max(rows, key=len, default={})
    first = [name for name in fullest if name in figures]
    return first + sorted(set(figures).difference(first))


def _kind(arrow: Any, name: str, texts: Collection[str]) -> Any:
    if name in _TEXTS or name in _MORE_TEXTS or name in texts:
        return arrow.string()
    if name in _FLAGS:
        return arrow.bool_()
    return arrow.int64() if name in _WHOLE else arrow.float64()


def column_names(path: Path) -> tuple[str, ...]:
    """Return the columns of a table.

    Raises:
        UsageError: If there is none yet.
        BadRecording: If it is damaged.
    """
    arrow, parquet = _pyarrow()
    try:
        return tuple(parquet.read_schema(path).names)
    except FileNotFoundError as error:
        raise _no_table(path) from error
    except (OSError, arrow.ArrowException) as error:
        raise _damaged(path, error) from error


def read_rows(path: Path, columns: Sequence[str] | None = None) -> list[Row]:
    """Return the rows of a table, or only some of their columns.

    Raises:
        UsageError: If there is none yet.
        BadRecording: If it is damaged.
    """
    arrow, parquet = _pyarrow()
    try:
        table = parquet.read_table(path, columns=columns, partitioning=None)
        rows: list[Row] = table.to_pylist()
    except FileNotFoundError as error:
        raise _no_table(path) from error
    except (OSError, arrow.ArrowException, UnicodeDecodeError) as error:
        raise _damaged(path, error) from error
    for name in ("clip", "robot"):
        if rows and name not in rows[0]:
            raise _damaged(path, ValueError(f"it has no column {name}"))
    return rows


def _no_table(path: Path) -> UsageError:
    return UsageError(
        f"{path}: no table yet: let `telexist dataset build` come to its end"
    )


def _damaged(path: Path, error: Exception) -> BadRecording:
    problem = " ".join(str(error).split())[:120]
    remedy = "`telexist dataset build` makes it again from the reports; nothing is lost"
    return BadRecording(path, f"a damaged table ({problem}): {remedy}")


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        command = "pip install 'telexist[dataset]'"
        raise MissingDependency("pyarrow", command) from error
    return pyarrow, parquet
