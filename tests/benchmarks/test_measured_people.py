"""The bench measures people as the tests of the estimate do."""

from __future__ import annotations

from pathlib import Path

import pytest
from telexist.benchmarks.dynamics.measured_people import measured_people
from telexist.launch_scripts.telexist import main


@pytest.mark.slow
def test_measured_people_are_within_what_is_stated(
    shared_motions: Path, tmp_path: Path
) -> None:
    (tmp_path / "opensim_core").symlink_to(shared_motions / "opensim_core")
    opencap = tmp_path / "nimblephysics/opencap_subject4"
    opencap.mkdir(parents=True)
    for name in ("static1.trc", "static1_grf.mot"):
        there = shared_motions / "nimblephysics/opencap_subject4" / name
        (opencap / name).symlink_to(there)
    tables = measured_people(tmp_path)
    rmse = {row["joint"]: row["rmse"] for row in tables["moments"]}
    assert rmse["hip flexion"] < 8.0 and rmse["knee flexion"] < 6.5
    assert rmse["ankle dorsiflexion"] < 8.5
    live = {row["lag_ms"]: row for row in tables["live"]}
    assert live[60.0]["hip flexion rmse"] < 12.5
    assert live[60.0]["knee flexion rmse"] < 7.5
    assert live[60.0]["ankle dorsiflexion rmse"] < 8.5
    assert live[20.0]["hip flexion rmse"] > live[80.0]["hip flexion rmse"]
    for row in tables["no sensor"]:
        assert row["vertical_rmse_percent_weight"] < 5.0 and row["r"] > 0.99
        assert row["inside_95_percent"] > 90.0 and row["stated_over_found"] < 2.0
        assert row["least_n"] > -1.0 and row["contact_right_percent"] > 95.0
    (empty,) = tables["load"]
    assert abs(empty["found"]) < 0.3  # [kg] standing still with nothing in the hands


def test_a_folder_that_is_none_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "dynamics", "--recordings", "/nowhere"]) == 2
    assert "no folder" in capsys.readouterr().err
