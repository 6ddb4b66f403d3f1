"""What the page shows of a table: names, figures as numbers, and how they spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.errors import TelexistError
from telexist.teleop.dataset import (
    SHORT,
    DatasetPlace,
    Expression,
    mark_key,
    read_marks,
    read_rows,
    write_mark,
)

__all__ = ["PageRows"]

BINS = 32


class PageRows:
    """The rows of a set that were done, as the page wants them.

    Attributes:
        rows: Of the table.
    """

    def __init__(self, place: DatasetPlace) -> None:
        """Read the table.

        Raises:
            BadRecording: If it is damaged.
            UsageError: If there is none yet.
        """
        self._place = place
        self.rows = [row for row in read_rows(place.table) if row["status"] == "done"]
        names = list(self.rows[0]) if self.rows else []
        self._figures = {
            name: values
            for name in names
            if name != "near_duplicates"
            if (values := _numbers([row[name] for row in self.rows])) is not None
        }
        self._spreads = [
            {"name": name, "unit": SHORT.get(name, ("", ""))[1], **_spread(values)}
            for name, values in self._figures.items()
        ]

    def overview(self) -> dict[str, Any]:
        """Return everything that the page needs to open."""
        return {
            "set": self._place.folder.resolve().name,
            "clips": [row["clip"] for row in self.rows],
            "robots": [row["robot"] for row in self.rows],
            "verdicts": [row["verdict"] for row in self.rows],
            "short": [
                {"name": name, "unit": unit}
                for name, (_, unit) in SHORT.items()
                if name in self._figures
            ],
            "figures": self._spreads,
            "marks": self.marks(),
        }

    def marks(self) -> dict[int, str]:
        """Return row to mark."""
        marks = read_marks(self._place.marks)
        keys = (mark_key(row["clip"], row["robot"]) for row in self.rows)
        return {k: marks[key] for k, key in enumerate(keys) if key in marks}

    def column(self, name: str) -> bytes | None:
        """Return a figure of all rows as float32, NaN where a row has none."""
        values = self._figures.get(name)
        return None if values is None else values.astype("<f4").tobytes()

    def answer(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Answer a message of the page: an expression, or a mark for rows."""
        try:
            if "keep" in message:
                return {"rows": self._kept(str(message["keep"]))}
            if "mark" in message:
                for k in message["rows"]:
                    row = self.rows[int(k)]
                    key = mark_key(row["clip"], row["robot"])
                    write_mark(self._place.marks, key, str(message["mark"]))
                return {"marks": self.marks()}
        except TelexistError as error:
            return {"error": str(error)}
        except (ValueError, TypeError, IndexError, KeyError):
            pass
        return {"error": "the page said something that is not understood"}

    def _kept(self, text: str) -> list[int] | None:
        """Return the rows that fulfil an expression; None: all of them."""
        if not text.strip():
            return None
        wish = Expression(text, self.rows[0] if self.rows else ())
        return [k for k, row in enumerate(self.rows) if wish(row)]


def _numbers(values: Sequence[Any]) -> NDArray[np.float64] | None:
    """Return a column of numbers; None if it is of something else, or empty."""
    there = [v for v in values if v is not None]
    if not there or not all(type(v) in (int, float) for v in there):
        return None
    return np.array([np.nan if v is None else v for v in values], dtype=np.float64)


def _spread(values: NDArray[np.float64]) -> dict[str, Any]:
    """Return how many values lie in each of some equal steps."""
    known = values[np.isfinite(values)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
    counts, _ = np.histogram(known, BINS, (low, high if high > low else low + 1.0))
    return {
        "low": low,
        "high": high,
        "counts": counts.tolist(),
        "none": int(values.size - known.size),
    }
