"""How long a step takes; the clock is the caller's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["TimingReport", "measure_timing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimingReport:
    """Time of a step [s] and seconds of motion per second of work."""

    p50: float
    p99: float
    real_time_factor: float

    def to_json(self) -> dict[str, float]:
        """Return plain tables, units in the keys."""
        return {
            "step_time_p50_us": 1e6 * self.p50,
            "step_time_p99_us": 1e6 * self.p99,
            "real_time_factor": self.real_time_factor,
        }


def measure_timing(step_times: ArrayLike, duration: float) -> TimingReport | None:
    """Summarise measured step times [s] of a motion of a duration [s].

    Returns:
        None if nothing was measured.
    """
    times = np.asarray(step_times, dtype=np.float64)
    if times.size == 0 or not times.sum() > 0.0:
        return None
    p50, p99 = np.percentile(times, (50.0, 99.0))
    return TimingReport(
        p50=float(p50), p99=float(p99), real_time_factor=duration / float(times.sum())
    )
