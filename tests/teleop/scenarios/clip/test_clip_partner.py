"""Somebody who pulls a robot's hands along its motion, and how much earlier it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics import BodyState, DynamicsModel
from telexist.robots.mujoco import NO_NOISE, Simulation, build_mujoco
from telexist.teleop.scenarios import run_scenario, scenario_figures, scenario_options
from telexist.teleop.scenarios.clip import ClipPartner

STEP = 1e-6  # [s] of a finite difference


def moving(model: DynamicsModel, dq: np.ndarray, time: float) -> BodyState:
    neutral = model.robot.body.neutral
    return BodyState(
        world_p_base=neutral.world_p_base,
        world_R_base=neutral.world_R_base,
        q=neutral.q + time * dq,
        world_v_base=np.zeros(3),
        world_w_base=np.zeros(3),
        dq=dq,
    )


def test_hands_are_pulled_along_the_way_that_they_go(
    robot_of: Callable[[str], RobotModel],
) -> None:
    model = DynamicsModel(robot_of("icub"))
    dq = np.random.default_rng(2).normal(size=model.n)
    partner = ClipPartner(model, -12.0, advances=True)
    places = []
    for time in (STEP, 0.0):
        model.update(moving(model, dq, time))
        hands = model.robot.body.hands
        places.append(
            [model.position(model.frame(hands[s])) for s in ("left", "right")]
        )
    partner.plan(dq)
    ways = (np.array(places[0]) - np.array(places[1])) / STEP
    pulls = partner.pulls(4.0, 0.005)
    assert [pull.hand for pull in pulls] == ["left", "right"]
    for pull, way in zip(pulls, ways, strict=True):
        expected = -12.0 * way / np.linalg.norm(way)
        np.testing.assert_allclose(pull.world_f[:3], expected, atol=1e-4)
    assert not partner.pulls(1.0, 0.005)
    model.update(moving(model, 0.0 * dq, 0.0))
    partner.plan(0.0 * dq)
    assert not any(pull.world_f.any() for pull in partner.pulls(4.0, 0.005))


def test_a_robot_that_feels_nothing_keeps_its_time(
    robot_of: Callable[[str], RobotModel],
) -> None:
    robot = robot_of("icub")
    partner = ClipPartner(DynamicsModel(robot), 10.0, advances=True)
    state = Simulation(build_mujoco(robot), noise=NO_NOISE).read_state()
    assert partner.feel(replace(state, hand_wrenches=None), 0.005) == 0.0


@cache
def followed(force: float, advance: bool) -> dict[str, float]:
    given = {"duration": 7.0, "force": force, "advance": advance}
    return scenario_figures(run_scenario(scenario_options("follow", given)))


@pytest.mark.slow
def test_help_makes_a_clip_go_ahead_and_nothing_else_does(
    robot_of: Callable[[str], RobotModel],
) -> None:
    robot_of("icub")
    helped, held = followed(15.0, True), followed(-15.0, True)
    assert not helped["fell"]
    assert helped["psi_ahead"] > 0.3
    assert helped["rate_max"] <= 2.0
    assert held["psi_ahead"] < 0.01 * 7.0
    nobody = followed(0.0, True)
    assert nobody["psi_ahead"] == 0.0
    assert nobody["arm_error_max"] == followed(0.0, False)["arm_error_max"]
