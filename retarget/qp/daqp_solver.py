"""DAQP: a dual active-set solver, exact and fast for small dense problems."""

from __future__ import annotations

import daqp
import numpy as np
from telexist.retarget.errors import QpFailed
from telexist.retarget.qp.problem import QpProblem
from telexist.retarget.so3 import Array

__all__ = ["DaqpSolver"]

_FREE = 1e30  # what daqp takes for infinity
_EQUAL = 5  # daqp's mark of an equality
_TOLERANCE = 1e-11  # [rad] or [m] beside a bound; daqp's own 1e-6 is coarse


class DaqpSolver:
    """Solves with DAQP and clamps the answer to the bounds."""

    def solve(self, problem: QpProblem) -> Array:
        """Return the minimiser, inside the bounds to the last bit.

        Raises:
            QpFailed: If the constraints contradict each other or H is not definite.
        """
        upper = np.concatenate([problem.upper, problem.row_upper])
        lower = np.concatenate([problem.lower, problem.row_lower])
        sense = np.where(lower == upper, _EQUAL, 0).astype(np.int32)
        x, _, flag, _ = daqp.solve(
            np.ascontiguousarray(problem.H),
            problem.g,
            np.ascontiguousarray(problem.A),
            np.minimum(upper, _FREE),
            np.maximum(lower, -_FREE),
            sense,
            primal_tol=_TOLERANCE,
        )
        if flag < 1 or not np.all(np.isfinite(x)):
            raise QpFailed(f"daqp found no answer (code {flag})")
        return np.clip(x, problem.lower, problem.upper)
