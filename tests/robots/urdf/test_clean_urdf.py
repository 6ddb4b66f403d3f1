"""The engine's kinematics of the cleaned text against the tree, multiplied by hand."""

from __future__ import annotations

import numpy as np
import pytest
from telexist.retarget.errors import UnknownName
from telexist.retarget.kinematics import Configuration, Kinematics
from telexist.robots.description.robot_model import load_robot
from telexist.robots.urdf.clean_urdf import clean_urdf, joint_pose_at
from telexist.robots.urdf.read_urdf import parse_urdf
from telexist.robots.urdf.urdf import Pose, Urdf

TOLERANCE = 1e-9  # [m] and rotation entries: double precision over chains of 20 joints


def random_tree(rng: np.random.Generator, joints: int) -> Urdf:
    """Return a tree with random poses, axes, kinds and parents."""
    text = '<link name="l0"/>'
    for i in range(1, joints + 1):
        kind = rng.choice(["revolute", "continuous", "prismatic", "fixed"])
        xyz = " ".join(map(str, rng.normal(size=3)))
        rpy = " ".join(map(str, rng.uniform(-3.0, 3.0, 3)))
        if i % 5 == 0:
            rpy = f"0.3 {np.pi / 2} -0.2"  # where roll and yaw are one
        axis = " ".join(map(str, rng.normal(size=3)))
        text += (
            f'<link name="l{i}"/><joint name="j{i}" type="{kind}">'
            f'<parent link="l{rng.integers(0, i)}"/><child link="l{i}"/>'
            f'<origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="{axis}"/></joint>'
        )
    return parse_urdf(f'<robot name="r">{text}</robot>')


def pose_by_hand(urdf: Urdf, link: str, q: dict[str, float]) -> Pose:
    pose = Pose(p=np.zeros(3), R=np.eye(3))
    for joint in urdf.chain(link):
        pose = joint_pose_at(joint, q.get(joint.name, 0.0)).then(pose)
    return pose


def assert_same_poses(urdf: Urdf, kinematics: Kinematics, q: dict[str, float]) -> None:
    kinematics.update(
        Configuration(
            world_p_base=np.zeros(3),
            world_R_base=np.eye(3),
            q=np.array([q[joint] for joint in kinematics.joints]),
        )
    )
    for link in urdf.links:
        pose, frame = pose_by_hand(urdf, link, q), kinematics.frame(link)
        np.testing.assert_allclose(
            kinematics.position(frame), pose.p, atol=TOLERANCE, rtol=0.0
        )
        np.testing.assert_allclose(
            kinematics.rotation(frame), pose.R, atol=TOLERANCE, rtol=0.0
        )


@pytest.mark.parametrize("seed", range(5))
def test_cleaned_text_moves_like_the_tree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    urdf = random_tree(rng, 20)
    q = {joint.name: rng.uniform(-2.0, 2.0) for joint in urdf.moving_joints()}
    kinematics = Kinematics(clean_urdf(urdf))
    assert set(kinematics.joints) == set(q)
    assert_same_poses(urdf, kinematics, q)


@pytest.mark.parametrize("seed", range(5))
def test_locked_joints_are_welded_where_they_were(seed: int) -> None:
    rng = np.random.default_rng(seed)
    urdf = random_tree(rng, 20)
    q = {joint.name: rng.uniform(-2.0, 2.0) for joint in urdf.moving_joints()}
    locked = {name: q[name] for name in list(q)[::2]}
    kinematics = Kinematics(clean_urdf(urdf, locked=locked))
    assert not set(kinematics.joints) & set(locked)
    assert_same_poses(urdf, kinematics, q)


def test_cleaning_twice_changes_nothing() -> None:
    urdf = load_robot("icub").urdf
    once = clean_urdf(urdf)
    again = parse_urdf(once)
    assert list(again.links) == list(urdf.links)
    q = {joint.name: 0.1 for joint in urdf.moving_joints()}
    assert_same_poses(again, Kinematics(once), q)


def test_unknown_locked_joint_is_an_error() -> None:
    urdf = random_tree(np.random.default_rng(0), 3)
    with pytest.raises(UnknownName):
        clean_urdf(urdf, locked={"nobody": 0.0})
