"""A few numbers that stand for many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["Spread"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Mean, median, 95th percentile and maximum of a set of values."""

    mean: float
    p50: float
    p95: float
    max: float

    @classmethod
    def of(cls, values: Array) -> Spread | None:
        """Summarise values of any shape; None if there are none."""
        if values.size == 0:
            return None
        p50, p95 = np.percentile(values, (50.0, 95.0))
        return cls(
            mean=float(values.mean()),
            p50=float(p50),
            p95=float(p95),
            max=float(values.max()),
        )

    @classmethod
    def of_columns(cls, values: Array) -> list[Spread]:
        """Summarise every column of values (t, k), t > 0."""
        p50, p95 = np.percentile(values, (50.0, 95.0), axis=0)
        columns = (values.mean(axis=0), p50, p95, values.max(axis=0))
        rows = np.column_stack(columns).tolist()
        return [cls(mean=a, p50=b, p95=c, max=d) for a, b, c, d in rows]

    def to_json(self) -> dict[str, float]:
        """Return the numbers by name; the unit belongs in the key above."""
        return {"mean": self.mean, "p50": self.p50, "p95": self.p95, "max": self.max}
