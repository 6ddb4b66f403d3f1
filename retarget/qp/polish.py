"""The last digits of an answer: its active set solved again, as a set of equations.

A solver that works with H and g cannot know its answer better than their rounding
allows. Where the cost is known as a sum of squares its gradient is known better, and a
few steps of iterative refinement find the answer that belongs to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dgetrf, dgetrs
from telexist.retarget.qp.problem import QpProblem
from telexist.retarget.so3 import Array

__all__ = ["polish"]

ON = 1e-9  # [rad] or [m]: this near to a bound an answer may be on it
MISS = 1e-11  # [rad] or [m] by which a polished answer may be outside
PULL = 1e-9  # of the largest slope: a multiplier of the wrong sign that is rounding
GIVE = 1e-12  # on the dual diagonal: constraints may say the same thing twice
REFINEMENTS = 2
BLOCKS = 10  # attempts that change the active set in all places at once
ATTEMPTS = 200  # in all; the later ones change it in one place


@dataclass(frozen=True, slots=True, kw_only=True)
class _ActiveSet:
    """Where the constraints hold: -1 at the lower limit, 1 at the upper, else 0."""

    bounds: np.ndarray
    rows: np.ndarray


def polish(problem: QpProblem, x: Array) -> Array:
    """Return the answer x (n,) with its last digits; x itself if that fails.

    Args:
        problem: What was solved; returned as it is without `squares`.
        x: An answer whose active set is right, or nearly so.
    """
    if problem.squares is None:
        return x
    active = _active_set(problem, x)
    for attempt in range(ATTEMPTS):
        found, slopes, multipliers = _solve(problem, active, x)
        better = _corrected(problem, active, found, slopes, multipliers)
        if better is None:
            return np.clip(found, problem.lower, problem.upper)
        active = better if attempt < BLOCKS else _first_change(active, better)
    return x


def _first_change(active: _ActiveSet, better: _ActiveSet) -> _ActiveSet:
    """Return the active set with one correction: many at once may go in circles."""
    bounds, rows = active.bounds.copy(), active.rows.copy()
    for old, new in ((rows, better.rows), (bounds, better.bounds)):
        wrong = np.flatnonzero(old != new)
        if len(wrong):
            old[wrong[0]] = new[wrong[0]]
            break
    return _ActiveSet(bounds=bounds, rows=rows)


def _active_set(problem: QpProblem, x: Array) -> _ActiveSet:
    along = problem.A @ x
    return _ActiveSet(
        bounds=_side(x, problem.lower, problem.upper, -ON),
        rows=_side(along, problem.row_lower, problem.row_upper, -ON),
    )


def _side(value: Array, lower: Array, upper: Array, tolerance: float) -> np.ndarray:
    """Return which limit each value is beyond by more than `tolerance`."""
    side = np.zeros(len(value), dtype=int)
    if len(value):
        side[value < lower - tolerance] = -1
        side[(value > upper + tolerance) | (lower == upper)] = 1
    return side


def _solve(
    problem: QpProblem, active: _ActiveSet, x: Array
) -> tuple[Array, Array, Array]:
    """Solve with an active set; return x, slopes on bounds, multipliers of rows.

    H x + g = A' multiplier on what is free, with x on its bounds and Ax on its own.
    """
    free, held = active.bounds == 0, active.rows != 0
    x = np.where(active.bounds < 0, problem.lower, x)
    x = np.where(active.bounds > 0, problem.upper, x)
    A = problem.A[held]
    wanted = np.where(active.rows < 0, problem.row_lower, problem.row_upper)[held]
    n, c = int(free.sum()), len(A)
    if n + c == 0:
        return x, problem.gradient(x), np.zeros(len(problem.A))
    M = np.empty((n + c, n + c))
    M[:n, :n] = problem.H[free][:, free]
    M[:n, n:], M[n:, :n] = A[:, free].T, A[:, free]
    M[n:, n:] = -GIVE * np.eye(c)
    factor, pivots, _ = dgetrf(M)
    multiplier, slope = np.zeros(c), problem.gradient(x)
    for _ in range(REFINEMENTS):
        left = np.concatenate([-(slope + A.T @ multiplier)[free], wanted - A @ x])
        step, _ = dgetrs(factor, pivots, left)
        x[free] += step[:n]
        multiplier += step[n:]
        slope = problem.gradient(x)
    multipliers = np.zeros(len(problem.A))
    multipliers[held] = multiplier
    return x, slope + A.T @ multiplier, multipliers


def _corrected(
    problem: QpProblem, active: _ActiveSet, x: Array, slopes: Array, multipliers: Array
) -> _ActiveSet | None:
    """Return a better active set, or None if this one is right."""
    small = PULL * np.abs(problem.g).max(initial=1.0)
    outside = _side(x, problem.lower, problem.upper, MISS)
    bounds = np.where(active.bounds == 0, outside, active.bounds)
    bounds[(active.bounds * slopes > small) & (problem.lower < problem.upper)] = 0
    beyond = _side(problem.A @ x, problem.row_lower, problem.row_upper, MISS)
    rows = np.where(active.rows == 0, beyond, active.rows)
    equal = problem.row_lower == problem.row_upper
    rows[(active.rows * multipliers < -small) & ~equal] = 0
    if (bounds == active.bounds).all() and (rows == active.rows).all():
        return None
    return _ActiveSet(bounds=bounds, rows=rows)
