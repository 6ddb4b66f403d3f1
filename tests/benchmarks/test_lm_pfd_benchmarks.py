"""The benchmarks of LM-PFD on small sizes: what they compare is the same problem."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from telexist.benchmarks.engine import musculoskeletal
from telexist.benchmarks.engine.jump_motion import (
    DURATION,
    LANDING,
    TAKE_OFF,
    make_jump,
)
from telexist.benchmarks.papers import growth, table1
from telexist.benchmarks.papers.spherical_chains import TASKS, make_task
from telexist.benchmarks.tables.in_turn import log_log_exponent, time_in_turn
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.human.musculoskeletal.generator import musculoskeleton
from telexist.retarget.lm_pfd.settings import LmSettings
from telexist.retarget.lm_pfd.solver import solve_pose


@pytest.mark.parametrize("dofs", [12, 60])
@pytest.mark.parametrize("task", TASKS)
def test_targets_of_the_chains_can_all_be_met(dofs: int, task: str) -> None:
    made = make_task(dofs, task, 0)
    settings = LmSettings(cost=1e-14)
    solution = solve_pose(made.model, list(made.targets), made.start, settings)
    assert solution.cost < 1e-13


def test_all_methods_reach_the_cost_of_the_letter() -> None:
    rows = table1.compare(12, "every link", 2)
    assert [row.method for row in rows] == list(table1.METHODS)
    assert all(row.cost <= table1.COST for row in rows)
    lm, pfd = (r for r in rows if r.method in ("LM", "LM-PFD (ABA)"))
    assert lm.iterations == pfd.iterations


def test_growth_writes_its_numbers(tmp_path: Path) -> None:
    path = tmp_path / "growth.json"
    growth.main(["--dofs", "12", "30", "--rounds", "3", "--json", str(path)])
    found = json.loads(path.read_text(encoding="utf-8"))
    names = {"LM-PFD (ABA)", "LM-PFD (AVD)", "LM", "recursive step"}
    assert set(found["exponents"]) == names
    assert {size["dofs"] for size in found["sizes"]} == {12, 30}


def test_exponent_of_a_power_law_is_found() -> None:
    sizes = [10.0, 100.0, 1000.0]
    assert log_log_exponent(sizes, [3.0 * n**1.5 for n in sizes]) == pytest.approx(1.5)


def test_methods_take_turns() -> None:
    calls: list[tuple[str, int]] = []
    methods = {name: lambda k, name=name: calls.append((name, k)) for name in "ab"}
    times = time_in_turn(methods, 3, fewer={"b": 1})
    assert calls == [("a", 0), ("b", 0), ("a", 1), ("a", 2)]
    assert len(times.seconds["a"]) == 3
    assert len(times.cpu_seconds["b"]) == 1


def test_jumper_flies_freely() -> None:
    """Between take-off and landing the pelvis has the acceleration of gravity."""
    jump = make_jump(adult_size(), 1000.0)
    hips = [i for i, name in enumerate(jump.markers) if "Hip" in name]
    height = np.mean(jump.positions[:, hips, 2], axis=1)
    flies = (jump.time > TAKE_OFF + 0.02) & (jump.time < LANDING - 0.02)
    fit = np.polyfit(jump.time[flies], height[flies], 2)
    assert 2.0 * fit[0] == pytest.approx(-9.81, rel=0.15)
    assert jump.time[-1] < DURATION


def test_jump_is_followed_within_3_mm() -> None:
    size = adult_size()
    found = musculoskeletal.follow(musculoskeleton(size), make_jump(size, 50.0))
    errors = {row.method: row.largest_mm for row in found}
    assert errors["LM-PFD (AVD)"] < musculoskeletal.ALLOWED_MM
    assert errors["LM-PFD (AVD)"] < min(errors["QN"], errors["CG"])
