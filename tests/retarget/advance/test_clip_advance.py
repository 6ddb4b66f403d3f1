"""A motion's time under help: faster with it, and never otherwise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from telexist.retarget.advance import AdvanceLaw, ClipAdvance, TrajectoryAdvance
from telexist.retarget.advance.path_point import PathPoint

DT = 0.005  # [s]
LAW = AdvanceLaw(upper=3.0)


def ways(psi: float) -> np.ndarray:
    """Return how two hands go: there and back, with moments of rest."""
    swing = math.sin(2.0 * math.pi * 0.5 * psi)
    return np.array([[0.4 * swing, 0.0, 0.1 * swing], [0.0, -0.3 * swing, 0.0]])


def played(force: float, sideways: float = 0.0, until: float = math.inf) -> ClipAdvance:
    """Return what became of four seconds with forces along the hands' ways."""
    clip, up = ClipAdvance(LAW), np.array([0.0, 0.0, 1.0])
    for k in range(800):
        dx = ways(clip.psi)
        unit = dx / np.maximum(np.linalg.norm(dx, axis=1, keepdims=True), 1e-9)
        pull = force * unit + sideways * np.cross(unit, up)
        clip.step(dx, pull if k * DT < until else 0.0 * pull, DT)
    return clip


@pytest.mark.parametrize(("force", "sideways"), [(0.0, 0.0), (-15.0, 0.0), (0.0, 15.0)])
def test_without_help_time_is_time_to_the_last_bit(
    force: float, sideways: float
) -> None:
    clip = played(force, sideways)
    assert clip.rate == 1.0
    expected = 0.0
    for _ in range(800):
        expected += DT
    assert clip.psi == expected


def test_more_help_goes_faster_up_to_the_bound() -> None:
    ends = [played(force).psi for force in (0.0, 5.0, 10.0, 20.0, 1e3)]
    assert (np.diff(ends) > 0.05).all() or ends[-1] == pytest.approx(ends[-2], rel=0.1)
    assert ends[2] > 1.2 * ends[0]
    assert ends[-1] <= LAW.upper * ends[0]


def test_letting_go_returns_to_time_without_a_jump() -> None:
    clip, rates = ClipAdvance(LAW), []
    for k in range(800):
        dx = ways(0.5 + 0.0 * clip.psi)
        clip.step(dx, 20.0 * dx if k < 300 else np.zeros((2, 3)), DT)
        rates.append(clip.rate)
    assert max(rates) > 1.2
    assert np.abs(np.diff(rates)).max() < 0.05
    assert rates[-1] == pytest.approx(1.0, abs=1e-3)
    after = np.array(rates[300:]) - 1.0
    lost = after[50] / after[0]  # an exponential of the law's own time
    assert lost == pytest.approx(math.exp(-50.0 * DT / LAW.relaxation), rel=0.01)


def test_forces_that_are_no_numbers_are_none() -> None:
    clip = ClipAdvance(LAW)
    clip.step(ways(0.5), np.full((2, 3), np.nan), DT)
    clip.step(ways(0.5), np.array([[np.inf, 0.0, 0.0], [0.0, 0.0, 0.0]]), DT)
    assert clip.rate == 1.0
    clip.step(ways(0.5), np.full((2, 3), 1e6), DT)
    assert clip.rate <= 1.0 + LAW.boldest * DT / 0.05


def test_a_hand_on_a_straight_way_goes_as_by_the_law_of_the_path() -> None:
    """Where the hand does what it is asked, psi is that of `TrajectoryAdvance`."""
    way, force = np.array([0.3, 0.0, 0.0]), np.array([5.0, 0.0, 0.0])
    clip, path = ClipAdvance(LAW), TrajectoryAdvance(LAW, speed=0.3)
    place, velocity = np.zeros(3), way.copy()
    for _ in range(400):
        clip.step(way[None], force[None], DT)
        point = PathPoint(x=path.psi * way, dx=way, d2x=np.zeros(3))
        asked = path.step(point, place, velocity, force, DT)
        velocity = velocity + DT * asked.acceleration
        place = place + DT * velocity
    assert clip.rate > 1.1
    assert clip.rate == pytest.approx(path.rate, rel=0.05)
