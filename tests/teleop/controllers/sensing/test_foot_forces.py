"""A sole whose force sensor is lost carries what the other one leaves."""

from __future__ import annotations

import numpy as np
import pytest
from telexist.robots.base.interface import RobotState
from telexist.teleop.controllers.parameters.sensing_parameters import SensingParameters
from telexist.teleop.controllers.sensing.foot_forces import FootForces

WEIGHT = 300.0  # [N]
FLAT = np.array([np.eye(3), np.eye(3)])
RNG = np.random.default_rng(5)


def reading(i: int, wrenches: np.ndarray) -> RobotState:
    zero = np.zeros(3)
    return RobotState(
        stamp=0.005 * i,
        q=zero,
        dq=zero,
        tau=zero,
        imu_acceleration=zero,
        imu_angular_velocity=zero,
        imu_world_R_base=np.eye(3),
        foot_wrenches=wrenches,
    )


def felt(left: float, right: float) -> np.ndarray:
    wrenches = np.zeros((2, 6))
    wrenches[:, 2] = left, right
    return wrenches + RNG.normal(size=(2, 6))


def planned(left: float, right: float) -> np.ndarray:
    wrenches = np.zeros((2, 6))
    wrenches[:, 2] = left, right
    wrenches[:, 4] = 0.02 * wrenches[:, 2]
    return wrenches


@pytest.mark.parametrize("dead", [0.0, np.nan, 150.0])
def test_a_lost_sensor_is_replaced_by_what_the_other_leaves(dead: float) -> None:
    forces = FootForces(WEIGHT, SensingParameters())
    for i in range(60):
        left = 150.0 + 100.0 * np.sin(0.2 * i)
        wrenches, plan = felt(left, WEIGHT - left), planned(left, WEIGHT - left)
        if i > 5:
            wrenches[0] = dead
        seen = forces.step(reading(i, wrenches), plan, FLAT).foot_wrenches
        assert np.array_equal(seen[1], wrenches[1])
        if i > 30:
            assert forces.lost.tolist() == [True, False]
            assert seen[0, 2] == pytest.approx(left, abs=6.0)
            assert seen[0, 4] == pytest.approx(0.02 * left, abs=1.0)
    live = forces.step(reading(61, felt(150.0, 150.0)), planned(150.0, 150.0), FLAT)
    assert not forces.lost.any() and live.foot_wrenches[0, 2] == pytest.approx(150, 0.1)


def test_a_foot_in_the_air_with_a_lost_sensor_lands_when_load_is_missing() -> None:
    forces = FootForces(WEIGHT, SensingParameters())
    for i in range(40):
        right = WEIGHT if i < 30 else 0.4 * WEIGHT
        wrenches = felt(0.0, right)
        wrenches[0] = np.nan
        seen = forces.step(reading(i, wrenches), planned(0.0, WEIGHT), FLAT)
        load = seen.foot_wrenches[0, 2] / WEIGHT
        assert load < 0.02 if i < 30 else load > 0.3


def test_live_sensors_and_two_silent_ones_are_believed() -> None:
    forces = FootForces(WEIGHT, SensingParameters())
    for i in range(60):
        state = reading(i, felt(400.0, 0.0))  # whatever the plan says
        assert forces.step(state, planned(0.0, WEIGHT), FLAT) is state
    for i in range(60, 120):  # hung up, or no number at all: nothing to go by
        state = reading(i, np.full((2, 6), 0.0 if i < 90 else np.nan))
        assert forces.step(state, planned(150.0, 150.0), FLAT) is state
