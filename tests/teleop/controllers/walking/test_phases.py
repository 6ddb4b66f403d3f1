"""Walking and standing as phases: in which order they come, whatever the robot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics.dynamics_model import DynamicsModel
from telexist.teleop.controllers.geometry.leg_reach import LegReach
from telexist.teleop.controllers.operator.free_foot import SoleGoal
from telexist.teleop.controllers.parameters.parameters import control_parameters
from telexist.teleop.controllers.standing.stand_phase import OperatorFeet
from telexist.teleop.controllers.standing.standing import Standing
from telexist.teleop.controllers.walking.walking import Walking
from telexist.teleop.terms.walk_command import WalkCommand

DT = 0.005  # [s]
BOTH, LEFT_ONLY = (True, True), (True, False)


def names_of(seen: list[Any]) -> list[str]:
    """Return the names of phases, each once per visit."""
    names = [type(phase).__name__ for phase in seen]
    return [n for i, n in enumerate(names) if i == 0 or seen[i] is not seen[i - 1]]


@pytest.fixture
def parts(robot_of: Callable[[str], RobotModel]) -> tuple[Any, Any, Any]:
    robot = robot_of("g1")
    standing = control_parameters(DynamicsModel(robot))
    soles = robot.body.soles["left"], robot.body.soles["right"]
    reach = LegReach(robot.body, standing.posture, standing.parameters.com_height)
    return standing.parameters, soles, reach


def pendulum_walk(walking: Walking, measured: Any, command: WalkCommand) -> list[Any]:
    """Let a pendulum with massless legs do what is asked, for 3 s; then stop it."""
    seen, now, omega = [], measured, walking._state.parameters.omega
    for i in range(2000):
        intent = walking.step(now, command if i < 600 else WalkCommand(), DT)
        seen.append(walking.phase)
        if walking.finished:
            return seen
        dcm = intent.zmp + np.exp(omega * DT) * (now.dcm - intent.zmp)
        sole_p, load = now.sole_p.copy(), np.array([0.5, 0.5])
        for foot, task in enumerate(intent.feet):
            if task.load == 0.0:
                swing = walking.phase.swing  # type: ignore[union-attr]
                sole_p[foot] = swing.world_p_sole
                load = np.array([float(foot == 1), float(foot == 0)])
                if swing.phase >= 1.0:
                    load[foot], sole_p[foot, 2] = 0.2, 0.0
        com = np.array([*dcm, now.com[2]])
        now = replace(now, com=com, dcm=dcm, sole_p=sole_p, load=load)
    raise AssertionError(f"walks on: {names_of(seen)[-4:]}")


def test_a_walk_goes_through_its_phases_in_order_and_rests(
    parts: tuple[Any, Any, Any], measured: Callable
) -> None:
    p, soles, _ = parts
    half = 0.5 * p.stance_spacing
    start = measured(
        com=np.array([0.0, 0.0, p.com_height]),
        dcm=np.zeros(2),
        sole_p=np.array([[0.0, half, 0.0], [0.0, -half, 0.0]]),
        load=np.array([0.5, 0.5]),
    )
    walking = Walking(p, soles)
    with pytest.raises(RuntimeError, match="has not begun"):
        walking.step(start, WalkCommand(), DT)
    walking.start(start, WalkCommand(vx=0.2), yaw=0.0, held=start.dcm)
    names = names_of(pendulum_walk(walking, start, WalkCommand(vx=0.2)))
    assert names[0] == "FirstShift" and names[-1] == "ComingToRest"
    assert names[1:-1:2] == ["SingleSupport"] * walking.steps
    assert set(names[2:-1:2]) == {"DoubleSupport"} and walking.steps > 4


def test_a_robot_that_would_fall_steps_without_the_usual_shift(
    parts: tuple[Any, Any, Any], measured: Callable
) -> None:
    p, soles, _ = parts
    half = 0.5 * p.stance_spacing
    start = measured(
        com=np.array([0.0, half, p.com_height]),
        dcm=np.array([0.0, half + 0.05]),
        sole_p=np.array([[0.0, half, 0.0], [0.0, -half, 0.0]]),
        load=np.array([1.0, 0.0]),
    )
    walking, seen = Walking(p, soles), []
    walking.recover(start, yaw=0.0)
    for _ in range(6):
        walking.step(start, WalkCommand(), DT)
        seen.append(walking.phase)
    assert names_of(seen) == ["RecoveryShift", "SingleSupport"]
    assert walking.recovering


def test_a_foot_is_lifted_over_a_shift_and_comes_down_again(
    parts: tuple[Any, Any, Any], measured: Callable
) -> None:
    p, soles, reach = parts
    half = 0.5 * p.stance_spacing
    feet = np.array([[0.0, half, 0.0], [0.0, -half, 0.0]])
    now = measured(
        com=np.array([0.0, 0.0, p.com_height]),
        dcm=np.zeros(2),
        sole_p=feet,
        load=np.array([0.5, 0.5]),
    )
    standing, seen, lifted = Standing(p, soles, reach), [], []
    standing.start(now, yaw=0.0, dcm=now.dcm)
    goal = SoleGoal(p=np.array([0.0, -half, 0.1]), R=np.eye(3), v=np.zeros(6))
    for i in range(1600):
        planted = LEFT_ONLY if 10 < i < 800 else BOTH
        operator = OperatorFeet(planted, lambda foot: goal)
        intent = standing.step(now, operator, DT, np.zeros(2))
        seen.append(standing.phase)
        lifted.append(standing.lifted)
        com = np.array([*intent.dcm_plan, p.com_height])
        now = replace(now, com=com, dcm=intent.dcm_plan)
    assert names_of(seen) == [
        "TwoFeet",
        "WeightShift",
        "Unloading",
        "OneFoot",
        "PuttingDown",
        "TwoFeet",
    ]
    assert lifted[799] == 1 and lifted[-1] is None and standing.support is None
