"""Whether a segment stood still, in spite of noise and sway."""

from __future__ import annotations

import numpy as np
from telexist.calibration.capture_settings import CaptureSettings
from telexist.calibration.pose_average import RotationAverage
from telexist.calibration.samples import SegmentSamples
from telexist.retarget.so3 import Array

__all__ = ["motion_faults"]

PARTS = 5


def motion_faults(
    samples: SegmentSamples, average: RotationAverage, settings: CaptureSettings
) -> tuple[str, ...]:
    """Say how a segment moved, one line at most; nothing if it stood still.

    Noise of many samples averages out, motion does not: a straight line through the
    samples shows steady motion, the means of the fifths show slow swings, the spread
    shows quick ones.

    Args:
        samples: Of the segment.
        average: Their mean.
        settings: What is allowed.
    """
    name, kept = samples.segment, average.kept
    lost = 1.0 - float(kept.mean())
    if lost > settings.max_outliers:
        return (
            f"{name}: {lost:.0%} of its samples are far from the rest: stand still",
        )
    time, errors = samples.time[kept], np.rad2deg(average.errors[kept])
    found = [
        _beyond(_slope(time, errors), settings.max_turning_deg, "turned at", "deg/s"),
        _beyond(_wander(errors), settings.max_wander_deg, "turned by", "deg"),
        _beyond(average.spread_deg, settings.max_spread_deg, "shook by", "deg rms"),
    ]
    if samples.positions is not None:
        places = samples.positions
        found += [
            _beyond(
                _slope(samples.time, places), settings.max_speed, "moved at", "m/s"
            ),
            _beyond(_wander(places), settings.max_wander, "moved by", "m"),
        ]
    lines = [line for line in found if line]
    return (f"{name}: {lines[0]}: stand still",) if lines else ()


def _beyond(value: float, limit: float, what: str, unit: str) -> str:
    return f"{what} {value:.2g} {unit}, allowed {limit:g}" if value > limit else ""


def _slope(time: Array, values: Array) -> float:
    """Return the length of the slope of the straight line through (k, 3) values."""
    t = time - time.mean()
    square = float(t @ t)
    return float(np.linalg.norm(t @ values) / square) if square > 0.0 else 0.0


def _wander(values: Array) -> float:
    """Return the largest distance between the means of the fifths of (k, 3) values."""
    means = np.array([part.mean(axis=0) for part in np.array_split(values, PARTS)])
    return float(np.linalg.norm(means[:, None] - means[None], axis=-1).max())
