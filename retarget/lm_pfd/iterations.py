"""Compiled Levenberg-Marquardt iterations: [A] II-C, with either way to the step.

Damping after Sugihara, (f + N sqrt(eps)) I; the step is halved until the merit falls as
Armijo asks.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import jit_release_gil
from telexist.retarget.lm_pfd.articulated_step import find_articulated_step
from telexist.retarget.lm_pfd.gradient import find_gradient
from telexist.retarget.lm_pfd.link_space_step import find_link_space_step
from telexist.retarget.lm_pfd.placement import (
    aim_joints,
    keep_posture,
    move_joints,
    place_links,
)
from telexist.retarget.lm_pfd.records import Problem
from telexist.retarget.lm_pfd.residuals import load_links, update_cost

__all__ = [
    "ARMIJO",
    "HALVINGS",
    "ROOT_EPSILON",
    "evaluate",
    "evaluate_gradient",
    "iterate_articulated",
    "iterate_link_space",
    "try_step",
]

ROOT_EPSILON = float(np.sqrt(np.finfo(np.float64).eps))
ARMIJO = 1e-4  # share of the expected fall that is enough
HALVINGS = 30  # of a step, before giving up
ROUNDING = 1e-15  # relative, of the merit


@jit_release_gil
def evaluate(m: Problem) -> float:
    """Place the links and return the merit."""
    place_links(m.links)
    return update_cost(m)


@jit_release_gil
def evaluate_gradient(m: Problem) -> float:
    """Find g of the joints for the links as placed; return its largest entry."""
    load_links(m)
    return find_gradient(m.links)


@jit_release_gil
def try_step(m: Problem, before: float, slope: float) -> bool:
    """Move along dq as far as the merit falls enough.

    Args:
        m: The problem; dq of the joints is the step.
        before: Merit at its start.
        slope: How fast the merit falls along dq at first.

    Returns:
        Whether it fell; if not, the joints stay where they were.
    """
    links, solver, share = m.links, m.solver[0], 1.0
    keep_posture(links)
    for _ in range(HALVINGS):
        solver.step = move_joints(links, share)
        place_links(links)
        if update_cost(m) <= before * (1.0 + ROUNDING) - ARMIJO * share * slope:
            return True
        share *= 0.5
    solver.step = move_joints(links, 0.0)
    place_links(links)
    update_cost(m)
    return False


@jit_release_gil
def iterate_articulated(m: Problem, count: int) -> bool:
    """Do up to `count` iterations by the articulated-body recursion (open chains).

    Returns:
        Whether nothing is left to do: goal reached, or no step lowers the merit.
    """
    solver = m.solver[0]
    before = evaluate(m)
    for _ in range(count):
        if solver.cost <= solver.cost_goal:
            return True
        load_links(m)
        solver.gradient = find_gradient(m.links)
        if solver.gradient <= solver.gradient_goal:
            return True
        find_articulated_step(m.links, solver.cost + solver.dofs * ROOT_EPSILON)
        solver.iterations += 1
        if (
            not try_step(m, before, aim_joints(m.links))
            or solver.step <= solver.step_goal
        ):
            return True
        before = solver.merit
    return solver.cost <= solver.cost_goal


@jit_release_gil
def iterate_link_space(m: Problem, count: int) -> bool:
    """Do up to `count` iterations in link space (any chains, wires and loops).

    Returns:
        Whether nothing is left to do: goal reached, or no step lowers the merit.
    """
    solver = m.solver[0]
    before = evaluate(m)
    for _ in range(count):
        if solver.cost <= solver.cost_goal:
            return True
        load_links(m)
        solver.gradient = find_gradient(m.links)
        if solver.gradient <= solver.gradient_goal:
            return True
        find_link_space_step(m, solver.cost + solver.dofs * ROOT_EPSILON)
        solver.iterations += 1
        if (
            not try_step(m, before, aim_joints(m.links))
            or solver.step <= solver.step_goal
        ):
            return True
        before = solver.merit
    return solver.cost <= solver.cost_goal
