"""The compiled O(n) step is the constrained least squares that a QP solver finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.errors import QpFailed
from telexist.retarget.ik.limits import step_bounds
from telexist.retarget.ik.recursive_ik import RecursiveIk
from telexist.retarget.ik.settings import IkSettings
from telexist.retarget.ik.targets import Targets
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import log_so3
from telexist.retarget.witness.reference_ik import ReferenceIk

Start = Callable[[RobotBody, np.random.Generator], Configuration]
Make = Callable[..., Targets]

SHIPPED = ("icub", "g1", "talos", "romeo", "baxter", "jvrc1", "human66", "human48")
FOUND = ("nao", "atlas", "h1", "valkyrie", "ergocub", "booster_t1")

FREE = 1e-8  # [rad/s] and [m/s]: the figure without active limits
ACTIVE = 1e-6  # [rad/s] and [m/s]: the figure with active limits
STIFF = 1e4  # greatest weight of a point [1/m^2], 1e9 times the damping
REPEATED = 1e-5  # [rad/s] four linearisations carry the rounding of the first along
KKT = 1e-6  # slope of the cost, whose curvature reaches 1e4 / rad^2, at 1e-10 rad
ON = 1e-12  # [rad] or [m] rounding of a difference of joint positions
DT = 0.02  # [s]

ONE = IkSettings(iterations=1)


def difference(a: Configuration, b: Configuration, dt: float) -> float:
    """Return the largest difference of two ends of a step, as a velocity."""
    turned = log_so3(a.world_R_base @ b.world_R_base.T)
    moved = a.world_p_base - b.world_p_base
    return max(float(np.abs(d).max()) for d in (turned, moved, a.q - b.q)) / dt


def without_weights(targets: Targets) -> Targets:
    wanted = targets.orientations
    return replace(
        targets,
        orientations=replace(wanted, weights=0.0 * wanted.weights),
        points=tuple(replace(p, weights=0.0 * p.weights) for p in targets.points),
    )


def unhurried(body: RobotBody) -> RobotBody:
    """Return the robot with limits that no small step touches."""
    n = body.kinematics.n
    return replace(
        body,
        lower=np.full(n, -1e3),
        upper=np.full(n, 1e3),
        velocity=np.full(n, 1e5),
        couplings=(),
    )


def check_free(
    body: RobotBody, count: int, start: Start, make: Make, *, solver: str = "daqp"
) -> None:
    body, rng = unhurried(body), np.random.default_rng(0)
    reference, recursive = ReferenceIk(body, ONE, solver=solver), RecursiveIk(body, ONE)
    for k in range(count):
        at = start(body, rng)
        targets = make(body, at, rng, far=0.05, stiff=STIFF if k % 2 else 10.0)
        a, b = (ik.step(at, targets, DT) for ik in (reference, recursive))
        assert difference(a, b, DT) < FREE, k


def check_active(
    body: RobotBody, count: int, start: Start, make: Make, *, solver: str = "daqp"
) -> None:
    rng, compared = np.random.default_rng(1), 0
    reference, recursive = ReferenceIk(body, ONE, solver=solver), RecursiveIk(body, ONE)
    for k in range(count):
        dt = 10.0 ** rng.uniform(-2.5, -1.0)
        at = start(body, rng)
        targets = make(body, at, rng, far=0.3, stiff=STIFF if k % 2 else 10.0)
        b = recursive.step(at, targets, dt)
        try:
            a = reference.step(at, targets, dt)
        except QpFailed:  # limits and couplings that contradict each other so far out
            continue
        compared += 1
        assert difference(a, b, dt) < ACTIVE, k
    assert compared > 0.9 * count


@pytest.mark.parametrize("name", SHIPPED)
def test_free_steps_are_those_of_the_reference(
    name: str,
    body_of: Callable[[str], RobotBody],
    start_inside: Start,
    make_targets: Make,
) -> None:
    check_free(body_of(name), 25, start_inside, make_targets)


@pytest.mark.parametrize("name", SHIPPED)
def test_steps_at_and_beyond_limits_are_those_of_the_reference(
    name: str,
    body_of: Callable[[str], RobotBody],
    start_at_limits: Start,
    make_targets: Make,
) -> None:
    check_active(body_of(name), 25, start_at_limits, make_targets)


@pytest.mark.parametrize("name", ["g1", "human66", "baxter"])
def test_steps_are_those_of_the_papers_solver(
    name: str,
    body_of: Callable[[str], RobotBody],
    start_inside: Start,
    start_at_limits: Start,
    make_targets: Make,
) -> None:
    pytest.importorskip("osqp")
    check_free(body_of(name), 10, start_inside, make_targets, solver="osqp")
    check_active(body_of(name), 10, start_at_limits, make_targets, solver="osqp")


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED + FOUND)
def test_a_thousand_steps_are_those_of_the_reference(
    name: str,
    body_of: Callable[[str], RobotBody],
    start_inside: Start,
    start_at_limits: Start,
    make_targets: Make,
) -> None:
    check_free(body_of(name), 500, start_inside, make_targets)
    check_active(body_of(name), 500, start_at_limits, make_targets)


def test_following_joints_and_rails_are_those_of_the_reference(
    following: RobotBody,
    start_inside: Start,
    start_at_limits: Start,
    make_targets: Make,
) -> None:
    check_active(following, 100, start_inside, make_targets)
    check_active(following, 100, start_at_limits, make_targets)


def test_following_joints_end_where_their_leaders_say(
    following: RobotBody, start_inside: Start, make_targets: Make
) -> None:
    kinematics, rng = following.kinematics, np.random.default_rng(2)
    ik, at = RecursiveIk(following), start_inside(following, rng)
    for _ in range(50):
        at = ik.step(at, make_targets(following, at, rng, far=0.5), DT)
        for mimic in following.mimics:
            leader = at.q[kinematics.index(mimic.leader)]
            wanted = mimic.multiplier * leader + mimic.offset
            assert at.q[kinematics.index(mimic.joint)] == pytest.approx(
                wanted, abs=1e-12
            )


@pytest.mark.parametrize("name", SHIPPED)
def test_steps_from_singular_postures_are_those_of_the_reference(
    name: str, body_of: Callable[[str], RobotBody], make_targets: Make
) -> None:
    body, rng = body_of(name), np.random.default_rng(3)
    reference, recursive = ReferenceIk(body, ONE), RecursiveIk(body, ONE)
    straight = replace(body.neutral, q=np.clip(0.0, body.lower, body.upper))
    for at in (straight, body.neutral):
        for _ in range(5):
            targets = make_targets(body, at, rng, far=0.2)
            a, b = (ik.step(at, targets, DT) for ik in (reference, recursive))
            assert difference(a, b, DT) < ACTIVE


@pytest.mark.parametrize("name", SHIPPED)
def test_targets_without_weight_leave_only_posture_and_floor(
    name: str,
    body_of: Callable[[str], RobotBody],
    start_at_limits: Start,
    make_targets: Make,
) -> None:
    body, rng = body_of(name), np.random.default_rng(4)
    reference, recursive = ReferenceIk(body, ONE), RecursiveIk(body, ONE)
    for _ in range(10):
        at = start_at_limits(body, rng)
        targets = without_weights(make_targets(body, at, rng, far=0.3))
        for now in (targets, replace(targets, floor=())):
            a, b = (ik.step(at, now, DT) for ik in (reference, recursive))
            assert difference(a, b, DT) < FREE


@pytest.mark.parametrize("name", ["human66", "human48", "g1"])
def test_active_sets_that_pivots_do_not_find_are_found(
    name: str,
    body_of: Callable[[str], RobotBody],
    start_at_limits: Start,
    make_targets: Make,
) -> None:
    """One in twenty of these made block pivoting wander until it gave up."""
    body, rng = body_of(name), np.random.default_rng(9)
    recursive = RecursiveIk(body, ONE)
    for _ in range(150):
        at = start_at_limits(body, rng)
        end = recursive.step(at, make_targets(body, at, rng, far=0.5, stiff=100.0), DT)
        assert np.isfinite(end.q).all()


@pytest.mark.parametrize("name", ["icub", "g1", "talos", "baxter"])
def test_repeated_linearisation_is_that_of_the_reference(
    name: str,
    body_of: Callable[[str], RobotBody],
    start_inside: Start,
    make_targets: Make,
) -> None:
    body, rng = body_of(name), np.random.default_rng(5)
    reference, recursive = ReferenceIk(body), RecursiveIk(body)
    for _ in range(20):
        at = start_inside(body, rng)
        targets = make_targets(body, at, rng, far=0.3)
        a, b = (ik.step(at, targets, DT) for ik in (reference, recursive))
        assert difference(a, b, DT) < REPEATED


@pytest.mark.parametrize("name", ["g1", "talos", "human48", "baxter"])
def test_no_way_inside_the_bounds_lowers_the_cost(
    name: str,
    body_of: Callable[[str], RobotBody],
    start_at_limits: Start,
    make_targets: Make,
) -> None:
    """The KKT conditions, written down here without any solver."""
    body, rng = body_of(name), np.random.default_rng(6)
    recursive, reference = RecursiveIk(body, ONE), ReferenceIk(body, ONE)
    for _ in range(20):
        at = start_at_limits(body, rng)
        at = replace(at, q=np.clip(at.q, body.lower, body.upper))
        targets = make_targets(body, at, rng, far=0.3)
        end = recursive.step(at, targets, DT)
        turned = log_so3(end.world_R_base @ at.world_R_base.T)
        x = np.concatenate([end.world_p_base - at.world_p_base, turned, end.q - at.q])
        bounds = step_bounds(at.q, body.lower, body.upper, body.velocity, DT)
        body.kinematics.update(at)
        rotations = body.kinematics.rotations(targets.orientations.frames)
        leftovers = targets.leftovers(rotations, ONE.gain, DT)
        no_rows = step_bounds(*np.zeros((4, 0)), DT)
        problem = reference.build_problem(at, targets, leftovers, bounds, no_rows)
        n = len(x)
        J, heights = problem.A[:, :n], -problem.row_lower
        depth = np.minimum(0.0, heights + J @ x)
        slope = problem.H[:n, :n] @ x + problem.g[:n] + ONE.floor_weight * J.T @ depth
        if body.fixed_base:
            slope[:6] = 0.0
        on_lower, on_upper = x[6:] < bounds.lower + ON, x[6:] > bounds.upper - ON
        slope[6:][on_lower] = np.minimum(slope[6:][on_lower], 0.0)
        slope[6:][on_upper] = np.maximum(slope[6:][on_upper], 0.0)
        assert np.abs(slope).max() < KKT
