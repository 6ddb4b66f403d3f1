"""Ball and continuous joints of a pinocchio model, in both IK steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest
from telexist.retarget.errors import BadModel
from telexist.retarget.ik.recursive_ik import RecursiveIk
from telexist.retarget.ik.settings import IkSettings
from telexist.retarget.ik.targets import Targets
from telexist.retarget.kinematics import Configuration, Kinematics
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import exp_so3, log_so3
from telexist.retarget.witness.reference_ik import ReferenceIk

Make = Callable[..., Targets]

ACTIVE = 1e-6  # [rad/s] the figure with active limits
FREE = 1e-8  # [rad/s] the figure without
SLOPE = 1e-7  # rounding of finite differences with a step of 1e-6
REACHED = np.deg2rad(0.1)  # [rad] the "converged"
SPEED = 3.0  # [rad/s]
DT = 0.02  # [s]
ONE = IkSettings(iterations=1)

JOINTS = (
    ("shoulder", "trunk", pin.JointModelSpherical()),
    ("elbow", "shoulder", pin.JointModelRY()),
    ("wrist", "elbow", pin.JointModelSpherical()),
    ("rail", "wrist", pin.JointModelPZ()),
    ("wheel", "trunk", pin.JointModelRUBX()),
    ("hip", "wheel", pin.JointModelSpherical()),
    ("toe", "hip", pin.JointModelRevoluteUnaligned(np.array([0.6, 0.0, 0.8]))),
)


def ball_model(*, free: bool) -> pin.Model:
    """Return a tree with joints of every kind, each link named after its joint."""
    model, carriers = pin.Model(), {"trunk": 0}
    if free:
        root = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "root")
        carriers["trunk"] = root
        here = pin.SE3.Identity()
        model.addFrame(pin.Frame("trunk", root, 0, here, pin.FrameType.BODY))
    rng = np.random.default_rng(0)
    for name, parent, joint in JOINTS:
        placement = pin.SE3(exp_so3(rng.normal(size=3)), 0.2 * rng.normal(size=3))
        index = model.addJoint(
            carriers[parent],
            joint,
            placement,
            name,
            np.full(joint.nv, 1.0),
            np.full(joint.nv, SPEED),
            np.full(joint.nq, -1.2),
            np.full(joint.nq, 1.2),
        )
        carriers[name] = index
        on = pin.SE3(exp_so3(rng.normal(size=3)), 0.1 * rng.normal(size=3))
        model.addFrame(pin.Frame(name, index, 0, on, pin.FrameType.BODY))
    return model


@pytest.fixture(scope="module", params=[True, False], ids=["free", "bolted"])
def body(request: pytest.FixtureRequest) -> RobotBody:
    kinematics = Kinematics.from_model(ball_model(free=request.param))
    lower, upper, velocity = kinematics.limits()
    return RobotBody(
        name="balls",
        kinematics=kinematics,
        fixed_base=not request.param,
        links={name: name for name, _, _ in JOINTS},
        limb_directions={},
        points={},
        neutral=replace(kinematics.neutral(), q=np.full(kinematics.n, 0.1)),
        lower=lower,
        upper=upper,
        velocity=velocity,
    )


def start(body: RobotBody, rng: np.random.Generator, spread: float) -> Configuration:
    n = body.kinematics.n
    lower, upper = np.maximum(body.lower, -spread), np.minimum(body.upper, spread)
    turned = np.zeros(3) if body.fixed_base else rng.normal(size=3)
    return Configuration(
        world_p_base=turned.copy(),
        world_R_base=exp_so3(turned),
        q=rng.uniform(lower - 0.1, upper + 0.1, n),
    )


def difference(body: RobotBody, a: Configuration, b: Configuration) -> float:
    turned = log_so3(a.world_R_base @ b.world_R_base.T)
    apart = body.kinematics.posture_error(a.q, b.q)
    moved = a.world_p_base - b.world_p_base
    return max(float(np.abs(d).max()) for d in (turned, moved, apart)) / DT


def test_a_ball_joint_is_three_of_one_name(body: RobotBody) -> None:
    assert body.kinematics.joints[:4] == (
        "shoulder.x",
        "shoulder.y",
        "shoulder.z",
        "elbow",
    )
    assert body.lower[:4].tolist() == [-np.inf, -np.inf, -np.inf, -1.2]
    wheel = body.kinematics.index("wheel")
    assert body.upper[wheel] == np.inf


@pytest.mark.parametrize("link", [name for name, _, _ in JOINTS])
def test_jacobians_are_slopes_in_the_tangent_space(body: RobotBody, link: str) -> None:
    kinematics, rng = body.kinematics, np.random.default_rng(1)
    at, frame, step = start(body, rng, 1.0), kinematics.frame(link), 1e-6
    kinematics.update(at)
    J = kinematics.jacobian(frame)
    for i in range(6 + kinematics.n):
        nu, ends = np.eye(6 + kinematics.n)[i], []
        for sign in (step, -step):
            kinematics.update(kinematics.moved(at, nu, sign))
            ends.append((kinematics.position(frame), kinematics.rotation(frame)))
        linear = (ends[0][0] - ends[1][0]) / (2.0 * step)
        angular = log_so3(ends[0][1] @ ends[1][1].T) / (2.0 * step)
        np.testing.assert_allclose(J[:3, i], linear, atol=SLOPE)
        np.testing.assert_allclose(J[3:, i], angular, atol=SLOPE)


@pytest.mark.parametrize("spread", [0.5, 1.2, 2.5])
def test_steps_are_those_of_the_reference(
    body: RobotBody, spread: float, make_targets: Make
) -> None:
    rng = np.random.default_rng(2)
    reference, recursive = ReferenceIk(body, ONE), RecursiveIk(body, ONE)
    for _ in range(100):
        at = start(body, rng, spread)
        targets = make_targets(body, at, rng, far=0.3)
        a, b = (ik.step(at, targets, DT) for ik in (reference, recursive))
        assert difference(body, a, b) < ACTIVE


def test_free_steps_are_those_of_the_reference(
    body: RobotBody, make_targets: Make
) -> None:
    n = body.kinematics.n
    body = replace(
        body,
        lower=np.full(n, -1e3),
        upper=np.full(n, 1e3),
        velocity=np.full(n, 1e5),
    )
    rng = np.random.default_rng(3)
    reference, recursive = ReferenceIk(body, ONE), RecursiveIk(body, ONE)
    for _ in range(100):
        at = start(body, rng, 1.0)
        targets = make_targets(body, at, rng, far=0.05)
        a, b = (ik.step(at, targets, DT) for ik in (reference, recursive))
        assert difference(body, a, b) < FREE


def test_speed_limits_hold_about_every_axis(
    body: RobotBody, make_targets: Make
) -> None:
    rng, ik = np.random.default_rng(4), RecursiveIk(body, ONE)
    at = start(body, rng, 0.5)
    for _ in range(30):
        after = ik.step(at, make_targets(body, at, rng, far=2.0), DT)
        moved = body.kinematics.posture_error(at.q, after.q)
        assert np.all(np.abs(moved) <= 1.001 * body.velocity * DT)
        at = after


def test_poses_far_away_are_reached(body: RobotBody, make_targets: Make) -> None:
    kinematics, rng = body.kinematics, np.random.default_rng(5)
    frames = [kinematics.frame(link) for link in body.links.values()]
    for _ in range(10):
        goal = start(body, rng, 1.0)
        goal = replace(goal, q=np.clip(goal.q, body.lower, body.upper))
        targets = make_targets(body, goal, rng, far=0.0)
        orientations = replace(targets.orientations, weights=np.ones((len(frames), 3)))
        targets = replace(targets, orientations=orientations, points=())
        ik, at = RecursiveIk(body), body.neutral
        for _ in range(100):
            at = ik.step(at, targets, DT)
        kinematics.update(at)
        found = np.swapaxes(kinematics.rotations(frames), -1, -2)
        errors = log_so3(orientations.world_R_link @ found)
        assert np.linalg.norm(errors, axis=-1).max() < REACHED


def test_joints_of_other_kinds_are_refused_by_name() -> None:
    model = pin.Model()
    model.addJoint(0, pin.JointModelPlanar(), pin.SE3.Identity(), "sledge")
    with pytest.raises(BadModel, match="sledge: .*Planar are not supported"):
        Kinematics.from_model(model)
