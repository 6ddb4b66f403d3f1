"""A robot walks on where it used to fall; its joints stay inside their limits."""

from __future__ import annotations

from typing import Any

import pytest
from telexist.teleop.scenarios.options import scenario_options
from telexist.teleop.scenarios.run_scenario import run_scenario


@pytest.mark.slow
@pytest.mark.parametrize(
    "edge", [{"torque_delay": 0.02}, {"foot_lost": 1.0}, {"stall": 0.3}]
)
def test_icub_walks_on(edge: dict[str, Any]) -> None:
    given = {"robot": "icub", "seed": 702, "duration": 6.0, "speed": 0.23, **edge}
    run = run_scenario(scenario_options("walk", given))
    assert run.fell_at is None, run.fall_reason
    assert run.past_limit < 5e-3  # [rad] a foot that lands badly meets the soft stops
