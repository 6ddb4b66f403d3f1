"""Wires that may be slack, loops that must close, and the sparse factor behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.lm_pfd.dense_lm import DenseSteps
from telexist.retarget.lm_pfd.elimination import eliminate
from telexist.retarget.lm_pfd.gradient_methods import BfgsSteps, ConjugateGradientSteps
from telexist.retarget.lm_pfd.layout import build_problem
from telexist.retarget.lm_pfd.model import (
    Link,
    LinkModel,
    Loop,
    PoseTarget,
    ViaPoint,
    Wire,
    point_target,
)
from telexist.retarget.lm_pfd.settings import LmSettings
from telexist.retarget.lm_pfd.solver import (
    ArticulatedSteps,
    LinkSpaceSteps,
    solve,
    solve_pose,
)

Models = Callable[[int], Any]

CLOSED = 1e-9  # [m] a closed loop whose targets do not pull it open
PULLED_OPEN = 1e-6  # [m] a loop whose targets do
TAUT = 1e-5  # [m] relative length of a wire of weight 1e4 against a target of 1


def pendulum(*, length: float, weight: float = 1e4) -> LinkModel:
    """Return a ball that slides along x, on a wire to the world's origin."""
    anchor = Link(name="anchor", joint="fixed")
    ball = Link(name="ball", joint="prismatic", axis=np.array([1.0, 0.0, 0.0]))
    wire = Wire(
        name="wire",
        path=(at("anchor", 0.0, 0.0), at("ball", 0.0, 0.0)),
        length=length,
        weight=weight,
    )
    return LinkModel(links=(anchor, ball), wires=(wire,))


def at(link: str, x: float, y: float) -> ViaPoint:
    return ViaPoint(link=link, link_p_point=np.array([x, y, 0.0]))


@pytest.mark.parametrize("goal", [0.2, 0.7, 1.3, 4.0])
def test_wire_holds_only_when_taut(goal: float) -> None:
    model = pendulum(length=1.0)
    start = solve_pose(model, [point_target("ball", np.zeros(3), [0.1, 0, 0])])
    solution = solve_pose(
        model, [point_target("ball", np.zeros(3), [goal, 0, 0])], start.posture
    )
    reached = float(solution.posture.slides[1, 0])
    # the optimum of (x - goal)^2 + 1e4 max(x - 1, 0)^2
    expected = goal if goal <= 1.0 else (goal + 1e4) / (1.0 + 1e4)
    assert reached == pytest.approx(expected, abs=TAUT)


def test_wire_through_via_points_of_one_link_stays_as_long() -> None:
    """A stretch between two points of one link neither pulls nor counts as taut."""
    free = Link(name="free", joint="free")
    wire = Wire(name="w", path=(at("free", 0.0, 0.0), at("free", 1.0, 0.0)), length=0.5)
    model = LinkModel(links=(free,), wires=(wire,))
    solution = solve_pose(model, [PoseTarget(link="free", world_p_goal=np.ones(3))])
    np.testing.assert_allclose(solution.posture.slides[0], 1.0, atol=1e-8)


def four_bar() -> LinkModel:
    """Return a parallel crank of 1 by 2 m, its last hinge a loop of two points."""
    up = np.array([0.0, 0.0, 1.0])
    crank = Link(name="crank", joint="revolute", axis=up)
    rod = Link(
        name="rod",
        parent="crank",
        joint="revolute",
        axis=up,
        rest_p=np.array([0.0, 1.0, 0.0]),
    )
    rocker = Link(
        name="rocker", joint="revolute", axis=up, rest_p=np.array([2.0, 0.0, 0.0])
    )
    hinge = tuple(
        Loop(
            first=ViaPoint(link="rod", link_p_point=np.array([2.0, 0.0, z])),
            second=ViaPoint(link="rocker", link_p_point=np.array([0.0, 1.0, z])),
        )
        for z in (0.0, 0.1)
    )
    return LinkModel(links=(crank, rod, rocker), loops=hinge)


def test_four_bar_linkage_closes_and_reaches() -> None:
    model = four_bar()
    angle = 0.8
    goal = [-np.sin(angle), np.cos(angle), 0.0]
    target = point_target("crank", [0.0, 1.0, 0.0], goal)
    solution = solve_pose(model, [target])
    assert solution.gap < CLOSED
    assert solution.cost < 1e-16
    turned = np.arctan2(
        solution.posture.turns[:, 1, 0], solution.posture.turns[:, 0, 0]
    )
    np.testing.assert_allclose(turned, [angle, -angle, angle], atol=1e-7)


def test_loop_stays_closed_while_targets_pull_it_open() -> None:
    """Crank and rocker are asked to opposite sides; each goes half the way."""
    model = four_bar()
    targets = [
        point_target("crank", [0.0, 1.0, 0.0], [-1.0, 0.5, 0.0]),
        point_target("rocker", [0.0, 1.0, 0.0], [3.0, 0.5, 0.0]),
    ]
    gaps = [
        solve_pose(model, targets, settings=LmSettings(closures=k)).gap
        for k in (0, 1, 2)
    ]
    assert gaps[2] < PULLED_OPEN
    assert gaps[2] <= gaps[1] <= gaps[0]


@pytest.mark.parametrize("seed", range(3))
def test_all_methods_find_the_same_optimum(random_models: Models, seed: int) -> None:
    """Two targets on every link that contradict each other a little, and a wire."""
    models = random_models(seed)
    links = models.links(8)
    wire = Wire(name="w", path=(at("link0", 0, 0), at("link7", 0, 0)), length=0.1)
    model = LinkModel(links=links, wires=(wire,))
    targets = models.reachable(model, models.posture(model, 0.2))
    targets += models.reachable(model, models.posture(model, 0.2))
    settings = LmSettings(iterations=3000, gradient=1e-8, step=1e-13)
    problem = build_problem(model, targets, settings)
    methods = (
        LinkSpaceSteps(),
        DenseSteps(problem),
        BfgsSteps(problem),
        ConjugateGradientSteps(problem),
    )
    found = [solve(problem, method, model.rest(), settings) for method in methods]
    costs = [solution.cost for solution in found]
    assert problem.wires[0]["excess"] > 0.0
    np.testing.assert_allclose(costs, costs[0], rtol=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_reachable_targets_are_reached_from_far(
    random_models: Models, seed: int
) -> None:
    models = random_models(seed)
    model = models.model(20)
    targets = models.reachable(model, models.posture(model, 0.6))
    settings = LmSettings(iterations=200, cost=1e-18)
    problem = build_problem(model, targets, settings)
    for method in (ArticulatedSteps(), LinkSpaceSteps()):
        solution = solve(problem, method, model.rest(), settings)
        assert solution.settled
        assert solution.cost < 1e-15


@pytest.mark.parametrize("seed", range(5))
def test_elimination_fills_what_a_dense_factor_fills(seed: int) -> None:
    """Blocks that are not in the pattern are zero in numpy's factor too."""
    rng = np.random.default_rng(seed)
    n = 25
    pairs = [(i, int(rng.integers(max(0, i - 3), i))) for i in range(1, n)]
    pairs += [(int(a), int(b)) for a, b in rng.integers(n, size=(8, 2))]
    plan = eliminate(n, pairs)
    matrix = 50.0 * np.eye(n)
    for a, b in pairs:
        matrix[plan.column[a], plan.column[b]] = matrix[
            plan.column[b], plan.column[a]
        ] = 50.0 if a == b else rng.normal()
    factor = np.linalg.cholesky(matrix).T
    kept = {(int(a), int(b)) for a, b in np.argwhere(np.abs(factor) > 1e-14)}
    assert kept <= set(plan.slots)
    assert sorted(plan.order) == list(range(n))
    assert len(plan.slots) < n * (n + 1) // 2


def test_chain_is_eliminated_without_fill() -> None:
    n = 40
    plan = eliminate(n, [(i, i - 1) for i in range(1, n)])
    assert len(plan.slots) == 2 * n - 1


def test_mistakes_in_a_model_are_named() -> None:
    with pytest.raises(UnknownName, match="parent"):
        LinkModel(links=(Link(name="a", parent="b"),))
    with pytest.raises(BadInput, match="two links"):
        LinkModel(links=(Link(name="a"), Link(name="a")))
    with pytest.raises(BadInput, match="two points"):
        Wire(name="w", path=(at("a", 0.0, 0.0),), length=1.0)
    with pytest.raises(UnknownName, match="joint"):
        Link(name="a", joint="hinge")
