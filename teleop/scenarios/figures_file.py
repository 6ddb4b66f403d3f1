"""Figures as strict JSON: what is infinite or no number becomes null."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from telexist.retarget.files import write_bytes

__all__ = ["write_figures"]


def write_figures(path: Path, figures: dict[str, Any]) -> None:
    """Write figures to a file.

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
