"""Figures say what their names say, on runs whose answer is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.so3 import exp_so3
from telexist.teleop.scenarios.balance_figures import balance_figures, true_dcm
from telexist.teleop.scenarios.figure_words import FIGURES, figure_manual
from telexist.teleop.scenarios.figures import scenario_figures
from telexist.teleop.scenarios.options import scenario_options
from telexist.teleop.scenarios.run_scenario import ScenarioRun, run_scenario
from telexist.teleop.scenarios.script import script_of
from telexist.teleop.scenarios.trace import Trace


@pytest.fixture(scope="module")
def stood() -> ScenarioRun:
    return run_scenario(scenario_options("stand", {"duration": 2.5}))


def with_columns(run: ScenarioRun, **columns: np.ndarray) -> ScenarioRun:
    rows = run.trace.rows | {name: list(rows) for name, rows in columns.items()}
    return replace(run, trace=Trace(rows, run.trace.events))


def test_every_figure_has_its_words_and_the_manual_has_them_all(
    stood: ScenarioRun,
) -> None:
    assert scenario_figures(stood).keys() <= FIGURES.keys()
    assert all(name in figure_manual() for name in FIGURES)


def test_steps_of_every_start_count(stood: ScenarioRun) -> None:
    steps = np.zeros(len(stood.trace.array("time")), dtype=int)
    steps[10:40], steps[40:60] = 3, 5
    steps[100:120], steps[120:] = 1, 2  # started again
    assert scenario_figures(with_columns(stood, steps=steps))["steps"] == 7


def test_the_centre_of_mass_is_measured_from_the_middle_of_the_support(
    stood: ScenarioRun,
) -> None:
    com = np.array(stood.trace.array("com_true"))
    com[:, :2] = stood.trace.array("soles_true")[:, :, :2].mean(axis=1) + [3e-3, 4e-3]
    found = balance_figures(with_columns(stood, com_true=com))
    assert found["com_rms_mm"] == pytest.approx(5.0)
    assert found["com_offset_mm"] == pytest.approx(5.0)
    assert found["com_sway_mm"] == pytest.approx(0.0, abs=1e-9)


def test_the_true_dcm_does_not_care_where_the_controllers_world_has_drifted_to(
    stood: ScenarioRun,
) -> None:
    before, trace = true_dcm(stood), stood.trace
    R, p = exp_so3(np.array([0.0, 0.0, 0.3])), np.array([2.0, -1.0, 0.0])
    soles = trace.array("soles") @ R.T + p
    turned = with_columns(
        stood, soles=soles, base_R_estimated=R @ trace.array("base_R_estimated")
    )
    assert np.allclose(true_dcm(turned), before @ R[:2, :2].T + p[:2], atol=1e-9)


def test_the_true_dcm_of_a_robot_that_stands_is_near_the_estimated(
    stood: ScenarioRun,
) -> None:
    error = np.linalg.norm(true_dcm(stood) - stood.trace.array("dcm"), axis=1)
    assert np.median(error) < 5e-3  # [m] noise and constant errors of the sensors


def test_an_arc_that_turns_too_little_is_a_wrong_speed(stood: ScenarioRun) -> None:
    given = {"speed": 0.3, "yaw_rate": 0.2, "duration": 12.0}
    options = scenario_options("walk", given)
    script = script_of(options, 1.0, limits=np.ones(3))
    time = np.arange(0.0, 12.0, 1.0 / options.control_rate)
    yaw, v = 0.1 * time, 0.3  # half of the turn, all of the speed
    base = np.stack(
        [v / 0.1 * np.sin(yaw), v / 0.1 * (1.0 - np.cos(yaw)), 0.6 + 0.0 * yaw], axis=1
    )
    start = stood.controller.posture.world_R_base
    base_R = np.array([exp_so3(np.array([0.0, 0.0, a])) @ start for a in yaw])
    count = len(time)
    columns = {
        name: np.repeat(stood.trace.array(name)[-1:], count, axis=0)
        for name in stood.trace.rows
    } | {"time": time, "base": base, "base_R": base_R}
    run = replace(stood, options=options, script=script)
    found = scenario_figures(with_columns(run, **columns))
    assert found["ahead_speed_error"] == pytest.approx(0.0, abs=1e-3)
    assert found["yaw_rate_error"] == pytest.approx(0.5, abs=1e-3)
    assert found["speed_error"] == found["yaw_rate_error"]
    assert found.keys() <= FIGURES.keys()


def test_arm_errors_are_told_apart_by_what_the_robot_does(stood: ScenarioRun) -> None:
    trace = stood.trace
    mode = np.array(trace.array("mode"), dtype=object)
    mode[200:300] = "walking"
    q = np.array(trace.array("q_wanted"))
    q[200:300] += 0.2
    found = scenario_figures(with_columns(stood, mode=mode, q=q))
    assert found["arm_error_max_walking"] == pytest.approx(0.2)
    assert found["upper_error_rms_walking"] == pytest.approx(0.2)
    assert found["arm_error_max_standing"] == pytest.approx(0.0)
    assert found["arm_error_max"] == pytest.approx(0.2)
