from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.kinematics import Configuration
from telexist.retarget.so3 import exp_so3, log_so3
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics.dynamics_model import DynamicsModel
from telexist.teleop.controllers.geometry.bounded_follower import BoundedFollower
from telexist.teleop.controllers.operator.free_foot import (
    FreeFoot,
    SoleGoal,
    StandingFoot,
)
from telexist.teleop.controllers.operator.reference_stance import (
    ReferenceStance,
    Stance,
)
from telexist.teleop.controllers.operator.trunk_goal import TrunkGoal
from telexist.teleop.controllers.operator.weight_limit import STATIC_SHARE, WeightLimit
from telexist.teleop.controllers.parameters.parameters import control_parameters
from telexist.teleop.controllers.parameters.squat_depth import (
    LowestHeights,
    lowest_heights,
)
from telexist.teleop.controllers.parameters.standing_parameters import TrunkParameters

ROBOTS = ["icub", "g1", "talos"]
DT = 0.005  # [s]


@pytest.mark.parametrize("name", ROBOTS)
def test_the_standing_posture_stands_as_it_stands(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    model = DynamicsModel(robot_of(name))
    ready = control_parameters(model)
    stance = ReferenceStance(model)
    stance.update(ready.posture.q, np.zeros(model.n))
    seen = stance.stance((True, True))
    assert seen.height == pytest.approx(ready.parameters.com_height, abs=1e-4)
    assert np.allclose(seen.floor_R_base, ready.posture.world_R_base, atol=1e-4)


@pytest.mark.parametrize("planted", [(True, False), (False, True)])
def test_the_stance_of_any_posture_is_that_of_the_kinematics(
    planted: tuple[bool, bool], robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of("g1")
    model, body = DynamicsModel(robot), robot.body
    rng = np.random.default_rng(1)
    q = body.lower + rng.random(model.n) * (body.upper - body.lower)
    stance = ReferenceStance(model)
    stance.update(q, np.zeros(model.n))
    seen = stance.stance(planted)
    sole = body.soles["left" if planted[0] else "right"]
    body.kinematics.update(
        Configuration(world_p_base=np.zeros(3), world_R_base=seen.floor_R_base, q=q)
    )
    frame = body.kinematics.frame(sole.link)
    R = body.kinematics.rotation(frame) @ sole.link_R_sole
    assert np.allclose(R, np.eye(3), atol=1e-9)  # flat, and heading along x


def test_the_rate_of_the_height_is_its_derivative(
    robot_of: Callable[[str], RobotModel],
) -> None:
    model = DynamicsModel(robot_of("g1"))
    q = control_parameters(model).posture.q
    dq = np.random.default_rng(3).normal(size=model.n)
    stance, step = ReferenceStance(model), 1e-6
    heights = []
    for sign in (-1.0, 1.0):
        stance.update(q + sign * step * dq, dq)
        heights.append(stance.stance((False, True)).height)
    stance.update(q, dq)
    rate = stance.stance((False, True)).rate
    assert rate == pytest.approx((heights[1] - heights[0]) / (2.0 * step), abs=1e-5)


def test_a_goal_that_jumps_is_reached_within_bounds_and_without_overshoot() -> None:
    point = BoundedFollower(
        np.zeros(1),
        stiffness=100.0,
        speed=np.array([0.5]),
        acceleration=np.array([2.0]),
    )
    places = []
    for _ in range(600):
        point.step(np.array([1.0]), np.zeros(1), DT)
        places.append(point.p[0])
        assert abs(point.v[0]) <= 0.5
        assert abs(point.a[0]) <= 2.0 + 1e-9
    assert places[-1] == pytest.approx(1.0, abs=1e-3)
    assert max(places) <= 1.0 + 1e-3


def test_a_goal_that_moves_gently_is_followed_without_lag() -> None:
    point = BoundedFollower(
        np.zeros(1),
        stiffness=100.0,
        speed=np.array([2.0]),
        acceleration=np.array([9.0]),
    )
    worst = 0.0
    for i in range(2000):
        t = DT * (i + 1)
        point.step(np.array([0.1 * np.sin(2 * t)]), np.array([0.2 * np.cos(2 * t)]), DT)
        worst = max(worst, abs(point.p[0] - 0.1 * np.sin(2 * t)) if t > 2.0 else 0.0)
    assert worst < 0.005


def test_height_and_lean_stay_within_what_the_robot_can() -> None:
    goal = TrunkGoal(np.eye(3), 0.6, LowestHeights(both_feet=0.4, one_foot=0.55))
    deep = Stance(height=0.1, rate=0.0, floor_R_base=exp_so3(np.array([0.0, 1.4, 0.0])))
    for _ in range(1000):
        goal.step(deep, DT)
    assert goal.height == pytest.approx(0.4, abs=0.01)
    assert np.linalg.norm(log_so3(goal.floor_R_base)) == pytest.approx(
        TrunkParameters().most_lean
    )
    for _ in range(1000):
        goal.step(deep, DT, one_foot=True)
    assert goal.height == pytest.approx(0.55, abs=0.01)
    assert np.linalg.norm(log_so3(goal.floor_R_base)) == pytest.approx(
        TrunkParameters().one_foot_lean
    )
    for _ in range(1000):
        goal.step(None, DT)
    assert goal.height == pytest.approx(0.6, abs=1e-3)
    assert np.allclose(goal.floor_R_base, np.eye(3), atol=1e-3)


@pytest.mark.parametrize("name", ROBOTS)
def test_lowest_heights_are_below_standing_ready(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    model = DynamicsModel(robot_of(name))
    parameters = control_parameters(model).parameters
    lowest = lowest_heights(model, extension=parameters.leg_extension)
    assert 0.3 < lowest.both_feet / parameters.com_height < 0.95
    assert lowest.both_feet <= lowest.one_foot <= parameters.com_height + 1e-6


def test_a_trunk_that_carries_too_much_is_led_up(
    robot_of: Callable[[str], RobotModel],
) -> None:
    strong = robot_of("talos")  # weak with the drives of its URDF alone
    model = DynamicsModel(replace(strong, spec=replace(strong.spec, actuators={})))
    posture = control_parameters(model).posture
    torso = np.flatnonzero([g == "torso" for g in model.actuators.groups])
    limit = WeightLimit(model, posture.world_R_base)
    for _ in range(100):
        limit.step(posture.q, posture.world_R_base, DT)
    assert not limit.offset.any()
    R, rng = posture.world_R_base, np.random.default_rng(0)
    body = robot_of("talos").body
    arms = np.array([g == "arms" for g in model.actuators.groups])
    loads = []
    for _ in range(500):  # some reach that is too much
        q = body.lower + rng.random(model.n) * (body.upper - body.lower)
        q = np.where(arms, q, posture.q)
        q[torso[1]] = 0.4
        loads.append((abs(model.weight_torques(q, R)[torso[1]]), q))
    load, bent = max(loads, key=lambda each: each[0])
    before = load / model.actuators.effort[torso[1]]
    assert before > STATIC_SHARE
    for _ in range(100):
        limit.step(bent, R, DT)
    after = np.abs(model.weight_torques(bent + limit.offset, R)[torso[1]])
    assert after / model.actuators.effort[torso[1]] < before
    lean = exp_so3(np.array([0.0, 0.4, 0.0])) @ R
    assert limit.lean(bent, lean) < 0.5
    assert limit.lean(posture.q, lean) == 1.0


def test_a_free_foot_rises_before_it_moves_aside(
    robot_of: Callable[[str], RobotModel],
) -> None:
    sole = robot_of("g1").body.soles["right"]
    start = np.array([0.0, -0.1, 0.0])
    foot = FreeFoot(start, np.eye(3), sole=sole, side=-1.0, clearance=0.04, width=0.12)
    standing = StandingFoot(p=np.array([0.0, 0.1, 0.0]), yaw=0.0, floor=0.0)
    wanted = SoleGoal(p=np.array([0.3, 0.2, -0.1]), R=np.eye(3), v=np.zeros(6))
    for _ in range(600):
        foot.follow(wanted, standing, DT, now=np.eye(3))
        p = foot.world_p_sole
        if p[2] < 0.008:
            assert np.hypot(*(p - start)[:2]) < 1e-3
    assert p[2] == pytest.approx(0.04, abs=1e-3)
    assert p[0] == pytest.approx(0.3, abs=1e-2)
    assert p[1] == pytest.approx(-0.02, abs=1e-2)  # 0.12 from the standing foot
    for _ in range(900):
        foot.lower(standing, DT)
        p = foot.world_p_sole
        if p[2] < 0.03:
            assert np.hypot(*(p - start)[:2]) < 0.025
    assert p[2] < 0.0
    assert foot.pressing > 0.0


def test_a_free_foot_that_cannot_be_level_stays_as_high_at_its_lowest_corner(
    robot_of: Callable[[str], RobotModel],
) -> None:
    sole = robot_of("icub").body.soles["right"]
    start = np.array([0.0, -0.1, 0.0])
    foot = FreeFoot(start, np.eye(3), sole=sole, side=-1.0, clearance=0.03, width=0.1)
    standing = StandingFoot(p=np.array([0.0, 0.1, 0.0]), yaw=0.0, floor=0.0)
    wanted = SoleGoal(p=start, R=np.eye(3), v=np.zeros(6))
    tilted = exp_so3(np.array([0.0, 0.3, 0.0]))
    for _ in range(600):
        foot.follow(wanted, standing, DT, now=tilted)
    corners = foot.world_p_sole + sole.corners() @ tilted.T
    assert corners[:, 2].min() == pytest.approx(0.03, abs=1e-3)
