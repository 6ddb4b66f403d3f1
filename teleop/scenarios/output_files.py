"""A scenario's results: their names are looked at before the run, not after it."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from telexist.retarget.errors import BadInput
from telexist.retarget.files import write_bytes

__all__ = ["ENDINGS", "prepare_outputs", "write_figures"]

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


def write_figures(path: Path, figures: dict[str, Any]) -> None:
    """Write figures as strict JSON: what is infinite or no number becomes null.

    Raises:
        CannotWrite: If that fails.
    """
    text = json.dumps(_strict(figures), indent=1, allow_nan=False)
    write_bytes(path, text.encode())


def _strict(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _strict(item) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
