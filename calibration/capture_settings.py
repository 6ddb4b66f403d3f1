"""Thresholds of a calibration."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CaptureSettings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureSettings:
    """What is still taken for a person who stands still.

    The defaults bear 2 degrees rms of sensor noise about each axis and 1 cm/s of sway.

    Attributes:
        min_samples: Fewer samples are refused.
        min_rate: Fewer samples a second are refused [Hz].
        max_gap: A longer time without a sample is refused [s].
        max_missing: A segment missing in a larger share of the frames is refused.
        max_turning_deg: Speed at which a segment may turn, on average [deg/s].
        max_wander_deg: How far the means of a segment's fifths may lie apart [deg].
        max_spread_deg: rms angle of a segment's samples to their mean [deg].
        max_speed: At which a segment may travel, on average [m/s].
        max_wander: How far the means of its fifths may lie apart [m].
        max_outliers: A larger share of samples far from the rest is refused.
        limb_deg: How far a limb may point from where the pose wants it [deg].
        least_height: A smaller person is a mistaken unit or sits [m].
        most_height: A larger person is a mistaken unit [m].
    """

    min_samples: int = 20
    min_rate: float = 15.0
    max_gap: float = 0.5
    max_missing: float = 0.1
    max_turning_deg: float = 3.0
    max_wander_deg: float = 5.0
    max_spread_deg: float = 6.0
    max_speed: float = 0.03
    max_wander: float = 0.05
    max_outliers: float = 0.2
    limb_deg: float = 35.0
    least_height: float = 1.2
    most_height: float = 2.4
