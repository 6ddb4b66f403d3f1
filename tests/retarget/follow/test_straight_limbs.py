from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.retarget.follow.bend import keep_bent
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.follow.straight_limbs import DOWN, bent_limb, straightest
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import exp_so3, log_so3, rotation_y

ROBOTS = (
    "icub",
    "g1",
    "talos",
    "romeo",
    "jvrc1",
    "atlas",
    "nao",
    "h1",
    "valkyrie",
    "booster_t1",
    "ergocub",
    "human48",
)
LEAN = rotation_y(-np.radians(15.0)) @ DOWN  # the elbow of the iCub


def _n_pose(stamp: float) -> HumanFrame:
    size, still = adult_size(), np.tile(np.eye(3), (23, 1, 1))
    return HumanFrame(
        stamp=stamp,
        segments=SEGMENTS,
        rotations=still,
        angular_velocities=np.zeros((23, 3)),
        positions=size.positions(still, size.joints["Pelvis"]),
        linear_velocities=np.zeros((23, 3)),
    )


@pytest.mark.parametrize("name", ROBOTS)
def test_n_pose_gives_the_robot_its_own_neutral_posture(
    name: str, body_of: Callable[[str], RobotBody]
) -> None:
    body = body_of(name)
    retargeter = Retargeter(body, adult_size())
    for k in range(60):
        robot = retargeter.step(_n_pose(k / 60.0))
    kinematics = body.kinematics
    kinematics.update(body.neutral)
    frames = {part: kinematics.frame(link) for part, link in body.links.items()}
    neutral = {part: kinematics.rotation(f).copy() for part, f in frames.items()}
    kinematics.update(
        Configuration(
            world_p_base=robot.world_p_base, world_R_base=robot.world_R_base, q=robot.q
        )
    )
    for part, frame in frames.items():
        off = np.linalg.norm(log_so3(kinematics.rotation(frame) @ neutral[part].T))
        assert np.degrees(off) < 1.0, part


def test_only_limbs_with_a_least_bend_are_treated(
    body_of: Callable[[str], RobotBody],
) -> None:
    assert set(straightest(body_of("icub"))) == {"LeftForeArm", "RightForeArm"}
    assert not straightest(body_of("talos"))


def test_a_straight_limb_is_asked_for_the_least_bend_and_a_bent_one_for_its_own() -> (
    None
):
    above = exp_so3([0.3, -0.2, 1.0])
    straight = bent_limb(above, above, LEAN)
    np.testing.assert_allclose(above.T @ straight @ DOWN, LEAN, atol=1e-12)
    for flexion in (16.0, 40.0, 140.0):
        limb = above @ rotation_y(-np.radians(flexion))
        np.testing.assert_array_equal(bent_limb(above, limb, LEAN), limb)


def test_the_bend_grows_from_the_least_one_without_a_jump() -> None:
    axis = np.array([0.3, 0.9, 0.1]) / np.linalg.norm([0.3, 0.9, 0.1])
    last = bent_limb(np.eye(3), np.eye(3), LEAN)
    for angle in np.linspace(0.0, -0.8, 2000)[1:]:
        asked = bent_limb(np.eye(3), exp_so3(angle * axis), LEAN)
        bend = np.arccos(np.clip((asked @ DOWN) @ DOWN, -1.0, 1.0))
        assert bend > np.radians(15.0) - 1e-9
        assert np.linalg.norm(log_so3(asked @ last.T)) < 5e-3
        last = asked


def test_compiled_and_plain_agree() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        relative = exp_so3(rng.normal(0.0, rng.choice([0.05, 0.3, 2.0]), 3))
        lean = exp_so3(rng.normal(0.0, 0.3, 3)) @ DOWN
        out = np.empty((3, 3))
        keep_bent(relative, lean, out)
        np.testing.assert_allclose(out, bent_limb(np.eye(3), relative, lean), atol=1e-9)
