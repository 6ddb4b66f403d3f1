from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import BadConfig
from telexist.robots.description.robot_model import RobotModel
from telexist.teleop.controllers.base.table import make_controller
from telexist.teleop.session.file import load_session_file
from telexist.teleop.settings.settings import SessionSettings, load_settings
from telexist.teleop.settings.settings_text import settings_from_text, settings_text
from telexist.teleop.terms.walk_command import WalkCommand

CONFIGS = Path(__file__).parents[4] / "launch_scripts" / "configs"


def settings_of(text: str, folder: Path) -> SessionSettings:
    path = folder / "settings.toml"
    path.write_text(text)
    return load_settings(path)


@pytest.fixture
def waving_error(
    robot_of: Callable[[str], RobotModel], world: Callable, tmp_path: Path
) -> Callable[[str, WalkCommand], float]:
    """Return how far arms that wave are off, rms, as settings and command say."""

    def error(text: str, walk: WalkCommand) -> float:
        w = world("icub")
        posture = settings_of(text, tmp_path).posture
        w.controller = make_controller("walk", robot_of("icub"), posture)
        w.controller.reset(w.simulation.read_state())
        arms = np.array([g == "arms" for g in w.controller.model.actuators.groups])
        body = robot_of("icub").body
        rest, rate = w.controller.posture.q, 2.0 * np.pi
        room = np.minimum(body.upper - rest, rest - body.lower)
        angle = arms * np.clip(room - 0.02, 0.0, 0.4)  # within the joints' limits
        errors = []
        w.run(1.5, walk=walk)
        for _ in range(200):
            phase = rate * w.simulation.time
            q = rest + angle * np.sin(phase)
            motion = {"dq": angle * rate * np.cos(phase), "ddq": rate**2 * (rest - q)}
            w.run(w.controller.period, q=q, walk=walk, **motion)
            errors.append((w.simulation.true_state().q - q)[arms])
        assert w.controller.mode == ("standing" if walk == WalkCommand() else "walking")
        return float(np.sqrt(np.mean(np.square(errors))))

    return error


@pytest.mark.parametrize(
    ("mode", "walk"), [("standing", WalkCommand()), ("walking", WalkCommand(vx=0.15))]
)
def test_arms_of_less_weight_follow_less(
    mode: str, walk: WalkCommand, waving_error: Callable[[str, WalkCommand], float]
) -> None:
    usual = waving_error("", walk)
    loose = waving_error(f"[posture.{mode}]\narms = 0.01", walk)
    assert loose > 2.0 * usual


def test_weights_of_zero_leave_a_robot_that_stands(
    robot_of: Callable[[str], RobotModel], world: Callable, tmp_path: Path
) -> None:
    groups = "\n".join(f"{g} = 0" for g in ("legs", "torso", "arms", "head", "other"))
    posture = settings_of(f"[posture.standing]\n{groups}", tmp_path).posture
    w = world("icub")
    w.controller = make_controller("balance", robot_of("icub"), posture)
    w.controller.reset(w.simulation.read_state())
    w.run(1.0)
    assert w.controller.mode == "standing"
    assert w.controller.qp.failures == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[posture.walking]\nwings = 1.0", "posture.walking.wings.*arms, head, legs"),
        ("[posture]\nsoftness = 1.0", "posture.softness.*stiffness"),
        ("[posture.standing]\narms = -1.0", r"posture\.standing\.arms.*0 to 100"),
        ("[posture.walking]\nhead = inf", r"posture\.walking\.head = inf"),
        ("[posture]\nstiffness = 0.0", "posture.stiffness = 0"),
        ("[posture]\nblend_time = 0.0", "posture.blend_time = 0"),
        ("[posture.walking]\narms = 'firm'", "posture.walking.arms"),
    ],
)
def test_wrong_weights_are_refused_with_what_is_allowed(
    text: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(BadConfig, match=said):
        settings_of(text, tmp_path)


def test_a_group_that_is_not_named_keeps_its_own_default(tmp_path: Path) -> None:
    posture = settings_of("[posture.walking]\nhead = 0.2", tmp_path).posture
    assert posture.walking.of("arms") == 1.5
    assert posture.standing.of("head") == 3.0


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.toml")), ids=lambda p: p.name)
def test_shipped_settings_are_read_and_kept_with_a_recording(path: Path) -> None:
    settings = load_session_file(path).settings
    assert settings_from_text(settings_text(settings)) == settings
