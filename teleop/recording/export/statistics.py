"""Statistics of a data set's features, under the names that LeRobot reads."""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["image_statistics", "statistics"]

_QUANTILES = {"q01": 0.01, "q10": 0.10, "q50": 0.50, "q90": 0.90, "q99": 0.99}


def statistics(values: np.ndarray) -> dict[str, Any]:
    """Return min, max, mean, std, count and quantiles of frames (t,) or (t, k)."""
    table = values.reshape(len(values), -1).astype(np.float64)
    found: dict[str, Any] = {
        "min": table.min(axis=0).tolist(),
        "max": table.max(axis=0).tolist(),
        "mean": table.mean(axis=0).tolist(),
        "std": table.std(axis=0).tolist(),
        "count": [len(table)],
    }
    for name, share in _QUANTILES.items():
        found[name] = np.quantile(table, share, axis=0).tolist()
    return found


def image_statistics(pixels: Array) -> dict[str, Any]:
    """Return the same for pixels (m, 3) from 0 to 1; each number as [[x]] a colour."""
    found = statistics(pixels)
    return {
        name: value if name == "count" else [[[number]] for number in value]
        for name, value in found.items()
    }
