from __future__ import annotations

import math

import numpy as np
import pytest
from telexist.teleop.sinks.histogram import Histogram


def test_percentiles_agree_with_numpy_to_a_bin() -> None:
    values = np.random.default_rng(0).lognormal(-6.0, 1.0, 20_000)
    histogram = Histogram()
    for value in values:
        histogram.add(float(value))
    for share in (1.0, 50.0, 99.0):
        wanted = np.percentile(values, share)
        assert histogram.percentile(share) == pytest.approx(wanted, rel=0.02)
    assert histogram.worst == values.max()


def test_empty_and_absurd_durations() -> None:
    histogram = Histogram()
    assert math.isnan(histogram.percentile(50.0))
    for value in (0.0, -1.0, 1e9):
        histogram.add(value)
    assert histogram.count == 3
