"""Jacobians are slopes, and three forward kinematics agree."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.retarget.errors import BadModel, UnknownName
from telexist.retarget.ik.mechanism import make_mechanism
from telexist.retarget.ik.recursive_step import limit_step, step_recursively
from telexist.retarget.ik.settings import IkSettings
from telexist.retarget.kinematics import Configuration, Kinematics
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array, exp_so3, log_so3, quat_wxyz_from_rotation

ROBOTS = ("icub", "g1", "talos", "romeo", "baxter", "jvrc1", "human66", "nao", "atlas")
STEP = 1e-6  # [rad] or [m] of finite differences
SLOPE = 1e-8  # central differences of 1e-6: rounding of 1e-16 over it, with a reserve
POSE = 1e-12  # [m] roundings along a chain of some ten links
MODELS = 1e-9  # [m] two libraries parse the same decimal numbers of a URDF

CHAIN = """
<robot name="chain">
  <link name="base">{mass}</link> <link name="slide">{mass}</link>
  <link name="arm">{mass}</link> <link name="tool">{mass}</link>
  <joint name="rail" type="prismatic">
    <parent link="base"/><child link="slide"/>
    <origin xyz="0.1 0.2 0.3" rpy="0.3 -0.2 0.5"/><axis xyz="0.6 0 0.8"/>
    <limit lower="-1" upper="1" velocity="1" effort="1"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="slide"/><child link="arm"/>
    <origin xyz="0 0.1 0.4" rpy="-0.4 0.1 0.9"/><axis xyz="0 -0.6 0.8"/>
    <limit lower="-3" upper="3" velocity="1" effort="1"/>
  </joint>
  <joint name="flange" type="fixed">
    <parent link="arm"/><child link="tool"/>
    <origin xyz="0.3 0 0" rpy="0.2 0.3 0.1"/>
  </joint>
</robot>
""".format(
    mass="<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0'"
    " iyz='0'/></inertial>"
)


def somewhere(kinematics: Kinematics, rng: np.random.Generator) -> Configuration:
    return Configuration(
        world_p_base=rng.normal(size=3),
        world_R_base=exp_so3(rng.normal(size=3)),
        q=rng.uniform(-1.0, 1.0, kinematics.n),
    )


@pytest.fixture(params=ROBOTS)
def body(
    request: pytest.FixtureRequest, body_of: Callable[[str], RobotBody]
) -> RobotBody:
    return body_of(request.param)


def check_jacobian(kinematics: Kinematics, link: str, link_p_point: Array) -> None:
    """Compare a Jacobian with finite differences in the tangent space."""
    configuration = somewhere(kinematics, np.random.default_rng(3))
    frame = kinematics.frame(link)

    def pose(nu: Array) -> tuple[Array, Array]:
        kinematics.update(configuration.moved(nu, 1.0))
        R = kinematics.rotation(frame)
        return kinematics.position(frame) + R @ link_p_point, R

    p, _ = pose(np.zeros(6 + kinematics.n))
    J = kinematics.jacobian(frame, p)
    for i in range(6 + kinematics.n):
        nu = STEP * np.eye(6 + kinematics.n)[i]
        (p_after, R_after), (p_before, R_before) = pose(nu), pose(-nu)
        linear = (p_after - p_before) / (2.0 * STEP)
        angular = log_so3(R_after @ R_before.T) / (2.0 * STEP)
        np.testing.assert_allclose(J[:3, i], linear, atol=SLOPE)
        np.testing.assert_allclose(J[3:, i], angular, atol=SLOPE)


def test_jacobians_are_slopes_in_the_tangent_space(body: RobotBody) -> None:
    rng = np.random.default_rng(0)
    links = rng.choice(sorted(body.links.values()), 3, replace=False)
    for link in links:
        check_jacobian(body.kinematics, str(link), 0.2 * rng.normal(size=3))


@pytest.mark.parametrize("link", ["base", "slide", "arm", "tool"])
def test_jacobians_of_sliding_and_fixed_joints_are_slopes(link: str) -> None:
    check_jacobian(Kinematics(CHAIN), link, np.array([0.1, -0.2, 0.3]))


def test_jacobian_without_a_point_is_that_of_the_origin(body: RobotBody) -> None:
    kinematics = body.kinematics
    kinematics.update(somewhere(kinematics, np.random.default_rng(1)))
    frame = kinematics.frame(next(iter(body.links.values())))
    J = kinematics.jacobian(frame)
    np.testing.assert_array_equal(
        J, kinematics.jacobian(frame, kinematics.position(frame))
    )


def test_joints_that_do_not_carry_a_link_do_not_move_it(body: RobotBody) -> None:
    kinematics = body.kinematics
    kinematics.update(somewhere(kinematics, np.random.default_rng(2)))
    for link in body.links.values():
        frame = kinematics.frame(link)
        still = ~kinematics.support(frame)
        assert not kinematics.jacobian(frame)[:, still].any()


def test_base_velocity_is_mixed() -> None:
    """Linear velocity of the base's origin and angular velocity, both in world axes."""
    kinematics = Kinematics(CHAIN)
    start = somewhere(kinematics, np.random.default_rng(4))
    nu = np.concatenate([[1.0, 2.0, 3.0], [0.3, -0.2, 0.5], np.zeros(2)])
    moved = start.moved(nu, 0.1)
    np.testing.assert_allclose(moved.world_p_base - start.world_p_base, 0.1 * nu[:3])
    turned = log_so3(moved.world_R_base @ start.world_R_base.T)
    np.testing.assert_allclose(turned, 0.1 * nu[3:6], atol=POSE)
    kinematics.update(start)
    J = kinematics.jacobian(kinematics.frame("base"))
    np.testing.assert_allclose(J[:, :6], np.eye(6), atol=POSE)


def test_moving_back_ends_at_the_start() -> None:
    kinematics = Kinematics(CHAIN)
    rng = np.random.default_rng(5)
    start, nu = somewhere(kinematics, rng), rng.normal(size=8)
    back = start.moved(nu, 0.7).moved(-nu, 0.7)
    np.testing.assert_allclose(back.world_p_base, start.world_p_base, atol=POSE)
    np.testing.assert_allclose(back.world_R_base, start.world_R_base, atol=POSE)
    np.testing.assert_allclose(back.q, start.q, atol=POSE)


def test_moving_twice_half_a_step_is_one_step() -> None:
    kinematics = Kinematics(CHAIN)
    rng = np.random.default_rng(6)
    start, nu = somewhere(kinematics, rng), 5.0 * rng.normal(size=8)
    once, twice = start.moved(nu, 0.4), start.moved(nu, 0.2).moved(nu, 0.2)
    np.testing.assert_allclose(once.world_R_base, twice.world_R_base, atol=POSE)
    np.testing.assert_allclose(once.world_p_base, twice.world_p_base, atol=POSE)
    np.testing.assert_allclose(once.q, twice.q, atol=POSE)


def compiled_poses(body: RobotBody, at: Configuration) -> tuple[Array, Array]:
    """Return where compiled code puts all bodies: (n + 1, 3, 3), (n + 1, 3)."""
    settings = IkSettings(iterations=1)
    mechanism = make_mechanism(body, settings, orientations=0, points=0, floor=0)
    bodies = mechanism.bodies
    bodies[0]["R"], bodies[0]["p"] = at.world_R_base, at.world_p_base
    bodies["q"][1:] = at.q
    limit_step(mechanism, 1e-3)
    assert step_recursively(mechanism, 1e-3)  # places the bodies before it moves q
    R, p = bodies["R"].copy(), bodies["p"].copy()
    R[0], p[0] = at.world_R_base, at.world_p_base
    return R, p


@pytest.mark.parametrize("seed", range(3))
def test_compiled_forward_kinematics_is_pinocchios(body: RobotBody, seed: int) -> None:
    kinematics = body.kinematics
    at = somewhere(kinematics, np.random.default_rng(seed))
    R, p = compiled_poses(body, at)
    kinematics.update(at)
    for link in kinematics.links:
        frame = kinematics.frame(link)
        carrier, body_R_link, body_p_link = kinematics.attachment(frame)
        world_p = p[carrier] + R[carrier] @ body_p_link
        np.testing.assert_allclose(world_p, kinematics.position(frame), atol=POSE)
        np.testing.assert_allclose(
            R[carrier] @ body_R_link, kinematics.rotation(frame), atol=POSE
        )


def test_mujoco_puts_links_where_we_do() -> None:
    mujoco = pytest.importorskip("mujoco")
    compiler = "<mujoco><compiler fusestatic='false'/></mujoco>"
    text = CHAIN.replace('<robot name="chain">', f'<robot name="chain">{compiler}')
    world = '<link name="world"/><joint name="free" type="floating">'
    world += '<parent link="world"/><child link="base"/></joint></robot>'
    model = mujoco.MjModel.from_xml_string(text.replace("</robot>", world))
    data = mujoco.MjData(model)
    kinematics = Kinematics(CHAIN)
    at = somewhere(kinematics, np.random.default_rng(7))
    data.qpos[:3] = at.world_p_base
    data.qpos[3:7] = quat_wxyz_from_rotation(at.world_R_base)
    for i, joint in enumerate(kinematics.joints):
        data.qpos[model.joint(joint).qposadr[0]] = at.q[i]
    mujoco.mj_kinematics(model, data)
    kinematics.update(at)
    for link in kinematics.links:
        frame, found = kinematics.frame(link), data.body(link)
        np.testing.assert_allclose(found.xpos, kinematics.position(frame), atol=MODELS)
        np.testing.assert_allclose(
            found.xmat.reshape(3, 3), kinematics.rotation(frame), atol=MODELS
        )


def test_joint_axes_are_the_lines_about_which_links_turn() -> None:
    kinematics = Kinematics(CHAIN)
    kinematics.update(somewhere(kinematics, np.random.default_rng(8)))
    points, directions = kinematics.joint_axes()
    J = kinematics.jacobian(kinematics.frame("tool"), points[1])
    np.testing.assert_allclose(J[3:, 7], directions[1], atol=POSE)  # elbow turns
    np.testing.assert_allclose(J[:3, 7], 0.0, atol=POSE)  # and its axis stays
    np.testing.assert_allclose(J[:3, 6], directions[0], atol=POSE)  # rail slides


def test_unknown_names_list_the_known_ones() -> None:
    kinematics = Kinematics(CHAIN)
    with pytest.raises(UnknownName, match=r"no link called 'tol'.*'tool'"):
        kinematics.frame("tol")
    with pytest.raises(UnknownName, match=r"no joint called 'knee'.*elbow, rail"):
        kinematics.index("knee")


@pytest.mark.parametrize("kind", ["floating", "planar"])
def test_joints_of_other_kinds_are_refused_by_name(kind: str) -> None:
    text = CHAIN.replace('name="elbow" type="revolute"', f'name="elbow" type="{kind}"')
    with pytest.raises(BadModel, match=r"robot\.urdf: elbow: .*not supported"):
        Kinematics(text, path="robot.urdf")


def test_a_continuous_joint_is_one_without_limits() -> None:
    text = CHAIN.replace('"elbow" type="revolute"', '"elbow" type="continuous"')
    endless, ordinary = Kinematics(text), Kinematics(CHAIN)
    at = somewhere(ordinary, np.random.default_rng(9))
    assert endless.limits()[1].tolist() == [1.0, np.inf]
    for kinematics in (endless, ordinary):
        kinematics.update(at)
    frame = endless.frame("tool")
    np.testing.assert_allclose(
        endless.jacobian(frame), ordinary.jacobian(frame), atol=POSE
    )


def test_text_that_is_no_robot_is_refused_in_one_line() -> None:
    with pytest.raises(BadModel) as caught:
        Kinematics("<nothing/>", path="robot.urdf")
    assert "robot.urdf" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_limits_are_those_of_the_text() -> None:
    lower, upper, velocity = Kinematics(CHAIN).limits()
    assert lower.tolist() == [-1.0, -3.0]
    assert upper.tolist() == [1.0, 3.0]
    assert velocity.tolist() == [1.0, 1.0]
