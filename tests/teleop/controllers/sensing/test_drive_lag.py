"""How late and how strong drives are, against drives that are known."""

from __future__ import annotations

import numpy as np
import pytest
from telexist.retarget.so3 import exp_so3
from telexist.robots.dynamics import BodyState
from telexist.teleop.controllers.parameters.sensing_parameters import SensingParameters
from telexist.teleop.controllers.sensing.drive_lag import DriveLag, Underway

DT = 0.005  # [s]
EFFORT = np.array([30.0, 50.0])  # [N m]


def run(lag: DriveLag, late: int, *, limit: float = np.inf, steps: int = 400) -> None:
    """Ask for slow random torques of drives that come late and end at a limit."""
    rng, tau, past = np.random.default_rng(3), np.zeros(2), []
    for _ in range(steps):
        tau = np.clip(0.98 * tau + rng.normal(size=2) * 2.0, -EFFORT, EFFORT)
        past.append(tau)
        lag.command(Underway(tau, np.zeros(8), np.zeros((2, 6))))
        given = past[-late] if len(past) >= late else np.zeros(2)
        given = given + 0.05 * rng.normal(size=2)
        lag.look(np.clip(given, -limit, limit), DT)


@pytest.mark.parametrize("late", [1, 2, 5, 9])
def test_the_lag_of_late_drives_is_found(late: int) -> None:
    lag = DriveLag(EFFORT, SensingParameters())
    run(lag, late)
    assert lag.lag == late
    assert np.array_equal(lag.effort, EFFORT)
    lag.reset()
    assert lag.lag == 1


def test_drives_that_tell_no_torque_leave_the_lag_as_it_is() -> None:
    lag, asked = DriveLag(EFFORT, SensingParameters()), np.array([5.0, -3.0])
    for given in (np.zeros(2), np.full(2, np.nan)):
        for _ in range(300):
            lag.command(Underway(asked, np.zeros(8), np.zeros((2, 6))))
            lag.look(given, DT)
        assert lag.lag == 1 and np.array_equal(lag.effort, EFFORT)


@pytest.mark.parametrize("late", [1, 4])
def test_what_a_weak_drive_can_do_is_found(late: int) -> None:
    lag = DriveLag(EFFORT, SensingParameters())
    run(lag, late, limit=9.0, steps=2000)
    assert lag.lag == late
    assert lag.effort == pytest.approx([9.0, 9.0], abs=0.05)


def test_a_state_is_led_through_what_is_under_way() -> None:
    """Constant accelerations have a closed form: it is the witness."""
    lag = DriveLag(EFFORT, SensingParameters())
    dnu = np.array([0.4, -0.2, 1.0, 0.0, 0.0, 3.0, 5.0, -2.0])
    for _ in range(20):
        lag.command(Underway(np.zeros(2), dnu, np.zeros((2, 6))))
    lag.lag = 7
    still = np.zeros(3)
    start = BodyState(
        world_p_base=still,
        world_R_base=np.eye(3),
        q=np.zeros(2),
        world_v_base=still,
        world_w_base=still,
        dq=np.ones(2),
    )
    led, t = lag.lead(start, DT), 6 * DT
    assert np.allclose(led.world_v_base, t * dnu[:3])
    assert np.allclose(led.world_p_base, 0.5 * t * t * dnu[:3])
    assert np.allclose(led.world_R_base, exp_so3(0.5 * t * t * dnu[3:6]))
    assert np.allclose(led.q, t + 0.5 * t * t * dnu[6:])
    assert np.allclose(led.dq, 1.0 + t * dnu[6:])
