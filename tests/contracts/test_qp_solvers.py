"""Every registered QP solver, against problems whose answers are known by hand."""

from __future__ import annotations

import numpy as np
import pytest
from telexist.retarget.errors import MissingDependency, QpFailed, UnknownName
from telexist.retarget.qp.problem import QpProblem
from telexist.retarget.qp.solver import SOLVERS, QpSolver, make_solver

TOLERANCE = 1e-5  # the first-order solvers stop there


@pytest.fixture(params=sorted(SOLVERS))
def solver(request: pytest.FixtureRequest) -> QpSolver:
    try:
        return make_solver(request.param)
    except MissingDependency as error:
        pytest.skip(str(error))


def problem(n: int, seed: int, **rows: np.ndarray) -> QpProblem:
    rng = np.random.default_rng(seed)
    values = {
        "H": np.diag(rng.uniform(0.5, 2.0, n)),
        "g": rng.normal(size=n),
        "lower": np.full(n, -0.5),
        "upper": np.full(n, 0.5),
        "A": np.zeros((0, n)),
        "row_lower": np.zeros(0),
        "row_upper": np.zeros(0),
    }
    return QpProblem(**(values | rows))


@pytest.mark.parametrize("seed", range(3))
def test_a_diagonal_cost_in_a_box_is_clipped(solver: QpSolver, seed: int) -> None:
    asked = problem(7, seed)
    x = solver.solve(asked)
    best = np.clip(-asked.g / np.diag(asked.H), asked.lower, asked.upper)
    assert x == pytest.approx(best, abs=TOLERANCE)
    assert (asked.lower <= x).all() and (x <= asked.upper).all()


def test_a_row_holds_and_the_nearest_point_of_it_is_found(solver: QpSolver) -> None:
    n = 4
    free = np.full(n, np.inf)
    row = {"A": np.ones((1, n)), "row_lower": np.ones(1), "row_upper": np.ones(1)}
    asked = problem(n, 0, H=np.eye(n), g=np.zeros(n), lower=-free, upper=free, **row)
    assert solver.solve(asked) == pytest.approx(np.full(n, 1.0 / n), abs=TOLERANCE)


def test_a_second_problem_is_not_answered_with_the_first(solver: QpSolver) -> None:
    for seed in (1, 2):
        asked = problem(5, seed)
        best = np.clip(-asked.g / np.diag(asked.H), asked.lower, asked.upper)
        assert solver.solve(asked) == pytest.approx(best, abs=TOLERANCE)


def test_a_problem_without_an_answer_is_told(solver: QpSolver) -> None:
    n = 3
    row = {"A": np.ones((1, n)), "row_lower": np.full(1, 9.0)}
    with pytest.raises(QpFailed):
        solver.solve(problem(n, 0, **row, row_upper=np.full(1, 10.0)))


def test_an_unknown_solver_is_told_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="daqp"):
        make_solver("dapq")
