"""The mean of a pose on the rotation group."""

from __future__ import annotations

import numpy as np
import pytest
from telexist.calibration.pose_average import average_rotation
from telexist.retarget.so3 import exp_so3, log_so3


def noisy(R: np.ndarray, sigma_deg: float, count: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return exp_so3(rng.normal(scale=np.deg2rad(sigma_deg), size=(count, 3))) @ R


def angle_deg(A: np.ndarray, B: np.ndarray) -> float:
    return float(np.rad2deg(np.linalg.norm(log_so3(A @ B.T))))


@pytest.mark.parametrize("w", [(0.0, 0.0, 0.0), (2.0, -1.0, 0.5), (0.0, np.pi, 0.0)])
def test_noise_averages_out_with_the_root_of_the_count(w: tuple[float, ...]) -> None:
    R = exp_so3(np.array(w))
    found = average_rotation(noisy(R, 2.0, 400))
    assert angle_deg(found.mean, R) < 4.0 * 2.0 * np.sqrt(3.0 / 400.0)
    assert found.spread_deg == pytest.approx(2.0 * np.sqrt(3.0), rel=0.1)


@pytest.mark.parametrize("share", [0.05, 0.3])
def test_samples_far_away_do_not_count(share: float) -> None:
    R = exp_so3(np.array([0.3, 1.0, -2.0]))
    samples = noisy(R, 1.0, 200)
    wrong = int(share * 200)
    samples[:wrong] = exp_so3(np.array([1.0, 0.0, 0.0])) @ samples[:wrong]
    found = average_rotation(samples)
    assert not found.kept[:wrong].any()
    assert found.kept[wrong:].mean() > 0.95
    assert angle_deg(found.mean, R) < 0.5


def test_equal_samples_have_no_spread() -> None:
    R = exp_so3(np.array([0.1, 0.2, 0.3]))
    found = average_rotation(np.tile(R, (30, 1, 1)))
    np.testing.assert_allclose(found.mean, R, atol=1e-12)
    assert found.kept.all()
    assert found.spread_deg == pytest.approx(0.0, abs=1e-6)
