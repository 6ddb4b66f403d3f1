"""OSQP, the solver of the paper [R]: operator splitting, for large sparse problems.

At its loose default tolerances answers were wrong by whole rad/s while limits were
active, so this one asks for much more and polishes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from telexist.retarget.errors import MissingDependency, QpFailed
from telexist.retarget.qp.problem import QpProblem
from telexist.retarget.so3 import Array

__all__ = ["OsqpSolver"]

TOLERANCE = 1e-9  # absolute and relative, of both residuals
MAX_ITERATIONS = 100_000


class OsqpSolver:
    """Solves with OSQP and clamps the answer to the bounds."""

    def __init__(self) -> None:
        """Load the library.

        Raises:
            MissingDependency: If it is absent.
        """
        try:
            import osqp
        except ImportError as error:
            raise MissingDependency(
                "osqp", "pip install 'telexist[solvers]'"
            ) from error
        self._osqp: Any = osqp

    def solve(self, problem: QpProblem) -> Array:
        """Return the minimiser, inside the bounds to the last bit.

        Raises:
            QpFailed: If the constraints contradict each other or it does not converge.
        """
        n = len(problem.g)
        solver = self._osqp.OSQP()
        solver.setup(
            sparse.csc_matrix(np.triu(problem.H)),
            problem.g,
            sparse.csc_matrix(np.vstack([np.eye(n), problem.A])),
            np.concatenate([problem.lower, problem.row_lower]),
            np.concatenate([problem.upper, problem.row_upper]),
            verbose=False,
            eps_abs=TOLERANCE,
            eps_rel=TOLERANCE,
            max_iter=MAX_ITERATIONS,
            polishing=True,
        )
        result = solver.solve(raise_error=False)
        solved = result.info.status_val == self._osqp.SolverStatus.OSQP_SOLVED
        if not solved or not np.all(np.isfinite(result.x)):
            raise QpFailed(f"osqp found no answer ({result.info.status})")
        return np.clip(result.x, problem.lower, problem.upper)
