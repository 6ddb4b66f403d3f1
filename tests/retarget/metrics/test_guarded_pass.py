"""The second pass is believed only where its motion is not worse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.ahead import AheadSettings, see_ahead
from telexist.retarget.errors import QpFailed
from telexist.retarget.follow import Retargeter
from telexist.retarget.metrics import guarded_pass, make_report
from telexist.retarget.metrics.guarded_pass import SecondPass, stiffened
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.robot_masses import RobotMasses
from telexist.retarget.signals import HumanClip, RobotMotion
from telexist.robots.description import RobotModel

Robot = Callable[[str], RobotModel]
Take = Callable[[HumanClip, slice], HumanClip]
Spoil = Callable[[RobotMotion, RobotBody], RobotMotion]


@pytest.fixture(scope="module")
def stepping(builtin: HumanClip, take: Take) -> HumanClip:
    return take(builtin, slice(1110, 1230))


@pytest.fixture(scope="module")
def g1(robot_of: Robot) -> RobotModel:
    return robot_of("g1")


@pytest.fixture(scope="module")
def motion(g1: RobotModel, stepping: HumanClip) -> RobotMotion:
    return Retargeter(g1.body, stepping.size).run(stepping)


def slides(motion: RobotMotion, body: RobotBody) -> RobotMotion:
    away = np.outer(0.1 * motion.time, [1.0, 0.0, 0.0])
    return replace(motion, base_position=motion.base_position + away)


def hovers(motion: RobotMotion, body: RobotBody) -> RobotMotion:
    return replace(motion, base_position=motion.base_position + [0.0, 0.0, 0.03])


def sinks(motion: RobotMotion, body: RobotBody) -> RobotMotion:
    return replace(motion, base_position=motion.base_position - [0.0, 0.0, 0.03])


def turns_an_arm(motion: RobotMotion, body: RobotBody) -> RobotMotion:
    q = motion.joint_positions.copy()
    for joint in ("left_shoulder_roll_joint", "right_shoulder_pitch_joint"):
        at = body.kinematics.index(joint)
        q[:, at] = 0.9 * body.upper[at]
    return replace(motion, joint_positions=q)


def leaves_a_limit(motion: RobotMotion, body: RobotBody) -> RobotMotion:
    q = motion.joint_positions.copy()
    q[5, 0] = body.upper[0] + 0.1
    return replace(motion, joint_positions=q)


def is_not_finite(motion: RobotMotion, body: RobotBody) -> RobotMotion:
    q = motion.joint_positions.copy()
    q[5, 0] = np.nan
    return replace(motion, joint_positions=q)


def has_no_answer(motion: RobotMotion, body: RobotBody) -> RobotMotion:
    raise QpFailed("has no answer")


def spoiled(spoil: Spoil, times: int = 2) -> tuple[SecondPass, list[AheadSettings]]:
    """Return a pass whose first tries are spoiled, and what it was asked with."""
    asked: list[AheadSettings] = []

    def tried(
        body: RobotBody,
        motion: RobotMotion,
        masses: RobotMasses | None,
        settings: AheadSettings,
    ) -> RobotMotion:
        asked.append(settings)
        return spoil(motion, body) if len(asked) <= times else motion

    return tried, asked


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (slides, "slide at"),
        (hovers, "hover by"),
        (sinks, "in the floor"),
        (turns_an_arm, "limbs err by"),
        (leaves_a_limit, "beyond a limit"),
        (is_not_finite, "not finite"),
        (has_no_answer, "has no answer"),
    ],
)
def test_a_pass_that_makes_it_worse_is_not_kept_and_the_report_says_why(
    g1: RobotModel, stepping: HumanClip, motion: RobotMotion, spoil: Spoil, said: str
) -> None:
    wrong, asked = spoiled(spoil)
    passed = guarded_pass(stepping, g1.body, motion, second_pass=wrong)
    assert passed.motion is motion and not passed.kept
    assert len(asked) == 2 and asked[1] == stiffened(asked[0])
    report = make_report(
        stepping,
        g1.body,
        passed.motion,
        before=passed.before,
        refusals=passed.refusals,
    )
    assert report.second_pass is not None and not report.second_pass.kept
    assert report.second_pass.before == report.second_pass.after
    for where in (report.verdict, report.notes[-1], *passed.refusals):
        assert said in where
    assert "second pass not kept" in report.verdict
    assert report.second_pass.to_json()["kept"] is False


def test_a_second_try_that_holds_is_kept_and_noted(
    g1: RobotModel, stepping: HumanClip, motion: RobotMotion
) -> None:
    wrong, asked = spoiled(slides, times=1)
    passed = guarded_pass(stepping, g1.body, motion, second_pass=wrong)
    assert passed.kept and len(asked) == 2 and len(passed.refusals) == 1
    report = make_report(
        stepping,
        g1.body,
        replace(passed.motion),
        before=passed.before,
        refusals=passed.refusals,
    )
    assert report.second_pass is not None and report.second_pass.kept
    assert "held more stiffly" in report.notes[-1]
    assert "second pass" not in report.verdict


def test_a_pass_that_is_no_worse_is_the_pass_itself(
    g1: RobotModel, stepping: HumanClip, motion: RobotMotion
) -> None:
    passed = guarded_pass(stepping, g1.body, motion)
    alone = see_ahead(g1.body, motion)
    assert passed.kept and not passed.refusals
    np.testing.assert_array_equal(passed.motion.joint_positions, alone.joint_positions)
