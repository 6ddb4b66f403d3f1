"""LM-PFD for hard single problems: start-up postures, large errors, large models.

    problem = build_problem(model, targets, settings)
    solution = solve(problem, ArticulatedSteps(), model.rest(), settings)

`ArticulatedSteps` is the ABA variant of [A] for open chains, exact and O(N);
`LinkSpaceSteps` the AVD variant for anything else.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.lm_pfd.iterations import (
    evaluate,
    iterate_articulated,
    iterate_link_space,
)
from telexist.retarget.lm_pfd.layout import build_problem, read_posture, set_posture
from telexist.retarget.lm_pfd.model import LinkModel, PoseTarget, Posture
from telexist.retarget.lm_pfd.records import Problem
from telexist.retarget.lm_pfd.settings import LmSettings, LmSolution

__all__ = ["ArticulatedSteps", "Iterations", "LinkSpaceSteps", "solve", "solve_pose"]

_TIGHT = 1e-12  # [m] or [rad]: a loop that is closed


class Iterations(Protocol):
    """A way to improve a posture."""

    def run(self, problem: Problem, count: int) -> bool:
        """Do up to `count` iterations; return whether nothing is left to do."""
        ...


class ArticulatedSteps:
    """LM-PFD (ABA): open chains, O(N), the same iterates as dense LM."""

    def run(self, problem: Problem, count: int) -> bool:
        """Do up to `count` iterations; return whether nothing is left to do.

        Raises:
            BadInput: If the model has wires or loops.
        """
        if len(problem.wires) or len(problem.loops):
            raise BadInput("wires and loops need link-space steps")
        return bool(iterate_articulated(problem, count))


class LinkSpaceSteps:
    """LM-PFD (AVD): any chains, with wires and loops; joints a little soft."""

    def run(self, problem: Problem, count: int) -> bool:
        """Do up to `count` iterations; return whether nothing is left to do."""
        return bool(iterate_link_space(problem, count))


def solve(
    problem: Problem, method: Iterations, start: Posture, settings: LmSettings
) -> LmSolution:
    """Improve a posture until a goal is reached.

    Args:
        problem: From `build_problem`; holds the answer afterwards.
        method: `ArticulatedSteps`, `LinkSpaceSteps` or a baseline.
        start: Where to begin.
        settings: When to stop.
    """
    solver = problem.solver[0]
    solver["iterations"] = solver["evaluations"] = 0
    problem.loops["bias"] = 0.0
    set_posture(problem, start)
    settled = method.run(problem, settings.iterations)
    for _ in range(settings.closures):
        left = settings.iterations - int(solver["iterations"])
        if not settled or left <= 0 or _gap(problem) < _TIGHT:
            break
        problem.loops["bias"] += problem.loops["e"]
        settled = method.run(problem, left)
    evaluate(problem)
    return LmSolution(
        posture=read_posture(problem),
        cost=float(solver["cost"]),
        gradient=float(solver["gradient"]),
        gap=_gap(problem),
        iterations=int(solver["iterations"]),
        evaluations=int(solver["evaluations"]),
        settled=settled,
    )


def solve_pose(
    model: LinkModel,
    targets: list[PoseTarget],
    start: Posture | None = None,
    settings: LmSettings | None = None,
) -> LmSolution:
    """Find a posture for targets, by the recursion where the model allows it."""
    settings = settings or LmSettings()
    problem = build_problem(model, targets, settings)
    closed = bool(model.wires or model.loops)
    method: Iterations = LinkSpaceSteps() if closed else ArticulatedSteps()
    return solve(problem, method, start or model.rest(), settings)


def _gap(problem: Problem) -> float:
    return float(np.max(np.abs(problem.loops["e"]), initial=0.0))
