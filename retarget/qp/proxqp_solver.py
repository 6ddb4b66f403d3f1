"""ProxQP: a proximal augmented Lagrangian solver, here its dense variant."""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.retarget.errors import MissingDependency, QpFailed
from telexist.retarget.qp.problem import QpProblem
from telexist.retarget.so3 import Array

__all__ = ["ProxqpSolver"]

TOLERANCE = 1e-9  # absolute, of both residuals
MAX_ITERATIONS = 10_000
_FREE = 1e20  # what proxqp takes for infinity


class ProxqpSolver:
    """Solves with ProxQP and clamps the answer to the bounds."""

    def __init__(self) -> None:
        """Load the library.

        Raises:
            MissingDependency: If it is absent.
        """
        try:
            from proxsuite import proxqp
        except ImportError as error:
            raise MissingDependency(
                "proxsuite", "pip install 'telexist[solvers]'"
            ) from error
        self._proxqp: Any = proxqp

    def solve(self, problem: QpProblem) -> Array:
        """Return the minimiser, inside the bounds to the last bit.

        Raises:
            QpFailed: If the constraints contradict each other or it does not converge.
        """
        equal = problem.row_lower == problem.row_upper
        rows, others = problem.A[equal], problem.A[~equal]
        qp = self._proxqp.dense.QP(len(problem.g), len(rows), len(others), True)
        qp.settings.eps_abs, qp.settings.eps_rel = TOLERANCE, 0.0
        qp.settings.max_iter = MAX_ITERATIONS
        qp.init(
            problem.H,
            problem.g,
            rows,
            problem.row_lower[equal],
            others,
            np.maximum(problem.row_lower[~equal], -_FREE),
            np.minimum(problem.row_upper[~equal], _FREE),
            np.maximum(problem.lower, -_FREE),
            np.minimum(problem.upper, _FREE),
        )
        qp.solve()
        solved = qp.results.info.status == self._proxqp.QPSolverOutput.PROXQP_SOLVED
        x = np.array(qp.results.x)
        if not solved or not np.all(np.isfinite(x)):
            raise QpFailed(f"proxqp found no answer ({qp.results.info.status})")
        return np.clip(x, problem.lower, problem.upper)
