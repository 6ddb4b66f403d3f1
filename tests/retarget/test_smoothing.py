from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from telexist.retarget.errors import BadInput
from telexist.retarget.smoothing import COEFFICIENTS, MinimumJerkFilter, minimum_jerk


def test_blend_starts_and_ends_at_rest() -> None:
    s = np.linspace(0.0, 1.0, 2001)
    x = minimum_jerk(s)
    speed = np.gradient(x, s)
    assert x[0] == 0.0
    assert x[-1] == 1.0
    assert np.all(np.diff(x) >= 0.0)
    assert speed[0] == pytest.approx(0.0, abs=1e-5)
    assert speed.max() == pytest.approx(1.875, abs=1e-4)  # of the quintic
    assert minimum_jerk([-3.0, 7.0]).tolist() == [0.0, 1.0]


def test_filter_obeys_its_differential_equation() -> None:
    c0, c1, c2 = COEFFICIENTS
    T = 0.4

    def rate(_: float, s: np.ndarray) -> list[float]:
        x, v, a = s
        jerk = (c0 * (1.0 - x) - c1 * T * v - c2 * T * T * a) / T**3
        return [v, a, jerk]

    exact = solve_ivp(rate, (0.0, 0.5), [0.2, 0.3, -1.0], rtol=1e-11, atol=1e-12)
    smoother = MinimumJerkFilter([T])
    smoother.x, smoother.dx, smoother.ddx = (np.array([v]) for v in (0.2, 0.3, -1.0))
    for dt in (0.1, 0.003, 0.2, 0.197):  # any step: sampled exactly
        smoother.step(np.array([1.0]), dt)
    got = [smoother.x[0], smoother.dx[0], smoother.ddx[0]]
    np.testing.assert_allclose(got, exact.y[:, -1], atol=1e-8)


def test_step_response_is_close_to_minimum_jerk_without_overshoot() -> None:
    smoother = MinimumJerkFilter([1.0])
    smoother.reset([0.0])
    x = np.array([smoother.step(np.array([1.0]), 0.01)[0] for _ in range(300)])
    wanted = minimum_jerk(np.arange(1, 301) * 0.01)
    assert np.abs(x - wanted).max() < 0.034
    assert x.max() < 1.006
    assert x[-1] == pytest.approx(1.0, abs=1e-3)


def test_derivatives_integrate_to_positions() -> None:
    smoother = MinimumJerkFilter([0.2, 0.05])
    smoother.reset([0.0, 1.0])
    dt, x, v = 1e-4, [], []
    for k in range(3000):
        target = np.array([np.sin(0.002 * k), 0.5])
        x.append(smoother.step(target, dt))
        v.append(smoother.dx)
    x_, v_ = np.array(x), np.array(v)
    moved = (v_[1:] + v_[:-1]) / 2 * dt  # off by jerk dt^3 / 12
    np.testing.assert_allclose(x_[1:] - x_[:-1], moved, atol=1e-7)


def test_smoothing_time_may_change_without_a_jump() -> None:
    smoother = MinimumJerkFilter([1.0])
    smoother.reset([0.0])
    for _ in range(30):
        smoother.step(np.array([1.0]), 0.01)
    x, v = smoother.x.copy(), smoother.dx.copy()
    smoother.times = [0.1]
    smoother.step(np.array([1.0]), 1e-6)
    np.testing.assert_allclose(smoother.x, x, atol=1e-5)
    np.testing.assert_allclose(smoother.dx, v, atol=1e-2)


def test_no_time_is_no_smoothing() -> None:
    smoother = MinimumJerkFilter([0.0, 0.3])
    smoother.reset([0.0, 0.0])
    x = smoother.step(np.array([1.0, 1.0]), 0.005)
    assert x[0] == 1.0
    assert x[1] < 0.1


@pytest.mark.parametrize("times", [[-1.0], [np.nan], [np.inf]])
def test_senseless_times_are_refused(times: list[float]) -> None:
    with pytest.raises(BadInput, match="smoothing times"):
        MinimumJerkFilter(times)
