"""Joint centres depend on axes alone, and limbs point where they should."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from telexist.retarget.kinematics import Configuration, Kinematics
from telexist.retarget.so3 import Array, angle_between
from telexist.robots.description.find import find_model
from telexist.robots.description.library import load_spec
from telexist.robots.description.skeleton import Skeleton, joint_centres, nearest_point
from telexist.robots.draft.body_tree import BodyTree, Chain
from telexist.robots.urdf.clean_urdf import clean_urdf
from telexist.robots.urdf.read_urdf import read_urdf
from telexist.robots.urdf.urdf import Geometry, Pose, Urdf, UrdfLink

CENTRE = 1e-3  # [m] the anchor's small weight shifts a centre by less
DIRECTION = 5e-3  # [rad]


def icub() -> Urdf:
    return read_urdf(find_model(load_spec("icub")))


def slid(urdf: Urdf, distances: dict[str, float]) -> Urdf:
    """Move the frames of turning joints along their axes; the robot stays the same."""
    shift = {}
    for joint in urdf.joints.values():
        if joint.name in distances:
            shift[joint.child] = distances[joint.name] * joint.axis

    def moved(pose: Pose, by: Array) -> Pose:
        return Pose(p=pose.p - by, R=pose.R)

    def shapes(geometries: tuple[Geometry, ...], by: Array) -> tuple[Geometry, ...]:
        return tuple(dataclasses.replace(g, pose=moved(g.pose, by)) for g in geometries)

    links: dict[str, UrdfLink] = {}
    for name, link in urdf.links.items():
        by = shift.get(name, np.zeros(3))
        links[name] = dataclasses.replace(
            link,
            link_p_com=link.link_p_com - by,
            visuals=shapes(link.visuals, by),
            collisions=shapes(link.collisions, by),
        )
    joints = {}
    for name, joint in urdf.joints.items():
        by = shift.get(joint.parent, np.zeros(3))
        own = joint.pose.R @ shift.get(joint.child, np.zeros(3))
        joints[name] = dataclasses.replace(joint, pose=moved(joint.pose, by - own))
    return Urdf(
        name=urdf.name, path=urdf.path, root=urdf.root, links=links, joints=joints
    )


def seen(urdf: Urdf) -> tuple[Skeleton, dict[str, Array], dict[str, Array]]:
    """Return a skeleton with its centres and directions in the world."""
    kinematics = Kinematics(clean_urdf(urdf))
    links = load_spec("icub").links
    neutral = Configuration(
        world_p_base=np.zeros(3),
        world_R_base=np.eye(3),
        q=np.full(kinematics.n, 0.2),
    )
    skeleton = joint_centres(urdf, kinematics, links, neutral)
    kinematics.update(neutral)
    centres, directions = {}, {}
    for segment, (link, p) in skeleton.points.items():
        frame = kinematics.frame(link)
        centres[segment] = kinematics.position(frame) + kinematics.rotation(frame) @ p
    for segment, d in skeleton.limb_directions.items():
        directions[segment] = kinematics.rotation(kinematics.frame(links[segment])) @ d
    return skeleton, centres, directions


@pytest.mark.parametrize("seed", range(3))
def test_centres_stay_when_frames_slide_along_their_axes(seed: int) -> None:
    urdf = icub()
    rng = np.random.default_rng(seed)
    distances = {
        joint.name: float(rng.uniform(-0.05, 0.05))
        for joint in urdf.moving_joints()
        if not joint.name.startswith(("torso", "neck"))
    }
    _, centres, directions = seen(urdf)
    _, other_centres, other_directions = seen(slid(urdf, distances))
    for segment, centre in centres.items():
        if segment in ("Pelvis", "T8", "Head"):
            continue  # these have link frames of their own as anchors
        np.testing.assert_allclose(
            other_centres[segment], centre, atol=CENTRE, err_msg=segment
        )
    for segment, direction in directions.items():
        assert angle_between(other_directions[segment], direction) < DIRECTION


def test_hinges_are_elbows_and_knees() -> None:
    skeleton, _, _ = seen(icub())
    assert dict(skeleton.hinges) == {
        "LeftForeArm": "l_elbow",
        "LeftLowerLeg": "l_knee",
        "RightForeArm": "r_elbow",
        "RightLowerLeg": "r_knee",
    }


def test_arms_point_along_their_twist_axes() -> None:
    urdf = icub()
    skeleton, _, directions = seen(urdf)
    kinematics = Kinematics(clean_urdf(urdf))
    kinematics.update(
        Configuration(
            world_p_base=np.zeros(3),
            world_R_base=np.eye(3),
            q=np.full(kinematics.n, 0.2),
        )
    )
    _, axes = kinematics.joint_axes()
    for segment, joint in (
        ("LeftUpperArm", "l_shoulder_yaw"),
        ("LeftForeArm", "l_wrist_prosup"),
    ):
        along = abs(float(axes[kinematics.index(joint)] @ directions[segment]))
        assert along == pytest.approx(1.0, abs=1e-9)


def test_nearest_point_of_crossing_lines_is_their_crossing() -> None:
    rng = np.random.default_rng(3)
    crossing = rng.normal(size=3)
    axes = rng.normal(size=(3, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    origins = crossing + axes * rng.normal(size=(3, 1))
    found = nearest_point(origins, axes, crossing)
    np.testing.assert_allclose(found, crossing, atol=1e-9)


def test_nearest_point_of_one_line_is_next_to_the_anchor() -> None:
    anchor = np.array([1.0, 2.0, 3.0])
    found = nearest_point(np.zeros((1, 3)), np.array([[0.0, 0.0, 1.0]]), anchor)
    np.testing.assert_allclose(found, [0.0, 0.0, 3.0], atol=5e-3)


def test_chain_agrees_with_the_engine() -> None:
    urdf = icub()
    mechanism = BodyTree(urdf)
    kinematics = Kinematics(clean_urdf(urdf))
    bodies = [b for b in mechanism.body_of("l_hand").ancestors() if b.joint][::-1]
    chain = Chain(bodies)
    q = chain.samples(5)
    points, axes, _ = chain.axes_at(q)
    for row in range(len(q)):
        full = np.zeros(kinematics.n)
        index = [kinematics.index(body.name) for body in bodies]
        full[index] = q[row]
        kinematics.update(
            Configuration(world_p_base=np.zeros(3), world_R_base=np.eye(3), q=full)
        )
        origins, directions = kinematics.joint_axes()
        np.testing.assert_allclose(points[row], origins[index], atol=1e-9)
        np.testing.assert_allclose(axes[row], directions[index], atol=1e-9)


def test_samples_lie_inside_the_limits() -> None:
    chain = Chain(BodyTree(icub()).root.children[:1])
    q = chain.samples(100)
    assert np.all(q >= chain.lower)
    assert np.all(q <= chain.upper)
    assert np.ptp(q) > 0.9 * float(chain.upper[0] - chain.lower[0])
