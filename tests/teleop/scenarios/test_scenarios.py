from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from telexist.launch_scripts.telexist import main
from telexist.retarget.errors import BadInput, UnknownName
from telexist.robots.drives.actuators import GRAVITY
from telexist.teleop.scenarios.figures import scenario_figures
from telexist.teleop.scenarios.options import (
    SCENARIOS,
    ScenarioOptions,
    option_help,
    scenario_options,
)
from telexist.teleop.scenarios.run_scenario import run_scenario
from telexist.teleop.scenarios.script import script_of

LIMITS = np.array([0.3, 0.1, 0.5])


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_scenario_has_a_script_that_repeats(name: str) -> None:
    options = scenario_options(name, {"seed": 5})
    first, again = (script_of(options, 300.0, limits=LIMITS) for _ in range(2))
    for time in np.linspace(0.0, options.duration, 50):
        assert first.command(time) == again.command(time)
        assert first.planted(time) == again.planted(time)
    assert len(first.pushes) == len(again.pushes)


def test_a_random_walk_has_twenty_commands_of_all_kinds() -> None:
    script = script_of(scenario_options("random-walk", {}), 300.0, limits=LIMITS)
    assert len(script.commands) == 20
    many = np.vstack(
        [
            script_of(
                scenario_options("random-walk", {"seed": seed}), 1.0, limits=LIMITS
            ).commands
            for seed in range(10)
        ]
    )
    assert (many[:, 0] < 0.0).any()  # backwards
    assert (many[:, 1] != 0.0).any()  # aside
    assert (many == 0.0).all(axis=1).any()  # stop
    assert (np.abs(many) <= LIMITS).all()


def test_every_option_says_what_it_means() -> None:
    words = option_help()
    assert words.keys() == set(ScenarioOptions.__slots__)
    assert all(text.endswith(".") for text in words.values())


def test_wrong_options_are_refused() -> None:
    with pytest.raises(UnknownName):
        scenario_options("fly", {})
    with pytest.raises(BadInput):
        scenario_options("one-foot", {"foot": "third"})
    with pytest.raises(BadInput):
        scenario_options("walk", {"duration": -1.0})


def test_the_same_seed_gives_the_same_run() -> None:
    options = scenario_options("stand", {"duration": 0.3, "arm_amplitude": 0.2})
    ends = [run_scenario(options).trace.array("q")[-1] for _ in range(2)]
    assert np.array_equal(ends[0], ends[1])


def test_the_command_writes_figures_and_plots(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures, plot = tmp_path / "f.json", tmp_path / "p.png"
    words = ["scenario", "stand", "--duration", "0.5", "--seed", "3"]
    assert main([*words, "--json", str(figures), "--plot", str(plot)]) == 0
    assert "stood" in capsys.readouterr().out
    found = json.loads(figures.read_text())
    assert found["fell"] is False
    assert found["qp_failures"] == 0
    assert found["options"]["seed"] == 3
    assert plot.stat().st_size > 10_000


def test_a_robot_without_feet_is_one_clear_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("mujoco")
    code = main(["scenario", "walk", "--robot", "baxter"])
    text = capsys.readouterr().err
    assert code == 2  # 1 would say that it fell
    assert "baxter" in text
    assert len(text.strip().splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("robot", ["icub", "g1", "talos"])
def test_the_built_in_motion_is_followed_with_its_feet_and_without_a_fall(
    robot: str,
) -> None:
    run = run_scenario(scenario_options("follow", {"robot": robot}))
    assert run.fell_at is None
    figures = scenario_figures(run)
    assert figures["recovery_steps"] == 0
    assert figures["squat_mm"] > 30.0
    assert figures["height_error_rms_mm"] < 10.0
    assert figures["one_foot_time"] > 0.4
    assert figures["free_leg_error_rms"] < 0.4


def test_following_a_clips_feet_needs_a_clip() -> None:
    with pytest.raises(BadInput, match="clip"):
        scenario_options("stand", {"foot": "clip"})


@pytest.mark.slow
def test_a_gesture_walk_gesture_scenario_keeps_the_robot_up() -> None:
    options = scenario_options("three-stages", {"duration": 18.0})
    run = run_scenario(options)
    assert run.fell_at is None
    modes = run.trace.array("mode")
    assert set(modes) == {"standing", "walking"}
    assert modes[0] == "standing"
    figures = scenario_figures(run)
    assert figures["arm_error_max_walking"] > 0.0


def test_physics_without_an_answer_is_no_survival() -> None:
    options = ScenarioOptions(
        name="push", duration=0.5, push_lateral=float("nan"), push_time=0.1
    )
    run = run_scenario(options)
    assert run.fell_at == pytest.approx(0.1, abs=0.006)
    assert "diverged" in run.fall_reason
    figures = scenario_figures(run)
    assert figures["fell"] is True
    assert figures["fall_reason"] == run.fall_reason


def test_a_push_turns_with_the_robot() -> None:
    script = script_of(scenario_options("push", {}), 300.0, limits=LIMITS)
    (push,) = script.pushes
    assert push.turns
    assert np.allclose(push.turned(np.pi / 2.0).world_f, [-60.0, 0, 0, 0, 0, 0])


@pytest.mark.slow
def test_what_it_carries_hardly_moves_arms_and_balance() -> None:
    run = run_scenario(scenario_options("carry", {"duration": 5.0}))
    figures = scenario_figures(run)
    assert not figures["fell"]
    assert figures["arm_error_max"] < 0.05
    assert figures["com_rms_mm"] < 15.0


def test_weights_hang_from_both_hands_until_the_end() -> None:
    options = scenario_options("walk", {"load": 2.0})
    left, right = script_of(options, 300.0, limits=LIMITS).pushes
    assert (left.hand, right.hand) == ("left", "right")
    for push in (left, right):
        assert push.at(3.0)[2] == pytest.approx(-2.0 * GRAVITY)
        assert push.at(options.duration)[2] == pytest.approx(-2.0 * GRAVITY)


@pytest.mark.slow
def test_the_robot_walks_where_the_operator_walked(shared_motions: Path) -> None:
    clip = shared_motions / "cmu" / "35_01.bvh"
    options = scenario_options("own-steps", {"robot": "g1", "clip": str(clip)})
    figures = scenario_figures(run_scenario(options))
    assert not figures["fell"]
    assert figures["path_asked"] > 2.0  # [m]
    assert figures["path_end_error"] < 0.15  # [m]
    assert figures["path_end_turn_error_deg"] < 10.0
    assert any("faster than the robot" in event for event in figures["events"])
    assert figures["duration"] < 60.0  # [s] and then it rests
