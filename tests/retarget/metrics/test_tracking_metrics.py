"""Tracking errors against answers known by heart and against scipy's rotations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from telexist.retarget.metrics.report import Report, make_report
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import LIMBS, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanClip, RobotMotion
from telexist.retarget.so3 import Array, rotation_y, rotation_z

MakeClip = Callable[[Array, Array], HumanClip]
Still = Callable[[RobotBody, Array], RobotMotion]

ANGLE = 1e-6  # [deg] float64 through logarithms and degrees
TIME = np.arange(0.0, 2.0, 0.02)


def upright(time: Array) -> Array:
    return np.tile(np.eye(3), (len(time), len(SEGMENTS), 1, 1))


def random_motion(body: RobotBody, still: Still, seed: int) -> RobotMotion:
    rng = np.random.default_rng(seed)
    motion = still(body, TIME)
    t = len(TIME)
    return replace(
        motion,
        joint_positions=rng.uniform(-1.0, 1.0, motion.joint_positions.shape),
        base_rotation=Rotation.random(t, random_state=seed).as_matrix(),
    )


def report_of(clip: HumanClip, body: RobotBody, motion: RobotMotion) -> Report:
    return make_report(clip, body, motion)


def test_a_robot_in_neutral_follows_n_pose_without_error(
    human66: RobotBody, make_clip: MakeClip, still: Still
) -> None:
    report = report_of(make_clip(TIME, upright(TIME)), human66, still(human66, TIME))
    assert report.whole_clip.orientation_deg.max < ANGLE
    assert report.whole_clip.mnte == pytest.approx(0.0, abs=1e-12)
    assert report.whole_clip.angular_velocity_rmse == 0.0


@pytest.mark.parametrize("yaw", [0.0, 0.3, -2.0, np.pi])
def test_a_turned_robot_errs_by_its_turn(
    human66: RobotBody, make_clip: MakeClip, still: Still, yaw: float
) -> None:
    motion = still(human66, TIME)
    motion = replace(motion, base_rotation=rotation_z(yaw) @ motion.base_rotation)
    tracking = report_of(make_clip(TIME, upright(TIME)), human66, motion).whole_clip
    for spread in tracking.orientation_deg_by_segment.values():
        assert spread.mean == pytest.approx(np.degrees(abs(yaw)), abs=ANGLE)
    assert tracking.mnte == pytest.approx(1.0 - np.cos(yaw))


def test_limbs_err_by_the_angle_that_tilts_them_and_not_by_their_twist(
    human66: RobotBody, make_clip: MakeClip, still: Still
) -> None:
    clip = make_clip(TIME, upright(TIME))
    motion = still(human66, TIME)
    straight = report_of(clip, human66, motion).whole_clip.limb_direction_deg
    turned = replace(motion, base_rotation=rotation_z(1.0) @ motion.base_rotation)
    tilted = replace(motion, base_rotation=rotation_y(0.2) @ motion.base_rotation)
    assert straight is not None and straight.max < 3.0
    for limb in LIMBS:
        twist = report_of(clip, human66, turned).whole_clip.limb_direction_deg_by_limb
        tilt = report_of(clip, human66, tilted).whole_clip.limb_direction_deg_by_limb
        assert twist[limb].max < 6.0
        assert tilt[limb].mean == pytest.approx(np.degrees(0.2), abs=3.0)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_errors_agree_with_scipy(
    human66: RobotBody, make_clip: MakeClip, still: Still, seed: int
) -> None:
    t, s = len(TIME), len(SEGMENTS)
    human = Rotation.random(t * s, random_state=seed + 10)
    clip = make_clip(TIME, human.as_matrix().reshape(t, s, 3, 3))
    motion = random_motion(human66, still, seed)
    errors = report_of(clip, human66, motion).series.errors
    kinematics = human66.kinematics
    for k, segment in enumerate(errors.segments):
        frame = kinematics.frame(human66.links[segment])
        kinematics.update(human66.neutral)
        neutral = Rotation.from_matrix(kinematics.rotation(frame))
        actual = []
        for q, p, R in zip(
            motion.joint_positions,
            motion.base_position,
            motion.base_rotation,
            strict=True,
        ):
            kinematics.update(
                replace(human66.neutral, q=q, world_p_base=p, world_R_base=R)
            )
            actual.append(kinematics.rotation(frame))
        wanted = Rotation.from_matrix(clip.rotations[:, SEGMENT_INDEX[segment]])
        apart = (wanted * neutral).inv() * Rotation.from_matrix(np.array(actual))
        # Human66 stands in N-pose itself, so its limbs need no further turn
        np.testing.assert_allclose(
            errors.orientation[:, k], apart.magnitude(), atol=0.03
        )
        cosine = np.cos(errors.orientation[:, k])
        np.testing.assert_allclose(errors.trace[:, k], 1.0 - cosine, atol=1e-9)


def test_rmse_of_a_spinning_robot_is_its_speed_over_root_three(
    human66: RobotBody, make_clip: MakeClip, still: Still
) -> None:
    motion = still(human66, TIME)
    spin = rotation_z(1.5 * TIME)
    motion = replace(motion, base_rotation=spin @ motion.base_rotation)
    report = report_of(make_clip(TIME, upright(TIME)), human66, motion)
    assert report.whole_clip.angular_velocity_rmse == pytest.approx(1.5 / np.sqrt(3.0))


def test_the_first_second_can_be_left_out(
    human66: RobotBody, make_clip: MakeClip, still: Still
) -> None:
    motion = still(human66, TIME)
    early = np.where(TIME < 1.0, 0.5, 0.0)
    motion = replace(motion, base_rotation=rotation_z(early) @ motion.base_rotation)
    report = report_of(make_clip(TIME, upright(TIME)), human66, motion)
    assert report.whole_clip.orientation_deg.max > 28.0
    assert report.after_first_second is not None
    assert report.after_first_second.orientation_deg.max < ANGLE


def test_a_bolted_robot_is_compared_relative_to_the_chest(
    human66: RobotBody, make_clip: MakeClip, still: Still
) -> None:
    bolted = replace(human66, fixed_base=True, links={"T8": human66.kinematics.base})
    turning = rotation_z(TIME)[:, None] @ upright(TIME)
    report = report_of(make_clip(TIME, turning), bolted, still(human66, TIME))
    assert report.whole_clip.orientation_deg.max < ANGLE
    assert report.whole_clip.angular_velocity_rmse < 1e-9


def test_joints_are_found_by_name(
    human66: RobotBody, make_clip: MakeClip, still: Still
) -> None:
    clip = make_clip(TIME, upright(TIME))
    motion = random_motion(human66, still, 5)
    order = np.random.default_rng(0).permutation(len(motion.joint_names))
    shuffled = replace(
        motion,
        joint_names=tuple(motion.joint_names[i] for i in order),
        joint_positions=motion.joint_positions[:, order],
        joint_velocities=motion.joint_velocities[:, order],
    )
    a, b = (report_of(clip, human66, m).to_json() for m in (motion, shuffled))
    assert a["whole_clip"] == b["whole_clip"]
    assert a["limits"] == b["limits"]
