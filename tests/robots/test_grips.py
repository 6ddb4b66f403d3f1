"""What a `robot.toml` may say of hands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from retarget.errors import BadConfig, ModelNotFound
from robots.body import Robot, load_robot
from robots.check import check_robot
from robots.grips import Grips
from robots.interface import HandCommand
from robots.library import load_spec


def variant(folder: Path, text: str) -> Path:
    path = folder / "robot.toml"
    path.write_text(f'name = "mine"\nextends = "talos"\n{text}')
    return path


def talos() -> Robot:
    try:
        return load_robot("talos")
    except ModelNotFound:
        pytest.skip("the model of talos is not on this machine")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[grips.middle]\ngripper_left_joint = [0.0, 1.0]", "grips.middle"),
        ("[grips.left]\narm_left_1_joint = [0.0, 1.0]", "locked"),
        ("[grips.left]\ngripper_left_joint = [0.0]", "expected 2 values"),
        ("[grips.left]\ngripper_left_joint = [0.0, inf]", "finite"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, place: str) -> None:
    with pytest.raises(BadConfig, match=place):
        load_spec(variant(tmp_path, text))


def test_a_finger_that_the_model_lacks_is_named(tmp_path: Path) -> None:
    talos()
    locked = '"gripper_left_joint", "gripper_right_joint", "no_joint"'
    text = f"locked = [{locked}]\n[grips.left]\nno_joint = [0.0, 0.1]"
    with pytest.raises(BadConfig, match="no_joint"):
        load_robot(variant(tmp_path, text))


def test_check_finds_fingers_outside_their_limits(tmp_path: Path) -> None:
    talos()
    report = check_robot(
        variant(tmp_path, "[grips.left]\ngripper_left_joint = [0.5, -0.9]")
    )
    assert any(f.level == "error" and f.subject == "grips" for f in report.findings)


def test_fingers_stay_between_open_and_closed() -> None:
    grips = Grips(talos())
    grips.want(HandCommand(left=7.0, right=-1.0))
    for _ in range(300):
        fingers = grips.step(0.01)
    assert fingers == pytest.approx([-0.9, 0.0])
    grips.want(HandCommand(left=float("nan"), right=0.5))
    for _ in range(300):
        fingers = grips.step(0.01)
    assert fingers == pytest.approx([-0.9, -0.45])


def test_a_robot_without_hands_has_no_fingers() -> None:
    grips = Grips(load_robot("human48"))
    grips.want(HandCommand(left=1.0))
    assert grips.joints == ()
    assert np.shape(grips.step(0.01)) == (0,)
