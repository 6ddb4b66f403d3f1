"""A robot stands up and sits down in simulation: noise, physics, torques."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from telexist.launch_scripts.telexist import main
from telexist.retarget.errors import BadInput
from telexist.teleop.scenarios.options import scenario_options
from telexist.teleop.scenarios.seat.seat_figures import reached, seat_figures
from telexist.teleop.scenarios.seat.seat_person import hands_way
from telexist.teleop.scenarios.seat.seat_run import SeatRun, run_seat
from telexist.teleop.scenarios.seat.seat_sheet import save_seat_sheet


def run(name: str = "stand-up", **given: object) -> SeatRun:
    return run_seat(scenario_options(name, {"speed": 0.0, "seed": 6} | given))


@pytest.fixture(scope="module")
def alone() -> SeatRun:
    return run(duration=7.5)


@pytest.mark.slow
def test_it_stands_up_alone_on_its_way_and_with_room_in_its_drives(
    alone: SeatRun, tmp_path: Path
) -> None:
    figures = seat_figures(alone)
    assert reached(alone)
    assert figures["com_error_max_mm"] < 10.0
    assert figures["torque_share_max_all"] < 0.8
    assert figures["qp_failures"] == 0
    assert figures["seat_load_end"] == 0.0
    words = [phase.split(": ")[1] for phase in figures["phases"]]
    assert words == ["seated", "leaning", "loading", "rising", "standing"]
    save_seat_sheet(alone, None, tmp_path / "sheet.png")
    assert (tmp_path / "sheet.png").stat().st_size > 10_000


@pytest.mark.slow
def test_help_makes_it_faster_and_easier(alone: SeatRun) -> None:
    helped = run(partner="person", pull=20.0, advance=True, duration=6.0)
    figures = seat_figures(helped, alone)
    assert reached(helped)
    assert figures["time_ratio"] < 0.7
    assert figures["effort_ratio"] < 0.5
    assert figures["torque_share_max"] < 0.8


@pytest.mark.slow
def test_without_help_advancement_changes_nothing_to_the_last_bit() -> None:
    first, other = (run(advance=on, duration=3.5) for on in (False, True))
    np.testing.assert_array_equal(first.trace.array("tau"), other.trace.array("tau"))


@pytest.mark.slow
def test_it_sits_down_gently_and_stays() -> None:
    down = run("sit-down", duration=9.0)
    assert reached(down)
    figures = seat_figures(down)
    assert figures["seat_load_end"] > 0.4
    assert figures["torque_share_max_all"] < 0.8
    load = down.trace.array("seat_load")
    assert load.max() < 1.3  # no fall onto the seat


@pytest.mark.slow
def test_a_heavier_robot_with_friction_stands_up_too() -> None:
    heavy = run(mass_scale=1.1, joint_friction=1.0, duration=7.5, noise=2.0)
    assert reached(heavy)


def test_hands_are_led_from_where_they_are_to_where_they_are_standing(
    alone: SeatRun,
) -> None:
    controller = alone.controller
    paths, duration = hands_way(controller)
    body = controller.model.robot.body
    kinematics = body.kinematics
    for pose, psi in ((controller.start, 0.0), (controller.posture, duration)):
        kinematics.update(pose)
        for hand, link in body.hands.items():
            place = kinematics.position(kinematics.frame(link))
            np.testing.assert_allclose(paths[hand](psi).x, place, atol=2e-3)
    assert not paths["left"](duration + 1.0).dx.any()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["stand-up", "--seat-height", "0.6"], "too high"),
        (["stand-up", "--partner", "ghost"], "--partner"),
        (["stand-up", "--pull", "nan"], "--pull"),
        (["stand-up", "--robot", "baxter"], "foot|feet|cannot"),
    ],
)
def test_what_cannot_be_is_one_line_and_exit_code_2(
    words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import re

    assert main(["scenario", *words]) == 2
    told = capsys.readouterr().err.strip()
    assert re.search(problem, told)
    assert len(told.splitlines()) == 1


def test_a_partner_needs_hands_to_take(alone: SeatRun) -> None:
    from dataclasses import replace as changed

    from telexist.teleop.scenarios.seat.seat_person import let_a_person_help

    controller = alone.controller
    body = changed(controller.model.robot.body, hands={})
    whole, controller.model.robot = (
        controller.model.robot,
        changed(controller.model.robot, body=body),
    )
    try:
        with pytest.raises(BadInput, match="no two hands"):
            let_a_person_help(None, controller, alone.options)  # type: ignore[arg-type]
    finally:
        controller.model.robot = whole


@pytest.mark.slow
def test_figures_are_written_and_the_exit_code_tells_what_came_of_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "up.json"
    words = ["stand-up", "--duration", "1.5", "--json", str(path)]
    assert main(["scenario", *words]) == 1  # too short a time
    figures = json.loads(path.read_text())
    assert not figures["fell"]
    assert not figures["reached"]
    assert figures["ending"] == "STAYED SEATED"
