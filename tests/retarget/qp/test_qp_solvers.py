"""Every registered and installed QP solver against the contract of `QpSolver`."""

from __future__ import annotations

import builtins

import numpy as np
import pytest
from telexist.retarget.errors import MissingDependency, QpFailed, UnknownName
from telexist.retarget.qp.kkt import kkt_residual
from telexist.retarget.qp.problem import QpProblem
from telexist.retarget.qp.solver import SOLVERS, QpSolver, make_solver

CLOSE = {"daqp": 1e-8, "osqp": 1e-5, "proxqp": 1e-6}
"""Distance to the witness [rad]: daqp is a direct method; the others stop at residuals
of 1e-9, divided by the smallest curvature of these problems, 1e-2, and polished."""
ACTIVE = 1e-7  # [rad] osqp and proxqp stop this near to an active bound
STATIONARY = 1e-5  # slope left: ACTIVE times the largest curvature, 1e2


@pytest.fixture(params=SOLVERS)
def solver(request: pytest.FixtureRequest) -> QpSolver:
    try:
        return make_solver(request.param)
    except MissingDependency as error:
        pytest.skip(str(error))


def random_problem(seed: int, *, width: float, rows: int = 3) -> QpProblem:
    rng = np.random.default_rng(seed)
    n = 20
    J = rng.normal(size=(n + 5, n))
    A = rng.normal(size=(rows, n))
    inside = rng.uniform(-0.5, 0.5, n) * width
    half = width * rng.uniform(0.1, 1.0, rows)
    half[:1] = 0.0  # an equality
    return QpProblem(
        H=J.T @ J + 1e-2 * np.eye(n),
        g=10.0 * rng.normal(size=n),
        lower=np.where(rng.uniform(size=n) < 0.2, -np.inf, -width),
        upper=np.full(n, width),
        A=A,
        row_lower=A @ inside - half,
        row_upper=A @ inside + half,
    )


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("width", [0.1, 1.0, 100.0])
def test_answers_satisfy_the_kkt_conditions(
    solver: QpSolver, seed: int, width: float
) -> None:
    problem = random_problem(seed, width=width)
    residual = kkt_residual(problem, solver.solve(problem), active=ACTIVE)
    assert residual.stationarity < STATIONARY
    assert residual.violation < ACTIVE


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", SOLVERS)
def test_solvers_agree(name: str, seed: int) -> None:
    pytest.importorskip({"proxqp": "proxsuite"}.get(name, name))
    problem = random_problem(seed, width=0.3)
    witness = make_solver("daqp").solve(problem)
    answer = make_solver(name).solve(problem)
    np.testing.assert_allclose(answer, witness, rtol=0.0, atol=CLOSE[name])


@pytest.mark.parametrize("seed", range(5))
def test_answers_are_inside_the_bounds_to_the_last_bit(
    solver: QpSolver, seed: int
) -> None:
    problem = random_problem(seed, width=0.05)
    x = solver.solve(problem)
    assert np.all(x >= problem.lower)
    assert np.all(x <= problem.upper)


def test_without_constraints_the_answer_is_that_of_the_linear_system(
    solver: QpSolver,
) -> None:
    problem = random_problem(0, width=1e6, rows=0)
    free = np.linalg.solve(problem.H, -problem.g)
    np.testing.assert_allclose(solver.solve(problem), free, rtol=0.0, atol=1e-6)


def test_contradicting_constraints_are_said_to_fail(solver: QpSolver) -> None:
    problem = QpProblem(
        H=np.eye(2),
        g=np.zeros(2),
        lower=np.zeros(2),
        upper=np.ones(2),
        A=np.ones((1, 2)),
        row_lower=np.array([3.0]),
        row_upper=np.array([4.0]),
    )
    with pytest.raises(QpFailed):
        solver.solve(problem)


def test_unknown_solver_names_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="daqp"):
        make_solver("simplex")


@pytest.mark.parametrize(("name", "library"), [("osqp", "osqp"), ("proxqp", "prox")])
def test_absent_library_is_said_with_the_command(
    monkeypatch: pytest.MonkeyPatch, name: str, library: str
) -> None:
    real = builtins.__import__

    def refuse(module: str, *args: object, **options: object) -> object:
        if module.startswith(library):
            raise ImportError(module)
        return real(module, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingDependency, match="pip install"):
        make_solver(name)


def test_kkt_residual_grows_with_the_distance_from_the_answer() -> None:
    problem = random_problem(1, width=100.0, rows=0)
    x = make_solver("daqp").solve(problem)
    wrong = [
        kkt_residual(problem, (1.0 - step) * x).stationarity
        for step in (0.0, 1e-3, 1e-2, 1e-1)
    ]
    assert wrong == sorted(wrong)
    assert wrong[0] < 1e-8 < wrong[1]


def test_kkt_residual_sees_a_multiplier_of_the_wrong_sign() -> None:
    problem = QpProblem(
        H=np.eye(1),
        g=np.zeros(1),
        lower=np.array([-1.0]),
        upper=np.array([1.0]),
        A=np.zeros((0, 1)),
        row_lower=np.zeros(0),
        row_upper=np.zeros(0),
    )
    assert kkt_residual(problem, np.array([1.0])).stationarity == pytest.approx(1.0)
    assert kkt_residual(problem, np.zeros(1)).stationarity == 0.0
    assert kkt_residual(problem, np.array([1.5])).violation == pytest.approx(0.5)
