"""Quasi-Newton and conjugate-gradient baselines with the O(N) recursive gradient.

Both search over one vector: the joints' displacements from where the search began,
turn = exp(w) turn_0, so that gradients of different iterations can be compared.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize
from telexist.retarget.lm_pfd.dense_lm import JointColumns
from telexist.retarget.lm_pfd.iterations import evaluate
from telexist.retarget.lm_pfd.layout import read_posture
from telexist.retarget.lm_pfd.model import Posture
from telexist.retarget.lm_pfd.records import Problem
from telexist.retarget.so3 import Array, exp_so3, hat

__all__ = ["BfgsSteps", "ConjugateGradientSteps"]


class _GradientSteps:
    """Minimises the merit by one of scipy's methods, from the problem's posture."""

    method = ""

    def __init__(
        self, problem: Problem, stop: Callable[[], bool] = lambda: False
    ) -> None:
        """Prepare for a problem of this layout.

        Args:
            problem: Any problem of the layout.
            stop: Asked after each iteration whether time is up.
        """
        self._columns = JointColumns(problem)
        self._stop = stop

    def run(self, problem: Problem, count: int) -> bool:
        """Do up to `count` iterations; return whether nothing is left to do."""
        solver = problem.solver[0]
        start = read_posture(problem)
        goal = float(solver["cost_goal"])

        def merit_and_gradient(x: Array) -> tuple[float, Array]:
            w = self._set(problem, start, x)
            merit = float(evaluate(problem))
            return merit, -self._pulled_back(self._columns.gradient(problem), w)

        def stop_at_goal(_: Array) -> None:
            solver["iterations"] += 1
            if solver["cost"] <= goal or self._stop():
                raise StopIteration

        answer = minimize(
            merit_and_gradient,
            np.zeros(len(self._columns.joint)),
            method=self.method,
            jac=True,
            callback=stop_at_goal,
            options={"maxiter": count, "gtol": float(solver["gradient_goal"])},
        )
        self._set(problem, start, answer.x)
        evaluate(problem)
        solver["gradient"] = float(np.max(np.abs(answer.jac), initial=0.0))
        return bool(answer.status != 1)

    def _set(self, problem: Problem, start: Posture, x: Array) -> Array:
        """Displace the joints from the start; return their rotation vectors (n, 3)."""
        self._columns.set_step(problem, x)
        dq = problem.links["dq"]
        problem.links["turn"] = exp_so3(dq[:, :3]) @ start.turns
        problem.links["slide"] = start.slides + dq[:, 3:]
        return dq[:, :3].copy()

    def _pulled_back(self, g: Array, w: Array) -> Array:
        """Turn a gradient along the joints' axes into one over x: J_left(w)' g."""
        columns = self._columns
        full = np.zeros((len(w), 6))
        np.add.at(full, columns.joint, columns.axis * g[:, None])
        full[:, :3] = np.einsum("iab,ia->ib", _left_jacobian(w), full[:, :3])
        return np.einsum("nk,nk->n", columns.axis, full[columns.joint])


class BfgsSteps(_GradientSteps):
    """Quasi-Newton with the BFGS formula, O(N^2) an iteration."""

    method = "BFGS"


class ConjugateGradientSteps(_GradientSteps):
    """Nonlinear conjugate gradient, O(N) an iteration."""

    method = "CG"


def _left_jacobian(w: Array) -> Array:
    """Return J with exp(w + d) = exp(J d) exp(w) to first order (n, 3, 3)."""
    angle = np.linalg.norm(w, axis=-1)[:, None, None]
    small = angle < 1e-4
    safe = np.where(small, 1.0, angle)
    a = np.where(small, 0.5, (1.0 - np.cos(safe)) / safe**2)
    b = np.where(small, 1.0 / 6.0, (safe - np.sin(safe)) / safe**3)
    S = hat(w)
    return np.eye(3) + a * S + b * (S @ S)
