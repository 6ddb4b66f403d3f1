"""Laws of LM-PFD: kinematics, gradient, steps against dense witnesses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.linalg import null_space
from telexist.retarget.errors import BadInput
from telexist.retarget.lm_pfd.dense_lm import DenseSteps, JointColumns
from telexist.retarget.lm_pfd.iterations import evaluate, iterate_link_space
from telexist.retarget.lm_pfd.layout import build_problem, read_posture, set_posture
from telexist.retarget.lm_pfd.model import LinkModel, PoseTarget, Posture
from telexist.retarget.lm_pfd.records import Problem
from telexist.retarget.lm_pfd.settings import LmSettings
from telexist.retarget.lm_pfd.solver import ArticulatedSteps, LinkSpaceSteps, solve
from telexist.retarget.so3 import Array, exp_so3, hat

Models = Callable[[int], Any]

SAME_ITERATE = 1e-9  # [rad] or [m], asked for by the specification
DIFFERENCE = 1e-6  # [rad] or [m] of central differences; their error is its square
FLAT = 2e-6  # relative, what central differences leave with weights of order 10
SAME_KKT = 1e-7  # relative: the KKT matrix of the witness has a condition of 1e9


def make(models: Any, count: int = 12, **parts: int) -> tuple[LinkModel, Problem]:
    model = models.model(count, **parts)
    problem = build_problem(model, models.targets(model), LmSettings())
    set_posture(problem, models.posture(model))
    return model, problem


@pytest.mark.parametrize("seed", range(4))
def test_links_are_where_plain_numpy_puts_them(
    random_models: Models, plain_place: Callable[..., Any], seed: int
) -> None:
    model, problem = make(random_models(seed))
    evaluate(problem)
    R, p = plain_place(model, read_posture(problem))
    np.testing.assert_allclose(problem.links["R"], R, atol=1e-13)
    np.testing.assert_allclose(problem.links["p"], p, atol=1e-13)


@pytest.mark.parametrize("seed", range(6))
def test_gradient_is_the_slope_of_the_merit(random_models: Models, seed: int) -> None:
    """Targets of any weight, taut and slack wires, loops of points and of poses."""
    _, problem = make(random_models(seed), wires=10, loops=2)
    problem.solver["loop_compliance"] = 1.0
    columns = JointColumns(problem)
    start = read_posture(problem)

    def merit_at(dq: Array) -> float:
        set_posture(problem, start)
        columns.set_step(problem, dq)
        problem.links["turn"], problem.links["slide"] = moved(problem)
        return float(evaluate(problem))

    evaluate(problem)
    slack = np.count_nonzero(problem.wires["excess"] == 0.0)
    assert 0 < slack < len(problem.wires)
    g = columns.gradient(problem)
    units = DIFFERENCE * np.eye(len(g))
    slope = [(merit_at(u) - merit_at(-u)) / (2.0 * DIFFERENCE) for u in units]
    assert np.max(np.abs(g + slope)) < FLAT * np.max(np.abs(g))


def moved(problem: Problem) -> tuple[Array, Array]:
    links = problem.links
    turns = exp_so3(links["dq"][:, :3]) @ links["turn"]
    return turns, links["slide"] + links["dq"][:, 3:]


@pytest.mark.parametrize("seed", range(8))
def test_recursion_and_dense_factor_give_the_same_iterates(
    random_models: Models, seed: int
) -> None:
    """Every joint kind, branches, general weights; after 1, 2, ... iterations."""
    models = random_models(seed)
    model, problem = make(models, 15)
    start = models.posture(model)
    for count in (1, 2, 3, 5, 8):
        found = []
        for method in (ArticulatedSteps(), DenseSteps(problem)):
            set_posture(problem, start)
            method.run(problem, count)
            found.append(read_posture(problem))
        np.testing.assert_allclose(found[0].turns, found[1].turns, atol=SAME_ITERATE)
        np.testing.assert_allclose(found[0].slides, found[1].slides, atol=SAME_ITERATE)


def kkt_step(problem: Problem, damping: float) -> Array:
    """Solve the corrected (64) densely, multipliers and all; return K S nu (n, 6)."""
    links, n = problem.links, len(problem.links)
    mu = float(problem.solver[0]["compliance"])
    inertia, free, held, joints = np.zeros((6 * n, 6 * n)), [], [], []
    for target in problem.targets:
        X = lever(target["arm"]) @ pick(n, target["link"])
        inertia += X.T @ target["weight"] @ X
    for wire in problem.wires[problem.wires["excess"] > 0.0]:
        parts = problem.parts[wire["first_part"] : wire["end_part"]]
        row = sum(part["row"] @ pick(n, part["link"]) for part in parts)
        inertia += wire["weight"] * np.outer(row, row)
    for i, own in enumerate(links):
        S = pick(n, i)
        if own["parent"] >= 0:
            S = S - lever(own["r"]) @ pick(n, own["parent"])
        K = joint_basis(own)
        joints.append((K, S))
        free.append(K @ S)
        held.append(null_space(K).T @ S if len(K) else S)
    K, C = np.concatenate(free), np.concatenate(held)
    softness = np.full(len(C), mu)
    for loop in problem.loops:
        rows = lever(loop["second_arm"]) @ pick(n, loop["second"])
        rows = rows - lever(loop["first_arm"]) @ pick(n, loop["first"])
        rows = rows if loop["turns"] else rows[3:]
        C = np.concatenate([C, rows])
        softness = np.append(
            softness, np.full(len(rows), problem.solver[0]["loop_compliance"])
        )
    g = np.concatenate(
        [K_j @ own["g"] for own, (K_j, _) in zip(links, joints, strict=True)]
    )
    matrix = np.block([[inertia + damping * K.T @ K, C.T], [C, -np.diag(softness)]])
    rhs = np.concatenate([K.T @ g, np.zeros(len(C))])
    nu = np.linalg.solve(matrix, rhs)[: 6 * n]
    return np.array([K_j.T @ K_j @ S @ nu for K_j, S in joints])


def pick(n: int, link: int) -> Array:
    rows = np.zeros((6, 6 * n))
    rows[:, 6 * link : 6 * link + 6] = np.eye(6)
    return rows


def lever(r: Array) -> Array:
    return np.block([[np.eye(3), np.zeros((3, 3))], [-hat(r), np.eye(3)]])


def joint_basis(own: np.void) -> Array:
    """Return K of a joint in world axes (dofs, 6)."""
    zero = np.zeros(3)
    return [
        np.zeros((0, 6)),
        np.concatenate([own["a"], zero])[None],
        np.concatenate([zero, own["a"]])[None],
        np.eye(6)[:3],
        np.eye(6),
    ][own["kind"]]


@pytest.mark.parametrize("seed", range(6))
def test_link_space_step_solves_the_kkt_system(
    random_models: Models, seed: int
) -> None:
    models = random_models(seed)
    _, problem = make(models, 12, wires=8, loops=2)
    problem.solver["compliance"] = 1e-4
    problem.solver["loop_compliance"] = 1e-2
    evaluate(problem)
    damping = float(problem.solver[0]["cost"]) + 12e-8
    iterate_link_space(problem, 1)
    x = problem.links["x"].copy()
    set_posture(problem, last_posture(problem))
    evaluate(problem)
    JointColumns(problem).gradient(problem)
    witness = kkt_step(problem, damping)
    assert np.max(np.abs(x - witness)) < SAME_KKT * np.max(np.abs(witness))


def last_posture(problem: Problem) -> Posture:
    return Posture(turns=problem.links["last_turn"], slides=problem.links["last_slide"])


@pytest.mark.parametrize("wires", [0, 8])
def test_link_space_step_tends_to_the_dense_one(
    random_models: Models, wires: int
) -> None:
    """The stiffer the joints, the nearer, in proportion to the compliance."""
    models = random_models(7)
    model, problem = make(models, 12, wires=wires)
    start = models.posture(model)
    dense = DenseSteps(problem)
    set_posture(problem, start)
    dense.run(problem, 1)
    exact = problem.links["dq"].copy()
    errors = []
    for compliance in (1e-3, 1e-4, 1e-5, 1e-6):
        problem.solver["compliance"] = compliance
        set_posture(problem, start)
        iterate_link_space(problem, 1)
        errors.append(np.max(np.abs(problem.links["dq"] - exact)))
    assert errors[-1] < 1e-4 * np.max(np.abs(exact))
    ratios = np.divide(errors[:-1], errors[1:])
    assert np.all(ratios > 5.0)


@pytest.mark.parametrize("method", ["articulated", "link space", "dense"])
def test_cost_falls_from_iteration_to_iteration(
    random_models: Models, method: str
) -> None:
    models = random_models(3)
    _, problem = make(models, 15)
    methods = {
        "articulated": ArticulatedSteps(),
        "link space": LinkSpaceSteps(),
        "dense": DenseSteps(problem),
    }
    costs = [float(evaluate(problem))]
    for _ in range(10):
        methods[method].run(problem, 1)
        costs.append(float(problem.solver[0]["cost"]))
    assert np.all(np.diff(costs) <= 0.0)
    assert costs[-1] < 0.5 * costs[0]


def test_wires_and_loops_need_link_space(random_models: Models) -> None:
    model, problem = make(random_models(0), wires=1)
    with pytest.raises(BadInput, match="link-space"):
        solve(problem, ArticulatedSteps(), model.rest(), LmSettings())


def test_numbers_that_are_not_finite_are_refused() -> None:
    with pytest.raises(BadInput, match="finite"):
        PoseTarget(link="a", world_p_goal=np.array([0.0, np.nan, 0.0]))
