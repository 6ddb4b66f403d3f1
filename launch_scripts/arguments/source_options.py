"""The `--source-config` of a command."""

from __future__ import annotations

from pathlib import Path

from telexist.retarget.errors import BadConfig, UsageError
from telexist.retarget.recordings import ReadOptions, load_options

__all__ = ["source_options"]


def source_options(path: Path | None) -> ReadOptions | None:
    """Read what the user states about recordings; None if nothing.

    Raises:
        UsageError: If the file is wrong.
    """
    if path is None:
        return None
    try:
        return load_options(path)
    except BadConfig as error:
        raise UsageError(f"--source-config {error}") from error
