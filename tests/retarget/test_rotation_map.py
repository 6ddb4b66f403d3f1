"""The fixed map between segments and links, and the targets that come from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.follow.segment_weights import segment_weights
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.rotation_map import fixed_rotation_map, reference_segment
from telexist.retarget.segments import LIMBS, NEUTRAL_DIRECTION, SEGMENTS
from telexist.retarget.signals import HumanClip, HumanFrame
from telexist.retarget.so3 import angle_between, rotation_z
from telexist.retarget.witness.human_targets import HumanTargets

Body = Callable[[str], RobotBody]

ROUNDING = 1e-12  # products of a few rotations
ROBOTS = ("icub", "g1", "talos", "romeo", "baxter", "jvrc1", "human66", "nao", "atlas")


@pytest.mark.parametrize("yaw", [0.3, -2.0, np.pi])
@pytest.mark.parametrize("name", ROBOTS)
def test_map_is_unchanged_when_both_models_turn(
    name: str, yaw: float, body_of: Body
) -> None:
    body, turn = body_of(name), rotation_z(yaw)
    neutral = replace(
        body.neutral,
        world_R_base=turn @ body.neutral.world_R_base,
        world_p_base=turn @ body.neutral.world_p_base,
    )
    here = fixed_rotation_map(body)
    there = fixed_rotation_map(
        replace(body, neutral=neutral), {segment: turn for segment in SEGMENTS}
    )
    assert set(here) == set(body.links)
    for segment in here:
        np.testing.assert_allclose(there[segment], here[segment], atol=ROUNDING)


@pytest.mark.parametrize("name", ROBOTS)
def test_equal_orientations_mean_equal_limb_directions(
    name: str, body_of: Body
) -> None:
    """Where the robot cannot hang its arms, the map makes up for it."""
    body = body_of(name)
    for segment, human_R_robot in fixed_rotation_map(body).items():
        np.testing.assert_allclose(
            human_R_robot @ human_R_robot.T, np.eye(3), atol=ROUNDING
        )
        if segment in body.limb_directions:
            limb = human_R_robot @ body.limb_directions[segment]
            assert angle_between(limb, NEUTRAL_DIRECTION[segment]) < 1e-9


def neutral_frame(turn: np.ndarray) -> HumanFrame:
    k = len(SEGMENTS)
    return HumanFrame(
        stamp=0.0,
        segments=SEGMENTS,
        rotations=np.tile(turn, (k, 1, 1)),
        angular_velocities=np.zeros((k, 3)),
    )


@pytest.mark.parametrize("name", ["human66", "g1", "baxter"])
def test_a_person_in_n_pose_asks_for_the_neutral_posture(
    name: str, body_of: Body
) -> None:
    body, frame = body_of(name), neutral_frame(np.eye(3))
    targets = HumanTargets(body).orientations(frame, frame, 0.01)
    body.kinematics.update(body.neutral)
    found = body.kinematics.rotations(targets.frames)
    for segment, wanted, link in zip(
        body.links, targets.world_R_link, found, strict=True
    ):
        if segment in body.limb_directions:
            continue  # turned to where the limb should point
        np.testing.assert_allclose(wanted, link, atol=ROUNDING)


def test_targets_of_a_free_robot_turn_with_the_person(body_of: Body) -> None:
    targets, turn = HumanTargets(body_of("g1")), rotation_z(1.0)
    still, turned = neutral_frame(np.eye(3)), neutral_frame(turn)
    a = targets.orientations(still, still, 0.5)
    b = targets.orientations(turned, still, 0.5)
    np.testing.assert_allclose(b.world_R_link, turn @ a.world_R_link, atol=ROUNDING)
    wanted = np.tile([0.0, 0.0, 2.0], (len(b.frames), 1))
    np.testing.assert_allclose(b.angular_velocities, wanted, atol=ROUNDING)


def test_targets_of_a_bolted_robot_do_not_turn_with_the_person(body_of: Body) -> None:
    body = body_of("baxter")
    assert reference_segment(body) == "T8"
    targets, turned = HumanTargets(body), neutral_frame(rotation_z(1.0))
    a = targets.orientations(neutral_frame(np.eye(3)), turned, 0.5)
    b = targets.orientations(turned, turned, 0.5)
    np.testing.assert_allclose(b.world_R_link, a.world_R_link, atol=ROUNDING)


def test_a_bolted_robot_with_a_waist_is_relative_to_the_pelvis(body_of: Body) -> None:
    assert reference_segment(replace(body_of("g1"), fixed_base=True)) == "Pelvis"
    assert reference_segment(body_of("g1")) is None


def test_segments_seen_for_the_first_time_have_no_velocity(
    body_of: Body, builtin: HumanClip
) -> None:
    head = HumanFrame(
        stamp=0.0,
        segments=("Head",),
        rotations=np.eye(3)[None],
        angular_velocities=np.zeros((1, 3)),
    )
    found = HumanTargets(body_of("g1")).orientations(builtin.frame(300), head, 0.1)
    assert not found.angular_velocities.any()


def test_a_limb_counts_less_about_itself() -> None:
    for segment in SEGMENTS:
        weights = segment_weights(segment, {})
        assert np.all(weights > 0.0)
        assert weights[0] == weights[1]
        assert (weights[2] < weights[0]) == (segment in LIMBS)


def test_a_robot_may_weigh_a_segment_otherwise() -> None:
    np.testing.assert_allclose(segment_weights("Head", {"Head": 2.0}), 2.0)
