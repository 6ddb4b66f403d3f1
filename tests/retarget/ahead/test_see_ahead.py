"""What the second pass must do, judged by code that shares nothing with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.ahead import AheadSettings, see_ahead
from telexist.retarget.follow import Retargeter
from telexist.retarget.metrics import make_report, measure_balance
from telexist.retarget.metrics.limits import measure_limits
from telexist.retarget.recordings import read_clip
from telexist.retarget.signals import HumanClip, RobotMotion
from telexist.robots.description import RobotModel
from telexist.robots.dynamics import DynamicsModel

Robot = Callable[[str], RobotModel]
Take = Callable[[HumanClip, slice], HumanClip]

WALK = slice(1110, 1410)  # of the built-in motion: steps on alternate feet


def followed(robot: RobotModel, clip: HumanClip) -> RobotMotion:
    return Retargeter(robot.body, clip.size).run(clip)


def jerk(motion: RobotMotion) -> float:
    third = np.diff(motion.joint_positions, n=3, axis=0)
    return float(np.sqrt(np.mean(third**2)))


@pytest.fixture(scope="module")
def walk(builtin: HumanClip, take: Take) -> HumanClip:
    return take(builtin, WALK)


def test_a_walk_becomes_balanced_and_smooth_and_keeps_its_feet(
    robot_of: Robot, walk: HumanClip
) -> None:
    robot = robot_of("g1")
    masses = DynamicsModel(robot).masses()
    before = followed(robot, walk)
    after = see_ahead(robot.body, before, masses)
    report = make_report(walk, robot.body, after, masses=masses, before=before)
    passed = report.second_pass
    assert passed is not None
    was, now = passed.before, passed.after
    assert was.balance is not None and now.balance is not None
    assert (now.balance.zmp_inside or 0.0) > 0.9 > (was.balance.zmp_inside or 0.0)
    assert (now.limb_error_deg or 9.0) < (was.limb_error_deg or 0.0) + 1.0
    assert jerk(after) < 0.6 * jerk(before)
    assert report.limits.violations == 0
    assert report.stance is not None and report.feet is not None
    assert (report.stance.slide or 0.0) < 0.02
    assert (report.stance.hover or 0.0) < 0.005
    assert report.feet.depth < 0.0015


@pytest.mark.parametrize("name", ["icub", "talos", "ergocub", "baxter"])
def test_no_limit_is_crossed_and_a_fixed_base_stays(
    robot_of: Robot, walk: HumanClip, take: Take, name: str
) -> None:
    robot, clip = robot_of(name), take(walk, slice(0, 90))
    before = followed(robot, clip)
    after = see_ahead(robot.body, before, DynamicsModel(robot).masses())
    assert measure_limits(robot.body, after).violations == 0
    assert jerk(after) < jerk(before)
    if robot.body.fixed_base:
        np.testing.assert_array_equal(after.base_position, before.base_position)
        np.testing.assert_array_equal(after.base_rotation, before.base_rotation)
    for array in (after.joint_positions, after.base_position, after.base_rotation):
        assert np.isfinite(array).all()


def test_limits_hold_when_the_wanted_motion_is_far_too_fast(
    robot_of: Robot, walk: HumanClip, take: Take
) -> None:
    robot = robot_of("icub")  # has couplings
    clip = take(walk, slice(0, 60))
    slow = replace(robot.body, velocity=0.1 * robot.body.velocity)
    before = Retargeter(slow, clip.size).run(clip)
    after = see_ahead(slow, before)
    assert measure_limits(slow, after).violations == 0


def test_without_masses_a_motion_is_smoothed_alone(
    robot_of: Robot, walk: HumanClip, take: Take
) -> None:
    robot, clip = robot_of("g1"), take(walk, slice(0, 90))
    before = followed(robot, clip)
    after = see_ahead(robot.body, before, None)
    assert jerk(after) < 0.6 * jerk(before)
    assert measure_balance(robot.body, after, None) is None


def test_a_robot_that_stands_still_stays_where_it_is(
    robot_of: Robot, builtin: HumanClip, take: Take
) -> None:
    robot = robot_of("g1")
    one = take(builtin, slice(0, 2))
    posed = followed(robot, one)
    t, at = 60, np.zeros(60, dtype=int)
    still = replace(
        posed,
        time=np.arange(t) / 60.0,
        joint_positions=posed.joint_positions[at],
        joint_velocities=0.0 * posed.joint_velocities[at],
        base_position=posed.base_position[at],
        base_rotation=posed.base_rotation[at],
        contact_left=np.ones(t, dtype=bool),
        contact_right=np.ones(t, dtype=bool),
    )
    after = see_ahead(robot.body, still, DynamicsModel(robot).masses())
    assert np.abs(np.diff(after.joint_positions, axis=0)).max() * 60.0 < 1e-3
    assert np.abs(after.joint_positions - still.joint_positions).max() < 0.02


@pytest.mark.parametrize("frames", [1, 2, 3, 6])
def test_a_clip_too_short_to_see_ahead_is_left_alone(
    robot_of: Robot, builtin: HumanClip, take: Take, frames: int
) -> None:
    robot = robot_of("g1")
    motion = followed(robot, take(builtin, slice(0, frames)))
    assert see_ahead(robot.body, motion, None) is motion


def test_the_same_motion_gives_the_same_result(
    robot_of: Robot, walk: HumanClip, take: Take
) -> None:
    robot, clip = robot_of("g1"), take(walk, slice(0, 60))
    masses, motion = DynamicsModel(robot).masses(), followed(robot, clip)
    first, second = (see_ahead(robot.body, motion, masses) for _ in range(2))
    np.testing.assert_array_equal(first.joint_positions, second.joint_positions)


@pytest.mark.slow
def test_in_a_deep_squat_soles_on_their_toes_stay_where_they_are(
    robot_of: Robot, shared_motions: Path, take: Take
) -> None:
    robot = robot_of("g1")
    clip = take(read_clip(str(shared_motions / "cmu" / "69_70.bvh")), slice(364, 416))
    before = followed(robot, clip)
    masses = DynamicsModel(robot).masses()
    slides = []
    for settings in (AheadSettings(), AheadSettings(still=0.0)):
        after = see_ahead(robot.body, before, masses, settings)
        stance = make_report(clip, robot.body, after).stance
        assert stance is not None and stance.slide is not None
        slides.append(stance.slide)
    assert slides[0] < 0.5 * slides[1], "held in the middle, not by a corner alone"
