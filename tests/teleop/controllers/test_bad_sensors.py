"""Sensors that lie: no crash, torques within the efforts, and an event that says it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from telexist.robots.base.interface import RobotState
from telexist.robots.mujoco.disturbances import Disturbances
from telexist.robots.mujoco.model import build_mujoco
from telexist.robots.mujoco.simulation import Simulation
from telexist.teleop.controllers.parameters.standing_parameters import (
    ContactParameters,
)
from telexist.teleop.terms.walk_command import WalkCommand

AHEAD = WalkCommand(vx=0.15)
Lie = Callable[[RobotState], RobotState]


def loads(left: float, right: float) -> Lie:
    """Return sensors that always feel these forces under the soles [N]."""
    wrenches = np.zeros((2, 6))
    wrenches[:, 2] = left, right
    return lambda state: replace(state, foot_wrenches=wrenches)


def drive(w: Any, lie: Lie, duration: float, **changes: object) -> None:
    effort = w.controller.model.actuators.effort
    for _ in range(round(duration / w.controller.period)):
        state = lie(w.simulation.read_state())
        tau = w.controller.step(state, w.reference(**changes), w.controller.period).tau
        w.events += map(str, w.controller.report().events)
        assert np.isfinite(tau).all()
        assert (np.abs(tau) <= effort).all()
        w.simulation.set_torques(tau)
        w.simulation.advance(w.controller.period)


def test_soles_that_feel_nothing_are_told_and_the_robot_stands(world: Callable) -> None:
    w = world("icub")
    w.run(0.3)
    drive(w, loads(0.0, 0.0), 1.5)
    assert w.events == ["contact: no load is felt under the soles"]
    assert w.controller.mode == "standing"


def test_walking_on_soles_that_feel_nothing_ends_in_an_event_not_a_crash(
    world: Callable,
) -> None:
    w = world("icub")
    w.run(0.3)
    drive(w, loads(0.0, 0.0), 2.0, walk=AHEAD)
    assert "contact: no load is felt under the soles" in w.events


def test_load_in_the_air_is_told_and_not_believed(world: Callable) -> None:
    w = world("icub")
    w.run(0.3)
    half = 0.5 * w.controller.qp.weight
    drive(w, loads(half, half), 3.0, planted=(True, False))
    assert "contact: the right sole feels load in the air" in w.events
    assert w.controller.mode != "fallen"


def test_walking_on_soles_that_always_feel_load_does_not_crash(world: Callable) -> None:
    w = world("icub")
    w.run(0.3)
    half = 0.5 * w.controller.qp.weight
    drive(w, loads(half, half), 2.0, walk=AHEAD)
    assert [event for event in w.events if "in the air" in event]


def test_a_slippery_floor_is_told(world: Callable) -> None:
    w = world("icub")
    w.simulation = Simulation(
        build_mujoco(w.controller.model.robot),
        disturbances=Disturbances(floor_friction=0.12),
    )
    w.simulation.reset(w.controller.posture)
    w.controller.reset(w.simulation.read_state())
    drive(w, lambda state: state, 4.0, walk=WalkCommand(vx=0.25))
    assert [event for event in w.events if event.endswith("foot slips")]


def test_readings_that_freeze_end_in_a_soft_fall(world: Callable) -> None:
    w = world("icub")
    w.run(0.3)
    seen = w.simulation.read_state()
    drive(
        w,
        lambda state: replace(seen, stamp=state.stamp),
        ContactParameters().frozen_after + 0.1,
    )
    assert w.controller.mode == "fallen"
    assert w.events == ["fall: the sensors' readings do not change"]


def test_a_reading_that_comes_late_is_not_frozen(world: Callable) -> None:
    w = world("icub")
    w.run(0.3)
    seen = w.simulation.read_state()
    for _ in range(100):  # the host saw nothing new: the robot's clock stands
        w.controller.step(seen, w.reference(), w.controller.period)
    assert w.controller.mode == "standing"


@pytest.mark.parametrize(
    "field",
    ["q", "dq", "imu_world_R_base", "imu_acceleration", "imu_angular_velocity"],
)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_one_reading_that_is_not_finite_ends_in_a_soft_fall(
    field: str, value: float, world: Callable
) -> None:
    w = world("icub")

    def lie(state: RobotState) -> RobotState:
        broken = np.array(getattr(state, field))
        broken.flat[0] = value
        return replace(state, **{field: broken})

    w.run(0.05)
    drive(w, lie, 0.05)
    assert w.controller.mode == "fallen"
    assert w.events == ["fall: the sensors' readings are not finite"]
