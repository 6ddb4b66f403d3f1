"""A motion that can be played is played; one that cannot ends with its reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from telexist.launch_scripts.telexist import main
from telexist.retarget.errors import BadInput
from telexist.retarget.results import load_motion, save_motion
from telexist.retarget.signals import RobotMotion
from telexist.robots.description.robot_model import RobotModel
from telexist.teleop.motion_check import (
    check_figure_manual,
    check_figures,
    check_line,
    check_motion,
    save_check_plot,
)
from telexist.teleop.motion_check.check_figures import CHECK_FIGURES
from telexist.teleop.motion_check.fall_causes import fall_causes
from telexist.teleop.scenarios import Trace

Maker = Callable[..., RobotMotion]
WAVE = {"l_shoulder_roll": 0.8, "r_elbow": 0.5}
LIFT = {"l_hip_pitch": 0.7, "l_knee": -1.0, "l_ankle_pitch": 0.3}


def test_a_waving_robot_stands_and_follows(icub: RobotModel, motion_of: Maker) -> None:
    check = check_motion(icub, motion_of(1.5, WAVE))
    figures = check_figures(check)
    assert check.passed
    assert figures["joint_error_mean_deg"] < 1.5
    assert figures["zmp_inside_share"] == 1.0
    assert figures["effort_share_max"] <= 1.0
    assert figures["slide_p95_mm_s"] < 5.0
    assert "plays it on its feet" in check_line(check)


@pytest.mark.slow
def test_a_foot_lifted_without_leaning_falls_for_the_zmp(
    icub: RobotModel, motion_of: Maker, tmp_path: Path
) -> None:
    check = check_motion(icub, motion_of(4.0, LIFT, left_planted=False))
    assert not check.passed
    assert check.ended_at is not None
    assert 0.4 < check.ended_at < 4.0
    assert "ZMP is outside its soles" in check.causes[0]
    figures = check_figures(check)
    # half the distance of iCub's soles, less half a sole
    assert 15.0 < figures["zmp_outside_max_mm"] < 120.0
    assert figures["fell_at"] == check.ended_at
    save_check_plot(check, tmp_path / "fall.png")
    assert (tmp_path / "fall.png").stat().st_size > 10_000


def test_a_gantry_needs_no_balance_but_drives(
    icub: RobotModel, motion_of: Maker
) -> None:
    lifted = motion_of(1.5, LIFT, left_planted=False)
    assert check_motion(icub, lifted, gantry=True).passed
    thrown = motion_of(1.0, {})
    q = thrown.joint_positions.copy()
    swing = 0.8 * np.sin(2.0 * np.pi * 5.0 * thrown.time)  # beyond any leg's drive
    q[:, icub.body.kinematics.index("r_hip_pitch")] += swing
    check = check_motion(icub, replace(thrown, joint_positions=q), gantry=True)
    assert not check.passed
    assert "r_hip_pitch" in check.reason
    assert "loses it on a gantry" in check_line(check)


def test_every_figure_has_its_words(icub: RobotModel, motion_of: Maker) -> None:
    for gantry in (False, True):
        check = check_motion(icub, motion_of(0.5, {}), gantry=gantry)
        assert check_figures(check).keys() <= CHECK_FIGURES.keys()
    assert all(name in check_figure_manual() for name in CHECK_FIGURES)


def test_a_motion_of_another_robot_is_refused(
    icub: RobotModel, motion_of: Maker
) -> None:
    motion = motion_of(0.5, {})
    names = ("stranger", *motion.joint_names[1:])
    with pytest.raises(BadInput, match="a motion of other, which has no"):
        check_motion(icub, replace(motion, robot="other", joint_names=names))


def test_causes_name_drives_flight_and_slides() -> None:
    trace = Trace()
    for k in range(100):
        trace.append(
            time=0.01 * k,
            zmp_outside=np.nan,
            carries=np.array([k < 90, False]),
            tau=np.array([0.1, 10.0 if k > 50 else 0.0]),
            load=np.array([0.5, 0.0]),
            sole_speed=np.array([0.3 if k > 80 else 0.0, 0.0]),
        )
    found = fall_causes(trace, ("hip", "knee"), np.array([10.0, 10.0]))
    assert found[0] == "no sole stands for 0.10 s"
    assert found[1] == "knee is at its greatest torque for 0.49 s"
    assert found[2].startswith("a loaded sole slides for 0.19 s")
    assert fall_causes(Trace(), (), np.zeros(0)) == (
        "it begins in a posture that falls",
    )


@pytest.mark.slow
def test_the_command_says_so_with_its_exit_code(
    motion_of: Maker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_motion(tmp_path, "good", motion_of(0.6, {}), ("npz",))
    save_motion(tmp_path, "bad", motion_of(4.0, LIFT, left_planted=False), ("npz",))
    good, bad = str(tmp_path / "good.npz"), str(tmp_path / "bad.npz")
    assert load_motion(tmp_path / "good.npz").robot == "icub"
    out = tmp_path / "checks.json"
    assert main(["check-motion", good]) == 0
    assert main(["check-motion", good, bad, "--json", str(out)]) == 1
    assert "falls on its feet" in capsys.readouterr().out
    assert '"fell_at": null' in out.read_text()


def test_what_cannot_be_checked_starts_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], motion_of: Maker
) -> None:
    broken = tmp_path / "broken.npz"
    broken.write_bytes(b"PK\x03\x04 and no more")
    save_motion(tmp_path, "one", motion_of(0.5, {}), ("npz",))
    one = str(tmp_path / "one.npz")
    assert main(["check-motion", str(broken)]) == 2
    assert main(["check-motion", str(tmp_path / "none.npz")]) == 2
    assert main(["check-motion", one, "--robot", "nobody"]) == 2
    assert main(["check-motion", one, "--plot", str(tmp_path / "a.txt")]) == 2
    assert main(["check-motion", one, one, "--plot", str(tmp_path / "a.png")]) == 2
    assert main(["check-motion", one, "--robot", "baxter"]) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert sum(line.startswith("telexist: error") for line in lines) == 6
    assert "broken.npz" in lines[0]
