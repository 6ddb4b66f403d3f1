"""A hand that does what it is asked, on a path, with a partner; 200 Hz."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from telexist.retarget.advance import (
    AdvanceLaw,
    PathPoint,
    TrajectoryAdvance,
    straight_path,
)
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array

DT = 0.005  # [s]
WAY, TIME = 0.19, 4.0  # [m], [s]
ASIDE = 0.00115  # [m] from the path to where the hand begins, so that V is not 0
ARRIVED = 0.005  # [m]
AHEAD = np.array([1.0, 0.0, 0.0])
Force = Callable[[float], Array]


@dataclass
class Ride:
    """What happened: times, rates, errors, V, and when the hand arrived."""

    psi: Array
    rate: Array
    error: Array
    energy: Array
    arrived: float


def ride(force: Force, law: AdvanceLaw | None = None, *, noise: float = 0.0) -> Ride:
    """Go the straight way with a force that is known but for its noise."""
    path = straight_path(np.zeros(3), WAY * AHEAD, TIME)
    return along(path, force, law or AdvanceLaw(), noise=noise)


def along(
    path: Callable[[float], PathPoint],
    force: Force,
    law: AdvanceLaw,
    *,
    noise: float = 0.0,
    duration: float = 6.0,
) -> Ride:
    times = np.arange(0.0, duration, DT)
    speed = max(float(np.linalg.norm(path(t).dx)) for t in times)
    advance = TrajectoryAdvance(law, speed=speed)
    rng = np.random.default_rng(3)
    start = path(0.0)
    x, v = start.x + [0.0, ASIDE, 0.0], start.dx.copy()
    rows, arrived = [], np.inf
    for t in times:
        felt = force(t) + noise * rng.normal(size=3)
        step = advance.step(path(advance.psi), x, v, felt, DT)
        x = x + DT * v + 0.5 * DT**2 * step.acceleration
        v = v + DT * step.acceleration
        error = float(np.linalg.norm(step.error))
        rows.append((advance.psi, step.rate, error, step.energy))
        if np.linalg.norm(x - WAY * AHEAD) < ARRIVED:
            arrived = min(arrived, t)
    return Ride(*np.array(rows).T, arrived)


def constant(force: Array) -> Force:
    return lambda _: force


@pytest.fixture(scope="module")
def alone() -> Ride:
    return ride(constant(np.zeros(3)))


@pytest.mark.parametrize("force", [(-10, 0, 0), (0, 10, 0), (0, 0, -10), (-3, 20, 20)])
def test_what_is_no_help_changes_nothing(force: Array, alone: Ride) -> None:
    pushed = ride(constant(np.array(force, dtype=float)))
    assert np.array_equal(pushed.psi, alone.psi)
    assert np.all(pushed.rate == 1.0)
    assert pushed.arrived == alone.arrived


@pytest.mark.parametrize("newtons", [2.0, 5.0, 10.0, 20.0, 1e6])
def test_help_makes_it_faster_and_keeps_it_on_its_path(
    newtons: float, alone: Ride
) -> None:
    helped = ride(constant(newtons * AHEAD))
    assert helped.error.max() < 0.003
    assert helped.energy.max() < 2.0 * alone.energy[0]
    assert 1.0 <= helped.rate.min() <= helped.rate.max() <= AdvanceLaw().upper
    assert helped.arrived < {2.0: 0.8, 5.0: 0.6}.get(newtons, 0.5) * alone.arrived


def test_more_help_is_never_slower() -> None:
    times = [ride(constant(f * AHEAD)).arrived for f in (0.0, 2.0, 5.0, 10.0, 20.0)]
    assert times == sorted(times, reverse=True)


@pytest.mark.parametrize("moment", [0.1, 0.4, 0.7, 1.0, 1.3])
def test_letting_go_returns_to_the_reference_without_a_jump(moment: float) -> None:
    let_go = ride(lambda t: 10.0 * AHEAD * (t < moment))
    after = let_go.rate[round(moment / DT) :]
    assert np.all(np.diff(after) <= 0.0)  # it comes back, and does not swing
    fastest = (AdvanceLaw().upper - 1.0) * DT / AdvanceLaw().relaxation
    moving = let_go.psi[round(moment / DT) :] < 0.8 * TIME  # rest ends in one step
    assert np.all(np.diff(after)[moving[1:]] > -2.0 * fastest)
    assert after[-1] < 1.0 + 1e-3
    assert let_go.error.max() < 0.003


def test_noise_alone_does_not_advance_and_does_not_hide_help(alone: Ride) -> None:
    law = AdvanceLaw(least=3.0)
    nobody = ride(constant(np.zeros(3)), law, noise=1.0)
    assert nobody.arrived == pytest.approx(alone.arrived, rel=0.01)
    assert ride(constant(10.0 * AHEAD), law, noise=1.0).arrived < 0.5 * alone.arrived


def test_the_classes_of_table_9_1_come_out_in_their_order() -> None:
    def sine(psi: float) -> PathPoint:
        w = 2.0 * np.pi * 0.1
        s, c = np.sin(w * psi), np.cos(w * psi)
        axis = 0.05 * AHEAD
        return PathPoint(x=s * axis, dx=w * c * axis, d2x=-(w**2) * s * axis)

    def gained(force: tuple[float, float, float]) -> float:
        def pulse(t: float) -> Array:
            s = (t - 0.2) / 0.75
            shape = np.sin(np.pi * s) ** 2 if 0.0 < s < 1.0 else 0.0
            return shape * np.array(force)

        found = along(sine, pulse, AdvanceLaw(), duration=4.0)
        assert found.energy.max() < 2.0 * found.energy[0]
        return float(found.psi[-1]) - 4.0

    a, b, c = gained((10, 0, 0)), gained((5, 10, 0)), gained((5, 0, 10))
    assert a > b > 0.1
    assert b == pytest.approx(c, rel=1e-6)
    for agnostic in ((-10, 0, 0), (0, -10, 0), (0, 0, 10)):
        assert abs(gained(agnostic)) < 1e-9


def test_a_force_that_is_no_number_is_none(alone: Ride) -> None:
    lost = ride(constant(np.array([np.nan, np.inf, 0.0])))
    assert np.array_equal(lost.psi, alone.psi)


def test_numbers_without_a_meaning_are_refused() -> None:
    with pytest.raises(BadInput, match="mass"):
        AdvanceLaw(mass=0.0)
    with pytest.raises(BadInput, match="upper"):
        AdvanceLaw(upper=1.0)
    with pytest.raises(BadInput, match="speed"):
        TrajectoryAdvance(AdvanceLaw(), speed=np.nan)
    with pytest.raises(BadInput, match="duration"):
        straight_path(np.zeros(3), AHEAD, 0.0)


def test_derivatives_of_the_straight_path_are_its_own() -> None:
    path, h = straight_path(np.zeros(3), WAY * AHEAD, TIME), 1e-4
    for psi in (0.3, 1.7, 3.9):
        before, now, after = path(psi - h), path(psi), path(psi + h)
        np.testing.assert_allclose(
            (after.x - before.x) / (2 * h), now.dx, atol=1e-8
        )  # truncation of the difference
        np.testing.assert_allclose((after.dx - before.dx) / (2 * h), now.d2x, atol=1e-8)
