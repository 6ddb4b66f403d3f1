"""A scenario goes on after a fall until the robot lies, softly."""

from __future__ import annotations

import numpy as np
import pytest
from telexist.robots.mujoco.simulation import Simulation
from telexist.teleop.scenarios.figure_words import FIGURES
from telexist.teleop.scenarios.figures import scenario_figures
from telexist.teleop.scenarios.options import scenario_options
from telexist.teleop.scenarios.run_scenario import run_scenario
from telexist.teleop.scenarios.safe_fall import FALL_TIME


def test_a_fall_is_followed_until_the_robot_lies() -> None:
    given = {"push_lateral": 2.0, "push_time": 0.3, "duration": 5.0, "robot": "g1"}
    seen: list[float] = []

    def look(simulation: Simulation, time: float) -> None:
        seen.append(time)

    run = run_scenario(scenario_options("push", given), on_step=look)
    assert run.fell_at is not None
    assert run.fall_reason
    time = run.trace.array("time")
    assert time[-1] < run.fell_at  # the figures of the run end with it
    assert seen[-1] == pytest.approx(run.fell_at + FALL_TIME, abs=0.011)
    assert run.fall.array("time")[0] == pytest.approx(run.fell_at)
    figures = scenario_figures(run)
    assert figures.keys() <= FIGURES.keys()
    assert figures["fell_at"] == run.fell_at
    assert figures["duration"] == pytest.approx(run.fell_at)
    assert figures["fall_torque_share_max"] <= 1.0
    assert figures["fall_energy_end"] < 0.05 * figures["fall_energy_max"]
    height = run.fall.array("com_true")[:, 2]
    assert 0.0 < height[-1] < height[0]
    assert np.isfinite(figures["fall_joint_speed_max"])


def test_a_robot_that_stands_has_no_figures_of_a_fall() -> None:
    run = run_scenario(scenario_options("stand", {"duration": 0.2}))
    assert not any(name.startswith("fall_joint") for name in scenario_figures(run))
