"""Where soles stand, what they span, and the nearest point in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from telexist.retarget.ahead import Postures, place_bodies, runs, sole_corners
from telexist.retarget.ahead.balance_rows import (
    LEAST,
    LIFT,
    BalanceRows,
    inside,
    polygons_of,
)
from telexist.retarget.ahead.stands import MARGIN, find_stands
from telexist.robots.description import RobotModel

Robot = Callable[[str], RobotModel]


def standing(robot: RobotModel, frames: int = 5) -> Postures:
    neutral = robot.body.neutral
    return Postures(
        p=np.tile(neutral.world_p_base, (frames, 1)),
        R=np.tile(neutral.world_R_base, (frames, 1, 1)),
        q=np.tile(neutral.q, (frames, 1)),
    )


def test_runs_are_stretches_of_true_flags() -> None:
    flags = np.array([1, 1, 0, 0, 1, 0, 1, 1, 1], dtype=bool)
    assert list(runs(flags)) == [(0, 2), (4, 5), (6, 9)]


def test_the_polygon_of_one_sole_is_the_sole_less_its_margin(robot_of: Robot) -> None:
    robot = robot_of("g1")
    placed = place_bodies(robot.body.kinematics.tree(), standing(robot))
    soles = sole_corners(robot.body)
    planted = np.tile([True, False], (5, 1))
    stands = find_stands(soles, placed, planted, 0.1)
    assert stands.one_leg.all() and stands.supported.all()
    corners = soles[0].at(placed)[0, :, :2]
    sole = robot.body.soles["left"]
    least = min(MARGIN, 0.35 * sole.width / 2.0)
    reach = stands.normals[0] @ corners.T - stands.limits[0][:, None]
    real = stands.limits[0] < 1e3
    assert real.sum() == 4
    # every edge is passed by the two corners on it, by the margin
    np.testing.assert_allclose(np.sort(reach[real], axis=1)[:, 2:], least, atol=2e-3)


def test_a_foot_that_hardly_wanders_is_held_on_one_spot(robot_of: Robot) -> None:
    robot, rng = robot_of("g1"), np.random.default_rng(0)
    given = standing(robot, 30)
    p = given.p + 0.001 * rng.uniform(size=given.p.shape)
    placed = place_bodies(robot.body.kinematics.tree(), given._replace(p=p))
    stands = find_stands(
        sole_corners(robot.body), placed, np.ones((30, 2), dtype=bool), 0.1
    )
    assert np.ptp(stands.places, axis=1).max() < 1e-12


@pytest.mark.parametrize("seed", range(4))
def test_the_nearest_point_inside_is_that_of_another_solver(
    robot_of: Robot, seed: int
) -> None:
    robot, rng = robot_of("g1"), np.random.default_rng(seed)
    placed = place_bodies(robot.body.kinematics.tree(), standing(robot))
    planted = np.tile([True, seed % 2 == 0], (5, 1))
    polygons = polygons_of(find_stands(sole_corners(robot.body), placed, planted, 0.1))
    share = rng.uniform(0.4, 1.5, size=3)
    rows = BalanceRows(np.zeros(0), np.zeros(0), polygons, share)
    points = rng.normal(scale=0.2, size=(3, 3))
    found = inside(points, rows)
    for k in range(3):
        normals, far = polygons.normals[k], polygons.far[k] * share[k]
        limits = {
            "type": "ineq",
            "fun": lambda x, a=normals, d=far: np.minimum(d, 1.0) - a @ x,
        }
        place = points[k, :2]
        best = minimize(
            lambda x, y=place: np.sum((x - y) ** 2), np.zeros(2), constraints=limits
        )
        np.testing.assert_allclose(found[k, :2], best.x, atol=2e-3)
        assert found[k, 2] >= LIFT * LEAST - 1e-12
    air = replace_on(rows)
    np.testing.assert_array_equal(inside(points, air), points)


def replace_on(rows: BalanceRows) -> BalanceRows:
    """Return the same with nothing that stands."""
    none = np.zeros_like(rows.polygons.on)
    return rows._replace(polygons=rows.polygons._replace(on=none))


def test_a_robot_without_soles_has_no_corners(robot_of: Robot) -> None:
    body = replace(robot_of("g1").body, soles={})
    assert sole_corners(body) == ()


def test_alone_on_an_edge_for_long_a_sole_is_flat_and_for_a_moment_it_is_not(
    robot_of: Robot,
) -> None:
    robot = robot_of("g1")
    given = standing(robot, 20)
    q = given.q.copy()
    pitch = robot.body.kinematics.index("left_ankle_pitch_joint")
    q[10:, pitch] += 0.2
    placed = place_bodies(robot.body.kinematics.tree(), given._replace(q=q))
    planted = np.tile([True, False], (20, 1))
    soles = sole_corners(robot.body)
    long, moment = (find_stands(soles, placed, planted, dt) for dt in (0.02, 0.005))
    assert long.on[0].all()
    assert moment.on[0, :10].all()
    assert (moment.on[0, 10:].sum(axis=1) == 2).all()


def test_only_a_sole_that_is_not_flat_and_does_not_travel_is_held_in_its_middle(
    robot_of: Robot,
) -> None:
    robot = robot_of("g1")
    given = standing(robot, 30)
    lifted = given.p + [0.0, 0.0, 0.1]
    moving = lifted + np.outer(0.02 * np.arange(30), [0.2, 0.0, 0.0])
    soles, tree = sole_corners(robot.body), robot.body.kinematics.tree()
    planted = np.ones((30, 2), dtype=bool)
    for p, flags, still in (
        (given.p, planted, False),
        (lifted, ~planted, True),
        (moving, ~planted, False),
    ):
        placed = place_bodies(tree, given._replace(p=p))
        found = find_stands(soles, placed, flags, 0.02)
        assert (found.still == still).all()
