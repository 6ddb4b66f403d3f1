"""A convex quadratic programme, built first and solved later."""

from __future__ import annotations

from dataclasses import dataclass

from retarget.so3 import Array

__all__ = ["QpProblem"]


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
    """

    H: Array
    g: Array
    lower: Array
    upper: Array
    A: Array
    row_lower: Array
    row_upper: Array
