"""`ReachingIk` gets around corners of the limits in which a plain step is caught."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.errors import BadInput
from telexist.retarget.ik.posture_search import PostureSearch, orientation_errors
from telexist.retarget.ik.reaching_ik import ReachingIk
from telexist.retarget.ik.recursive_ik import RecursiveIk
from telexist.retarget.ik.targets import OrientationTargets, Targets
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import rotation_z

Body = Callable[[str], RobotBody]

REACHED = np.deg2rad(0.1)  # [rad] the "converged"
DT = 1.0 / 60.0  # [s]
STEPS = 120  # 2 s


def targets_of(body: RobotBody, at: Configuration) -> Targets:
    kinematics = body.kinematics
    kinematics.update(at)
    frames = tuple(kinematics.frame(link) for link in body.links.values())
    k = len(frames)
    return Targets(
        orientations=OrientationTargets(
            frames=frames,
            world_R_link=kinematics.rotations(frames),
            angular_velocities=np.zeros((k, 3)),
            axes=np.tile(np.eye(3), (k, 1, 1)),
            weights=np.ones((k, 3)),
        )
    )


def with_joint(body: RobotBody, joint: str, angle: float) -> Configuration:
    q = body.neutral.q.copy()
    q[body.kinematics.index(joint)] = angle
    return replace(body.neutral, q=q)


def end_of(
    ik: RecursiveIk | ReachingIk, start: Configuration, targets: Targets
) -> Configuration:
    for _ in range(STEPS):
        start = ik.step(start, targets, DT)
    return start


def test_a_waist_turns_back_where_its_limit_bars_the_short_way(body_of: Body) -> None:
    body = body_of("g1")
    start = with_joint(body, "waist_yaw_joint", 2.5)
    targets = targets_of(body, with_joint(body, "waist_yaw_joint", -2.5))
    plain = end_of(RecursiveIk(body), start, targets)
    assert orientation_errors(body, plain, targets).max() > 0.5
    led = end_of(ReachingIk(body), start, targets)
    assert orientation_errors(body, led, targets).max() < REACHED


@pytest.mark.parametrize("name", ["g1", "icub", "human66"])
def test_a_robot_that_faces_away_turns_round(name: str, body_of: Body) -> None:
    body = body_of(name)
    turned = rotation_z(np.pi) @ body.neutral.world_R_base
    targets = targets_of(body, replace(body.neutral, world_R_base=turned))
    end = end_of(ReachingIk(body), body.neutral, targets)
    assert orientation_errors(body, end, targets).max() < REACHED


def test_targets_that_are_near_are_followed_as_by_the_plain_step(body_of: Body) -> None:
    body, rng = body_of("g1"), np.random.default_rng(0)
    near = body.neutral.q + rng.uniform(-0.05, 0.05, body.kinematics.n)
    goal = replace(body.neutral, q=np.clip(near, body.lower, body.upper))
    targets = targets_of(body, goal)
    plain, led = (ik(body).step(goal, targets, DT) for ik in (RecursiveIk, ReachingIk))
    np.testing.assert_array_equal(plain.q, led.q)


def test_a_found_posture_is_inside_the_limits(body_of: Body) -> None:
    body, rng = body_of("icub"), np.random.default_rng(1)
    search = PostureSearch(body)
    for _ in range(5):
        q = rng.uniform(body.lower, body.upper)
        found = search.find(replace(body.neutral, q=q), targets_of(body, body.neutral))
        at = found.configuration.q
        assert np.all((at >= body.lower) & (at <= body.upper))
        assert found.error < REACHED


@pytest.mark.parametrize("name", ["g1", "baxter"])
def test_contradicting_targets_give_neither_nan_nor_a_violation(
    name: str, body_of: Body
) -> None:
    body, rng = body_of(name), np.random.default_rng(2)
    ik, at = ReachingIk(body), body.neutral
    for _ in range(20):
        targets = targets_of(body, body.neutral)
        wild = targets.orientations.world_R_link.copy()
        wild[::2] = wild[::2] @ rotation_z(rng.uniform(-np.pi, np.pi))
        orientations = replace(targets.orientations, world_R_link=wild)
        for _ in range(5):
            at = ik.step(at, replace(targets, orientations=orientations), DT)
            assert np.all((at.q >= body.lower) & (at.q <= body.upper))
            assert np.isfinite(at.world_R_base).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("stepper", [RecursiveIk, ReachingIk])
def test_numbers_that_are_none_are_refused_and_change_nothing(
    stepper: type[RecursiveIk], bad: float, body_of: Body
) -> None:
    body = body_of("g1")
    targets = targets_of(body, with_joint(body, "waist_yaw_joint", 0.3))
    broken = targets.orientations.world_R_link.copy()
    broken[2, 0, 1] = bad
    wrong = replace(
        targets, orientations=replace(targets.orientations, world_R_link=broken)
    )
    disturbed, untouched = stepper(body), stepper(body)
    with pytest.raises(BadInput, match="finite"):
        disturbed.step(body.neutral, wrong, DT)
    a, b = (ik.step(body.neutral, targets, DT) for ik in (disturbed, untouched))
    np.testing.assert_array_equal(a.q, b.q)
