"""How far an answer is from the conditions that make it the minimiser.

Solvers report their own residuals, each in its own scaling; this one needs only the
answer, so that it can judge any of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls
from telexist.retarget.qp.problem import QpProblem
from telexist.retarget.so3 import Array

__all__ = ["KktResidual", "kkt_residual"]

ACTIVE = 1e-9  # [rad] a constraint missed by less than this may carry a multiplier


@dataclass(frozen=True, slots=True, kw_only=True)
class KktResidual:
    """What is left of the Karush-Kuhn-Tucker conditions; 0 at the minimiser.

    Attributes:
        stationarity: Largest entry of Hx + g - A'mu for the best multipliers of the
            constraints that hold with equality, each of its right sign.
        violation: Largest distance outside a bound.
    """

    stationarity: float
    violation: float


def kkt_residual(
    problem: QpProblem, x: Array, *, active: float = ACTIVE
) -> KktResidual:
    """Return the residual of an answer x (n,).

    Args:
        problem: What was solved.
        x: The answer.
        active: Constraints within this distance of their bound count as active.
    """
    along = problem.A @ x
    low = np.concatenate([x - problem.lower, along - problem.row_lower])
    high = np.concatenate([problem.upper - x, problem.row_upper - along])
    normals = np.vstack([np.eye(len(x)), problem.A])
    # slope = sum of normals of active constraints, lower ones pushing up
    C = np.concatenate([normals[low < active], -normals[high < active]]).T
    slope = problem.H @ x + problem.g
    left = slope - C @ nnls(C, slope)[0] if C.shape[1] else slope
    margin = np.concatenate([low, high])
    return KktResidual(
        stationarity=float(np.abs(left).max(initial=0.0)),
        violation=float(np.maximum(-margin, 0.0).max(initial=0.0)),
    )
