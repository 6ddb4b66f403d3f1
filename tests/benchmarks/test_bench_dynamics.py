"""`telexist bench dynamics` says what the estimate is worth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from telexist.launch_scripts.telexist import main


@pytest.mark.slow
def test_the_tables_say_what_they_should(tmp_path: Path) -> None:
    path = tmp_path / "dynamics.json"
    assert main(["bench", "dynamics", "--rounds", "10", "--json", str(path)]) == 0
    figures = json.loads(path.read_text())
    assert max(row["torques_differ_n_m"] for row in figures["base"]) < 1e-9
    honest, trusting, doubting = figures["accuracy"]
    # Believing the measurement more brings the estimate nearer to it, not to the truth.
    assert trusting["feet_vs_measured_n"] < 0.01 * honest["feet_vs_measured_n"]
    assert trusting["torques_vs_truth_n_m"] > honest["torques_vs_truth_n_m"]
    assert doubting["torques_vs_truth_n_m"] > honest["torques_vs_truth_n_m"]
    assert abs(honest["torques_inside_95_percent"] - 95.0) < 4.0
    for row in figures["load"]:
        assert abs(row["found_kg"] - row["load_kg"]) < 0.3
        assert row["deviation_over_time_kg"] < 0.9
    slower = {row["method"]: row["times_rnea"] for row in figures["time"]}
    assert slower["all with covariances"] < 20.0
