"""Files of a scenario: checked before the run, and a video without a screen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from telexist.launch_scripts.telexist import main
from telexist.retarget.errors import BadInput, MissingDependency
from telexist.robots.mujoco.simulation import Simulation
from telexist.teleop import clock
from telexist.teleop.scenarios.options import scenario_options
from telexist.teleop.scenarios.output_files import prepare_outputs
from telexist.teleop.scenarios.run_scenario import run_scenario
from telexist.teleop.scenarios.video import SIZE, Video


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("video", "x.mp4"),
        ("plot", "x.xyz"),
        ("json", "file/x"),
        ("video", "file/x.gif"),
    ],
)
def test_a_name_that_cannot_be_written_is_refused_before_the_run(
    kind: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("no folder")
    words = ["scenario", "stand", f"--{kind}", str(tmp_path / name)]
    assert main(words) == 2  # a run of 60 s would take longer than this test
    text = capsys.readouterr().err.strip()
    assert len(text.splitlines()) == 1
    assert f"--{kind}" in text


def test_missing_folders_are_made(tmp_path: Path) -> None:
    prepare_outputs({"plot": tmp_path / "a" / "b" / "p.png", "video": None})
    assert (tmp_path / "a" / "b").is_dir()
    with pytest.raises(BadInput, match="cannot be written"):
        (tmp_path / "d.gif").mkdir()
        prepare_outputs({"video": tmp_path / "d.gif"})


def test_looking_at_the_steps_does_not_count_as_computing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0  # [s] of a clock that goes on only while somebody looks

    def look(simulation: Simulation, time: float) -> None:
        nonlocal now
        now += 8.0

    monkeypatch.setattr(clock, "now", lambda: now)

    run = run_scenario(scenario_options("stand", {"duration": 0.1}), on_step=look)
    steps = len(run.trace.array("time"))
    assert steps == 20
    assert now == 8.0 * steps
    assert run.wall == 0.0


@pytest.mark.slow
def test_a_video_needs_no_screen_and_shows_the_floor_pass_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PIL import Image

    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    video, path = Video(), tmp_path / "v.gif"
    try:
        run_scenario(
            scenario_options("stand", {"duration": 0.4}), on_step=video.on_step
        )
    except MissingDependency as error:
        pytest.skip(f"no graphics here: {error}")
    finally:
        video.close()
    video.save(path)
    with Image.open(path) as film:
        assert film.size == SIZE
        assert getattr(film, "n_frames", 1) >= 2
        floor = np.asarray(film.convert("L"), dtype=float)[-40:]
    assert floor.std() > 2.0  # tiles
