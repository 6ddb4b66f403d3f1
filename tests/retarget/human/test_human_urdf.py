"""The human model against pinocchio, hand-made formulas and its own mirror image."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.human.joints import HUMAN_MODELS
from telexist.retarget.human.shapes import (
    MASS_FRACTIONS,
    principal_inertia,
    segment_shape,
)
from telexist.retarget.human.urdf import human_urdf
from telexist.retarget.human_size import HumanSize
from telexist.retarget.segments import SEGMENTS

EXACT = 1e-12  # floats are written with all their digits
SUM = 1e-9  # sums of some 23 floats
DOF = {"human48": 48, "human66": 66}
MIRROR = np.diag([1.0, -1.0, 1.0])


def model_of(
    name: str, *, size: HumanSize | None = None, mass: float = 75.0
) -> pin.Model:
    text = human_urdf(size or adult_size(), mass=mass, model=name)
    return pin.buildModelFromXML(text, pin.JointModelFreeFlyer())


def neutral_with(model: pin.Model, angles: dict[str, float]) -> np.ndarray:
    q = pin.neutral(model)
    for name, angle in angles.items():
        q[model.joints[model.getJointId(name)].idx_q] = angle
    return q


def place(model: pin.Model, q: np.ndarray, link: str) -> pin.SE3:
    data = model.createData()
    pin.framesForwardKinematics(model, data, q)
    return data.oMf[model.getFrameId(link)]


def uneven_size() -> HumanSize:
    """A person whose bones are not parallel to the axes, as recordings give."""
    rng = np.random.default_rng(3)
    size = adult_size(1.6)
    joints = {k: v + rng.normal(0.0, 0.01, 3) for k, v in size.joints.items()}
    return HumanSize(joints=joints, tips=size.tips)


@pytest.mark.parametrize("name", sorted(HUMAN_MODELS))
@pytest.mark.parametrize(("height", "mass"), [(1.75, 75.0), (1.2, 30.0), (2.05, 110.0)])
def test_model_has_its_degrees_of_freedom_and_its_mass(
    name: str, height: float, mass: float
) -> None:
    model = model_of(name, size=adult_size(height), mass=mass)
    assert model.nv == 6 + DOF[name]
    assert pin.computeTotalMass(model) == pytest.approx(mass, abs=SUM)
    assert all(model.existFrame(segment) for segment in SEGMENTS)


def test_mass_fractions_sum_to_one_over_all_segments() -> None:
    assert set(MASS_FRACTIONS) == set(SEGMENTS)
    assert sum(MASS_FRACTIONS.values()) == pytest.approx(1.0, abs=EXACT)


@pytest.mark.parametrize("name", sorted(HUMAN_MODELS))
@pytest.mark.parametrize("size", [adult_size(), adult_size(1.5), uneven_size()])
def test_zero_configuration_is_the_n_pose_of_the_size(
    name: str, size: HumanSize
) -> None:
    model = model_of(name, size=size)
    for segment in SEGMENTS:
        pose = place(model, pin.neutral(model), segment)
        want = size.joints[segment] - size.joints["Pelvis"]
        assert np.allclose(pose.translation, want, atol=EXACT)
        assert np.allclose(pose.rotation, np.eye(3), atol=EXACT)


@pytest.mark.parametrize("size", [adult_size(), uneven_size()])
def test_every_inertia_is_one_of_a_real_body(size: HumanSize) -> None:
    for segment in SEGMENTS:
        shape = segment_shape(size, segment, 2.0)
        moments = np.sort(principal_inertia(shape, 2.0))
        assert moments[0] > 0.0
        assert moments[0] + moments[1] > moments[2]


@pytest.mark.parametrize("segment", ["Pelvis", "LeftUpperArm", "Head", "RightFoot"])
def test_inertia_agrees_with_points_strewn_over_the_solid(segment: str) -> None:
    mass = 3.0
    shape = segment_shape(adult_size(), segment, mass)
    rng = np.random.default_rng(11)
    if shape.kind == "box":
        points = (rng.random((200_000, 3)) - 0.5) * np.array(shape.size)
    elif shape.kind == "cylinder":
        radius, length = shape.size
        points = (rng.random((200_000, 3)) - 0.5) * [2 * radius, 2 * radius, length]
        points = points[np.hypot(points[:, 0], points[:, 1]) < radius]
    else:
        points = (rng.random((200_000, 3)) - 0.5) * 2.0 * shape.size[0]
        points = points[np.linalg.norm(points, axis=1) < shape.size[0]]
    squares = (points**2).mean(axis=0)
    counted = mass * (squares.sum() - squares)
    assert principal_inertia(shape, mass) == pytest.approx(counted, rel=0.02)


def test_a_limbs_cylinder_lies_along_the_limb() -> None:
    for size in (adult_size(), uneven_size()):
        shape = segment_shape(size, "RightLowerLeg", 2.7)
        bone = size.joints["RightFoot"] - size.joints["RightLowerLeg"]
        axis = shape.rotation[:, 2]
        assert np.allclose(axis, bone / np.linalg.norm(bone), atol=EXACT)
        assert np.allclose(shape.center, bone / 2, atol=EXACT)


def test_urdf_carries_the_inertia_of_the_shape_about_the_limb() -> None:
    size = uneven_size()
    model = model_of("human48", size=size, mass=80.0)
    inertia = model.inertias[model.getJointId("jLeftKnee_rotz")]
    mass = 80.0 * MASS_FRACTIONS["LeftLowerLeg"]
    shape = segment_shape(size, "LeftLowerLeg", mass)
    R = shape.rotation
    want = R @ np.diag(principal_inertia(shape, mass)) @ R.T
    assert np.allclose(inertia.inertia, want, atol=1e-9)
    assert np.allclose(inertia.lever, shape.center, atol=EXACT)


@pytest.mark.parametrize("name", sorted(HUMAN_MODELS))
def test_left_is_the_mirror_image_of_right(name: str) -> None:
    model = model_of(name)
    rng = np.random.default_rng(5)
    right, left = pin.neutral(model), pin.neutral(model)
    for joint in (n for n in model.names if n.startswith("jRight")):
        i = model.joints[model.getJointId(joint)].idx_q
        twin = model.joints[model.getJointId(joint.replace("Right", "Left"))].idx_q
        angle = rng.uniform(max(model.lowerPositionLimit[i], -1.0), 0.5)
        sign = 1.0 if joint.endswith("y") else -1.0
        right[i], left[twin] = angle, sign * angle
        limits = (model.lowerPositionLimit, model.upperPositionLimit)
        ours = [bound[i] for bound in limits]
        theirs = sorted(sign * bound[twin] for bound in limits)
        assert ours == pytest.approx(theirs, abs=EXACT)
    for segment in (s for s in SEGMENTS if s.startswith("Right")):
        pose = place(model, right, segment)
        twin_pose = place(model, left, segment.replace("Right", "Left"))
        assert np.allclose(MIRROR @ pose.translation, twin_pose.translation, atol=1e-9)
        mirrored = MIRROR @ pose.rotation @ MIRROR
        assert np.allclose(mirrored, twin_pose.rotation, atol=1e-9)


@pytest.mark.parametrize(
    ("joint", "link", "where"),
    [
        ("jLeftElbow_roty", "LeftHand", (1.0, 0.0, 0.0)),
        ("jRightKnee_roty", "RightFoot", (-1.0, 0.0, 0.0)),
        ("jRightHip_roty", "RightLowerLeg", (1.0, 0.0, 0.0)),
        ("jRightHip_rotx", "RightLowerLeg", (0.0, -1.0, 0.0)),
        ("jLeftShoulder_rotx", "LeftForeArm", (0.0, 1.0, 0.0)),
        ("jRightShoulder_roty", "RightForeArm", (1.0, 0.0, 0.0)),
        ("jRightC7Shoulder_rotx", "RightUpperArm", (0.0, 0.0, 1.0)),
        ("jL5S1_roty", "Head", (1.0, 0.0, 0.0)),
    ],
)
def test_the_wider_side_of_a_range_moves_the_way_people_bend(
    joint: str, link: str, where: tuple[float, float, float]
) -> None:
    model = model_of("human48")
    i = model.joints[model.getJointId(joint)].idx_q
    low, high = model.lowerPositionLimit[i], model.upperPositionLimit[i]
    angle = 0.2 if high > -low else -0.2
    before = place(model, pin.neutral(model), link).translation
    after = place(model, neutral_with(model, {joint: angle}), link).translation
    assert (after - before) @ where > 0.01


def test_human66_never_locks_where_people_often_are() -> None:
    """The Jacobian of each ball joint keeps its rank in T-pose, reach and sitting."""
    model = model_of("human66")
    postures = {
        "jRightShoulder_rotx": -np.pi / 2,
        "jLeftShoulder_roty": -np.pi / 2,
        "jLeftHip_roty": -np.pi / 2,
        "jLeftKnee_roty": np.pi / 2,
        "jRightElbow_roty": -np.pi / 2,
        "jRightWrist_rotx": 1.3,
    }
    q = neutral_with(model, postures)
    data = model.createData()
    J = pin.computeJointJacobians(model, data, q)
    for joint in ("jRightShoulder", "jLeftShoulder", "jLeftHip", "jRightWrist"):
        columns = [
            model.joints[i].idx_v
            for i, name in enumerate(model.names)
            if name.startswith(f"{joint}_")
        ]
        assert np.linalg.svd(J[3:, columns])[1].min() > 0.5


def test_size_scales_with_the_stature_and_stands_on_the_floor() -> None:
    small, large = adult_size(1.0), adult_size(2.0)
    for segment in SEGMENTS:
        assert np.allclose(2.0 * small.joints[segment], large.joints[segment])
    for side in ("Left", "Right"):
        assert large.tips[f"{side}Heel"][2] == 0.0
        assert large.tips[f"{side}ToeTip"][2] == 0.0
    assert large.height == 2.0
    assert large.leg_length == pytest.approx(1.06)
    assert large.joints["LeftFoot"][1] > 0.0 > large.joints["RightFoot"][1]


def test_wrong_input_is_refused_by_name() -> None:
    with pytest.raises(UnknownName, match="human48, human66"):
        human_urdf(adult_size(), model="human67")
    for mass in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(BadInput, match="mass"):
            human_urdf(adult_size(), mass=mass)
    for height in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(BadInput, match="height"):
            adult_size(height)


def test_rpy_of_a_bone_that_points_straight_ahead_is_finite() -> None:
    size = adult_size()
    joints = dict(size.joints)
    joints["LeftHand"] = joints["LeftForeArm"] + np.array([0.25, 0.0, 0.0])
    model = model_of("human66", size=HumanSize(joints=joints, tips=size.tips))
    inertia = model.inertias[model.getJointId("jLeftElbow_rotz")]
    assert np.allclose(inertia.lever, [0.125, 0.0, 0.0], atol=EXACT)
    assert np.linalg.eigvalsh(inertia.inertia).min() > 0.0
