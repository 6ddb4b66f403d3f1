"""Every shipped robot whose model is on this machine: loads, stands, faces ahead."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import ModelNotFound
from telexist.retarget.segments import NEUTRAL_DIRECTION, PARENT, SEGMENTS
from telexist.retarget.so3 import Array, angle_between
from telexist.robots.check.check import check_loaded
from telexist.robots.check.posture import bending
from telexist.robots.check.soles import lowest_points
from telexist.robots.description.library import list_robots
from telexist.robots.description.robot_model import RobotModel, load_robot
from telexist.robots.description.stance import sole_corners

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"
FOLDER = Path(os.environ.get("TELEXIST_SHARED", BESIDE)) / "robots"

JOINTS = {
    "atlas": 30,
    "baxter": 15,
    "booster_t1": 23,
    "ergocub": 32,
    "g1": 29,
    "g1_hands": 29,
    "h1": 19,
    "human48": 48,
    "human66": 66,
    "icub": 32,
    "jvrc1": 32,
    "nao": 24,
    "romeo": 31,
    "talos": 30,
    "valkyrie": 32,
}

FLOOR = 1e-4  # [m] soles are measured to a tenth of a millimetre
LIMB = 3.1  # [deg] Valkyrie's arms stand off
ELBOW_OF_ICUB = 15.1  # [deg] its elbows do not straighten
ARMS_OF_BAXTER = 31.0  # [deg] its shoulders do not let the arms hang
SYMMETRY = 2e-3  # [m] models are symmetric to a millimetre or two


@cache
def loaded(name: str) -> RobotModel | None:
    try:
        return load_robot(name, [FOLDER])
    except ModelNotFound:
        return None


@pytest.fixture(params=list_robots())
def robot(request: pytest.FixtureRequest) -> RobotModel:
    found = loaded(request.param)
    if found is None:
        pytest.skip(f"the model of {request.param} is not on this machine")
    found.body.kinematics.update(found.body.neutral)
    return found


@pytest.fixture
def walker(robot: RobotModel) -> RobotModel:
    if not robot.body.soles:
        pytest.skip(f"{robot.spec.name} has no feet")
    return robot


def point(robot: RobotModel, segment: str) -> Array:
    link, p = robot.body.points[segment]
    kinematics = robot.body.kinematics
    frame = kinematics.frame(link)
    return kinematics.position(frame) + kinematics.rotation(frame) @ p


def test_every_shipped_robot_is_counted_here() -> None:
    assert set(JOINTS) == set(list_robots())


def test_number_of_joints(robot: RobotModel) -> None:
    assert robot.body.kinematics.n == JOINTS[robot.spec.name]


def test_limits_are_finite_and_ordered(robot: RobotModel) -> None:
    body = robot.body
    assert np.all(np.isfinite([body.lower, body.upper, body.velocity]))
    assert np.all(body.lower < body.upper)
    assert np.all((body.velocity > 0.0) & (body.velocity <= 100.0))


def test_no_shipped_robot_needs_default_limits(robot: RobotModel) -> None:
    assert robot.limits.default_position == ()
    assert robot.limits.default_velocity == ()


def test_neutral_posture_is_inside_the_limits(robot: RobotModel) -> None:
    q, body = robot.body.neutral.q, robot.body
    assert np.all((body.lower <= q) & (q <= body.upper))


def test_stated_neutral_positions_are_taken_as_they_are(robot: RobotModel) -> None:
    body = robot.body
    for joint, stated in robot.spec.neutral.items():
        if joint not in robot.locked:
            taken = body.neutral.q[body.kinematics.index(joint)]
            assert taken == pytest.approx(stated, abs=1e-3), joint


def test_limbs_point_as_in_n_pose(robot: RobotModel) -> None:
    kinematics = robot.body.kinematics
    worst = ARMS_OF_BAXTER if robot.spec.name == "baxter" else LIMB
    for segment, direction in robot.body.limb_directions.items():
        frame = kinematics.frame(robot.body.links[segment])
        world = kinematics.rotation(frame) @ direction
        off = np.degrees(angle_between(world, NEUTRAL_DIRECTION[segment]))
        bent = ELBOW_OF_ICUB if robot.spec.name == "icub" else 0.0
        assert off < max(worst, bent * segment.endswith("ForeArm")), segment


def test_elbows_bend_forward_and_knees_backward(robot: RobotModel) -> None:
    for side in ("Left", "Right"):
        for segment, x in ((f"{side}ForeArm", 1.0), (f"{side}LowerLeg", -1.0)):
            if segment not in robot.body.limb_directions:
                continue
            way = bending(robot, segment)
            if way is not None:
                assert x * way[0] > np.cos(np.radians(20.0)), segment


def test_left_is_left_and_both_sides_are_alike(robot: RobotModel) -> None:
    for segment in robot.body.points:
        if segment.startswith("Left"):
            left = point(robot, segment)
            right = point(robot, segment.replace("Left", "Right"))
            assert left[1] > 0.02, segment
            np.testing.assert_allclose(
                left, right * [1, -1, 1], atol=SYMMETRY, err_msg=segment
            )


def test_head_is_above_pelvis_and_ankles_below(walker: RobotModel) -> None:
    assert point(walker, "LeftFoot")[2] < point(walker, "LeftLowerLeg")[2]
    assert point(walker, "LeftLowerLeg")[2] < point(walker, "Pelvis")[2]
    if "Head" in walker.body.points:
        assert point(walker, "Pelvis")[2] < point(walker, "Head")[2]


def test_soles_stand_flat_on_the_floor_around_the_origin(walker: RobotModel) -> None:
    body = walker.body
    corners = sole_corners(body.kinematics, body.neutral, body.soles)
    both = np.concatenate([corners["left"], corners["right"]])
    np.testing.assert_allclose(both[:, 2], 0.0, atol=FLOOR)
    np.testing.assert_allclose(both.mean(axis=0), 0.0, atol=FLOOR)


def test_toes_are_ahead_of_the_heels_and_the_left_foot_is_left(
    walker: RobotModel,
) -> None:
    body = walker.body
    corners = sole_corners(body.kinematics, body.neutral, body.soles)
    for side, y in (("left", 1.0), ("right", -1.0)):
        toes, heel = corners[side][:2].mean(axis=0), corners[side][2:].mean(axis=0)
        ahead = toes - heel
        assert ahead[0] == pytest.approx(body.soles[side].length, rel=1e-3)
        assert y * corners[side][:, 1].mean() > 0.02
        ankle = point(walker, f"{side.title()}Foot")
        assert toes[0] > ankle[0] + 0.04
        assert heel[0] < ankle[0]


def test_soles_are_where_the_model_touches_the_floor(walker: RobotModel) -> None:
    kinematics = walker.body.kinematics
    lowest = lowest_points(walker)
    for sole in walker.body.soles.values():
        foot = kinematics.support(kinematics.frame(sole.link))
        heights = [
            z
            for link, z in lowest.items()
            if np.array_equal(kinematics.support(kinematics.frame(link)), foot)
        ]
        assert min(heights) == pytest.approx(0.0, abs=FLOOR)
    assert min(lowest.values()) > -FLOOR


def test_segments_have_links_of_their_own_that_move(robot: RobotModel) -> None:
    body = robot.body
    assert len(set(body.links.values())) == len(body.links)
    for segment, link in body.links.items():
        assert segment in SEGMENTS
        parent = PARENT[segment]
        while parent is not None and parent not in body.links:
            parent = PARENT[parent]
        if parent is not None:
            one = body.kinematics.support(body.kinematics.frame(link))
            other = body.kinematics.support(body.kinematics.frame(body.links[parent]))
            assert np.any(one != other), segment


def test_followers_stay_inside_their_limits_wherever_leaders_go(
    robot: RobotModel,
) -> None:
    body = robot.body
    for mimic in body.mimics:
        i = body.kinematics.index(mimic.leader)
        limits = robot.urdf.joints[mimic.joint].limits
        for leader in (body.lower[i], body.upper[i]):
            follower = mimic.multiplier * leader + mimic.offset
            assert limits.lower is None or follower >= limits.lower - 1e-9
            assert limits.upper is None or follower <= limits.upper + 1e-9


def test_couplings_hold_in_the_neutral_posture(robot: RobotModel) -> None:
    body = robot.body
    for coupling in body.couplings:
        indices = [body.kinematics.index(joint) for joint in coupling.joints]
        value = np.array(coupling.coefficients) @ body.neutral.q[indices]
        assert coupling.lower < value < coupling.upper


def test_check_finds_no_error(robot: RobotModel) -> None:
    report = check_loaded(robot)
    assert report.worst != "error", report
    assert {f.subject for f in report.findings} >= {"model", "links", "limits", "sides"}


def test_base_of_icub_faces_backward_in_its_own_axes() -> None:
    body = load_robot("icub").body
    np.testing.assert_allclose(
        body.neutral.world_R_base @ [-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], atol=1e-12
    )


def test_only_icub_s_shoulders_are_coupled() -> None:
    body = load_robot("icub").body
    assert len(body.couplings) == 6
    assert {joint for c in body.couplings for joint in c.joints} == {
        f"{side}_shoulder_{axis}" for side in "lr" for axis in ("pitch", "roll", "yaw")
    }
