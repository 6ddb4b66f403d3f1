"""A convex quadratic program, built first and solved later."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["LeastSquares", "QpProblem"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeastSquares:
    """The cost as it was before it was multiplied out: |Jx - r|^2 + x'Dx + 2 h'x, / 2.

    Hx + g loses digits where large parts of it cancel; J'(Jx - r) + Dx + h does not.

    Attributes:
        J: (k, n).
        r: (k,).
        diagonal: Of D (n,).
        h: (n,).
    """

    J: Array
    r: Array
    diagonal: Array
    h: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class QpProblem:
    """Minimise x'Hx / 2 + g'x within bounds on x and on Ax.

    Attributes:
        H: Positive definite (n, n).
        g: (n,).
        lower: (n,), -inf where free.
        upper: (n,), inf where free.
        A: Rows of general constraints (m, n); m may be 0.
        row_lower: (m,).
        row_upper: (m,).
        squares: The same cost as a sum of squares, if it is one.
    """

    H: Array
    g: Array
    lower: Array
    upper: Array
    A: Array
    row_lower: Array
    row_upper: Array
    squares: LeastSquares | None = None

    def gradient(self, x: Array) -> Array:
        """Return the gradient of the cost at x (n,), as exactly as it is known."""
        cost = self.squares
        if cost is None:
            return np.asarray(self.H @ x + self.g)
        return np.asarray(cost.J.T @ (cost.J @ x - cost.r) + cost.diagonal * x + cost.h)
