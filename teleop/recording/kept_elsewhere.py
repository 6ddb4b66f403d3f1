"""A recording whose file was deleted or replaced goes on in another one.

As long as the file is open its data is there, whatever became of its name: it is copied
to the nearest folder that can be written.
"""

from __future__ import annotations

import os
import tempfile
from io import FileIO
from pathlib import Path

__all__ = ["is_there", "keep_elsewhere"]

PIECE = 1 << 20  # [bytes] copied at once


def is_there(file: FileIO, path: Path) -> bool:
    """Return whether a path still leads to an open file."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except OSError:
        return False


def keep_elsewhere(file: FileIO, path: Path) -> tuple[FileIO, Path]:
    """Copy an open file to the nearest place; return the copy, open, and its path.

    Args:
        file: Open for reading and writing.
        path: Where it was.

    Raises:
        OSError: If there is no such place.
    """
    reason: OSError | None = None
    for folder in (*path.parents, Path(tempfile.gettempdir())):
        for number in range(2, 10):
            copy = folder / f"{path.stem}_{number}{path.suffix}"
            try:
                return _copied(file, copy), copy
            except FileExistsError:
                continue
            except OSError as error:
                reason = reason or error
                break
    raise reason or OSError(f"{path}: no place to keep it")


def _copied(file: FileIO, path: Path) -> FileIO:
    copy, at = FileIO(path, "x+b"), 0
    try:
        while piece := os.pread(file.fileno(), PIECE, at):
            rest = memoryview(piece)
            while rest:
                rest = rest[copy.write(rest) or 0 :]
            at += len(piece)
    except OSError:
        copy.close()
        path.unlink(missing_ok=True)
        raise
    return copy
