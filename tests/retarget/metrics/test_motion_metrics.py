"""Feet, limits, smoothness and timing on motions whose numbers are known."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.metrics.feet import FeetReport
from telexist.retarget.metrics.limits import measure_limits
from telexist.retarget.metrics.report import make_report
from telexist.retarget.metrics.smoothness import measure_joint_motion
from telexist.retarget.metrics.timing import measure_timing
from telexist.retarget.robot_body import Coupling, RobotBody
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip, RobotMotion
from telexist.retarget.so3 import Array, rotation_z

Still = Callable[[RobotBody, Array], RobotMotion]
MakeClip = Callable[[Array, Array], HumanClip]

TIME = np.arange(0.0, 1.5, 0.01)


@pytest.fixture
def standing(make_clip: MakeClip) -> HumanClip:
    return make_clip(TIME, np.tile(np.eye(3), (len(TIME), len(SEGMENTS), 1, 1)))


def feet(clip: HumanClip, body: RobotBody, motion: RobotMotion) -> FeetReport:
    report = make_report(clip, body, motion).feet
    assert report is not None
    return report


def shifted(motion: RobotMotion, shift: Array) -> RobotMotion:
    return replace(motion, base_position=motion.base_position + shift)


def test_a_standing_robot_neither_slides_nor_hovers_nor_sinks(
    human66: RobotBody, still: Still, standing: HumanClip
) -> None:
    report = feet(standing, human66, still(human66, TIME))
    assert report.slide is not None and report.slide.max == 0.0
    assert report.hover == pytest.approx(0.0, abs=1e-9)
    assert report.depth == pytest.approx(0.0, abs=1e-9)


def test_slide_is_the_speed_of_a_dragged_sole(
    human66: RobotBody, still: Still, standing: HumanClip
) -> None:
    drag = TIME[:, None] * np.array([0.006, 0.008, 0.5])
    report = feet(standing, human66, shifted(still(human66, TIME), drag))
    assert report.slide is not None and report.corner_slide is not None
    assert report.slide.p50 == pytest.approx(0.010)
    assert report.slide.max == pytest.approx(0.010)
    assert report.corner_slide.p50 == pytest.approx(0.010)


def test_a_sole_that_turns_on_the_spot_slides_at_its_corners_only(
    human66: RobotBody, still: Still, standing: HumanClip
) -> None:
    motion = still(human66, TIME)
    sole = human66.soles["left"]
    human66.kinematics.update(human66.neutral)
    frame = human66.kinematics.frame(sole.link)
    pivot = human66.kinematics.position(frame) + (
        human66.kinematics.rotation(frame) @ sole.link_p_sole
    )
    turn = rotation_z(0.1 * TIME)
    motion = replace(
        motion,
        base_position=pivot + (turn @ (human66.neutral.world_p_base - pivot)),
        base_rotation=turn @ motion.base_rotation,
        contact_right=np.zeros(len(TIME), dtype=bool),
    )
    report = feet(standing, human66, motion)
    reach = 0.5 * np.hypot(sole.length, sole.width)
    assert report.slide is not None and report.corner_slide is not None
    assert report.slide.max < 1e-9
    assert report.corner_slide.p50 == pytest.approx(0.1 * reach, rel=1e-3)


def test_slide_counts_only_between_two_planted_frames(
    human66: RobotBody, still: Still, standing: HumanClip
) -> None:
    planted = np.ones(len(TIME), dtype=bool)
    planted[50] = False
    jump = np.zeros((len(TIME), 3))
    jump[50] = (1.0, 0.0, 0.0)
    motion = replace(
        shifted(still(human66, TIME), jump), contact_left=planted, contact_right=planted
    )
    report = feet(standing, human66, motion)
    assert report.slide is not None and report.slide.max == 0.0


@pytest.mark.parametrize("height", [-0.004, 0.007])
def test_depth_and_hover_are_how_far_the_soles_are_off_the_floor(
    human66: RobotBody, still: Still, standing: HumanClip, height: float
) -> None:
    motion = shifted(still(human66, TIME), np.array([0.0, 0.0, height]))
    report = feet(standing, human66, motion)
    assert report.depth == pytest.approx(max(0.0, -height), abs=1e-9)
    assert report.hover == pytest.approx(max(0.0, height), abs=1e-9)


def test_a_flying_robot_has_no_slide_and_no_hover(
    human66: RobotBody, still: Still, standing: HumanClip
) -> None:
    never = np.zeros(len(TIME), dtype=bool)
    motion = replace(still(human66, TIME), contact_left=never, contact_right=never)
    report = feet(standing, human66, motion)
    assert report.slide is None and report.hover is None


def test_a_limit_may_be_touched_but_not_passed_by_one_bit(
    human66: RobotBody, still: Still
) -> None:
    motion = still(human66, TIME)
    upper = np.full(human66.kinematics.n, np.inf)
    upper[3] = 0.7
    body = replace(human66, lower=-upper, upper=upper)
    name = body.kinematics.joints[3]
    for value, share, broken in (
        (0.7, 1.0, 0),
        (np.nextafter(0.7, 1.0), 1.0, len(TIME)),
        (0.6, 0.0, 0),
    ):
        q = np.zeros_like(motion.joint_positions)
        q[:, 3] = value
        report = measure_limits(body, replace(motion, joint_positions=q))
        assert report.position_violations == broken
        assert report.share_by_joint.get(name, 0.0) == share
        assert report.worst == (name if broken else "")


def test_speed_limits_hold_for_saved_velocities_and_for_differences(
    human66: RobotBody, still: Still
) -> None:
    body = replace(human66, velocity=np.full(human66.kinematics.n, 2.0))
    motion = still(body, TIME)
    q = motion.joint_positions.copy()
    q[:, 0] += 2.0 * TIME
    fine = replace(motion, joint_positions=q)
    assert measure_limits(body, fine).velocity_violations == 0
    q = q.copy()
    q[100:, 0] += 0.01
    assert (
        measure_limits(body, replace(motion, joint_positions=q)).velocity_violations
        == 1
    )
    dq = np.zeros_like(q)
    dq[5, 2] = -2.01
    assert (
        measure_limits(body, replace(motion, joint_velocities=dq)).velocity_violations
        == 1
    )


def test_couplings_are_held_against_the_sum_of_their_joints(
    human66: RobotBody, still: Still
) -> None:
    names = human66.kinematics.joints[:2]
    coupling = Coupling(joints=names, coefficients=(1.0, -2.0), lower=-0.5, upper=0.5)
    body = replace(human66, couplings=(coupling,))
    motion = still(body, TIME)
    q = np.zeros_like(motion.joint_positions)
    q[:, 0], q[:, 1] = 0.5, 0.0
    assert (
        measure_limits(body, replace(motion, joint_positions=q)).coupling_violations
        == 0
    )
    q[7, 1] = -0.1
    assert (
        measure_limits(body, replace(motion, joint_positions=q)).coupling_violations
        == 1
    )


def test_jerk_of_a_cubic_is_constant_at_any_sampling(
    human66: RobotBody, still: Still
) -> None:
    time = np.cumsum(np.random.default_rng(0).uniform(0.005, 0.02, 80))
    motion = still(human66, time)
    cubic = 0.4 * time[:, None] ** 3 + time[:, None]
    motion = replace(motion, joint_positions=cubic + motion.joint_positions)
    report = measure_joint_motion(human66, motion)
    assert report.jerk_rms == pytest.approx(2.4, rel=1e-6)
    assert report.jerk_p99 == pytest.approx(2.4, rel=1e-4)


def test_timing_is_in_the_callers_clock() -> None:
    timing = measure_timing(np.full(100, 2e-3), duration=2.0)
    assert timing is not None
    assert timing.to_json() == pytest.approx(
        {"step_time_p50_us": 2000.0, "step_time_p99_us": 2000.0, "real_time_factor": 10}
    )
    assert measure_timing((), duration=2.0) is None


def test_the_report_is_plain_json_even_of_one_frame(
    human66: RobotBody, still: Still, make_clip: MakeClip
) -> None:
    time = np.zeros(1)
    clip = make_clip(time, np.tile(np.eye(3), (1, len(SEGMENTS), 1, 1)))
    report = make_report(clip, human66, still(human66, time))
    table = json.loads(json.dumps(report.to_json(), allow_nan=False))
    assert table["frames"] == 1
    assert table["after_first_second"] is None
    assert table["timing"] is None


def test_a_motion_of_another_length_or_robot_is_refused(
    human66: RobotBody, still: Still, standing: HumanClip
) -> None:
    with pytest.raises(BadInput, match="frame by frame"):
        make_report(standing, human66, still(human66, TIME[:-1]))
    motion = still(human66, TIME)
    foreign = replace(motion, joint_names=("x", *motion.joint_names[1:]))
    with pytest.raises(UnknownName):
        make_report(standing, human66, foreign)
