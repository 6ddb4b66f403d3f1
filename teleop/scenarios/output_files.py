"""Looks at the names of a scenario's results before the run, not after it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from telexist.retarget.errors import BadInput

__all__ = ["ENDINGS", "prepare_outputs"]

ENDINGS: Mapping[str, tuple[str, ...]] = {
    "json": (),
    "plot": (".png", ".pdf", ".svg"),
    "video": (".gif",),
}
"""Kind of result to the endings that its file may have; none: any."""


def prepare_outputs(paths: Mapping[str, Path | None]) -> None:
    """Check the files of the results and make their folders.

    Args:
        paths: Kind of result to its file; None where it is not wanted.

    Raises:
        BadInput: If a name or its folder cannot be used; it names the option.
    """
    for kind, path in paths.items():
        if path is None:
            continue
        endings = ENDINGS[kind]
        if endings and path.suffix.lower() not in endings:
            raise BadInput(f"--{kind} {path}: must end in {' or '.join(endings)}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or str(error)
            raise BadInput(f"--{kind} {path}: no such folder: {reason}") from error
        if path.is_dir() or not os.access(path.parent, os.W_OK):
            raise BadInput(f"--{kind} {path}: cannot be written there")
