"""A parquet table for each channel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from telexist.retarget.errors import MissingDependency
from telexist.teleop.recording import SessionReader
from telexist.teleop.recording.export.columns import TABLES, columns
from telexist.teleop.recording.export.options import ExportOptions

__all__ = ["export_parquet", "load_pyarrow"]


def load_pyarrow() -> tuple[Any, Any]:
    """Return pyarrow and its parquet module.

    Raises:
        MissingDependency: If it is absent.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        command = "pip install 'telexist[export]'"
        raise MissingDependency("pyarrow", command) from error
    return pyarrow, pyarrow.parquet


def export_parquet(
    reader: SessionReader, out: Path, options: ExportOptions
) -> tuple[str, ...]:
    """Write `CHANNEL.parquet` for each channel that has messages; columns as in CSV."""
    arrow, parquet = load_pyarrow()
    texts = {f"telexist.{k}": v for k, v in reader.header.metadata().items()}
    for channel in TABLES:
        table = columns(reader, channel)
        if table:
            made = arrow.table({name: arrow.array(v) for name, v in table.items()})
            made = made.replace_schema_metadata(texts)
            parquet.write_table(made, out / f"{channel}.parquet", compression="zstd")
    return ()
