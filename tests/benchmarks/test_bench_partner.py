"""`telexist bench partner` shows what the laws do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from telexist.launch_scripts.telexist import main


@pytest.mark.slow
def test_the_corrected_laws_do_what_the_thesis_shows(
    tmp_path: Path, shared_data: Path
) -> None:
    path = tmp_path / "partner.json"
    words = ["--states", "5", "--json", str(path)]
    words += ["--models", str(shared_data / "robots")]
    assert main(["bench", "partner", *words]) == 0
    figures = json.loads(path.read_text())
    ahead = {
        row["force"]: row["psi_ahead_s"]
        for row in figures["9.5"]
        if row["law"] == "advance"
    }
    assert ahead["a"] > ahead["b"] > 0.1
    assert ahead["a"] > ahead["c"] > 0.1
    assert all(abs(ahead[name]) < 0.01 for name in "def")
    corrected, printed = figures["9.7"]
    assert abs(corrected["psi_ahead_alone_s"]) < 0.05 < printed["psi_ahead_alone_s"]
    assert corrected["psi_ahead_with_s"] > 0.5
    assert abs(corrected["psi_ahead_against_s"]) < 0.3
    for name in ("9.10", "9.13"):
        times = [r["time_s"] for r in figures[name] if r["law"] == "corrected"]
        assert times == sorted(times, reverse=True)
        assert times[0] == pytest.approx(5.0, abs=0.05)
    for row in figures["8"]:
        assert row["corrected"] < 1e-6 < row["printed_median"]
