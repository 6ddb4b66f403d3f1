"""Random starts reach reachable targets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from telexist.benchmarks.engine.robust import main, run_starts
from telexist.robots.description.robot_model import load_body


def test_a_few_starts_converge_and_are_written_down(tmp_path: Path) -> None:
    file = tmp_path / "robust.json"
    assert main(["--robot", "g1,icub", "--starts", "8", "--json", str(file)]) == 0
    found = json.loads(file.read_text())
    assert found["g1"]["starts"] == 4
    assert found["icub"]["converged"] == 1.0
    assert found["g1"]["beyond"] == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["g1", "icub", "human66", "talos"])
def test_all_of_two_hundred_starts_converge(name: str) -> None:
    outcome = run_starts(load_body(name), 200, seed=1)
    assert outcome.converged >= 0.999
    assert outcome.beyond == 0.0
