"""Chains of ball joints and their targets, after [A] V-A.

The letter does not say how long its links are. Ours are d = 1.5 / (N - 2) long and the
last one d / 3, joint 1 is at (d, 0, 0), and link i has its origin on joint i: the only
lengths for which all of the targets (67) and (68) can be met at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from telexist.retarget.lm_pfd import (
    Link,
    LinkModel,
    LmSettings,
    PoseTarget,
    Posture,
    build_problem,
    evaluate,
    point_target,
    set_posture,
)
from telexist.retarget.so3 import Array, exp_so3

__all__ = ["TASKS", "ChainTask", "make_task", "spherical_chain"]

TASKS: Mapping[str, str] = MappingProxyType(
    {
        "letter": "positions (68) on all links, pose (67) on the last",
        "tip": "pose on the last link",
        "every link": "poses on all links",
    }
)
"""What is asked of a chain."""

TIP_R = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
TIP_P = np.array([0.5, 0.0, 0.0])  # [m]
BEND = np.pi / 2.0  # [rad] by which the chain is curled at the start, over its length
WANDER = 0.8  # [rad] by which a random posture turns from one end to the other


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainTask:
    """A chain, its targets and where to begin."""

    model: LinkModel
    targets: tuple[PoseTarget, ...]
    start: Posture


def spherical_chain(dofs: int) -> LinkModel:
    """Return a chain of dofs / 3 ball joints along x."""
    count, d = dofs // 3, 1.5 / (dofs - 2)
    lengths = [d] * (count - 1) + [d / 3.0]
    return LinkModel(
        links=tuple(
            Link(
                name=f"link{i}",
                parent=None if i == 0 else f"link{i - 1}",
                rest_p=np.array([lengths[i], 0.0, 0.0]),
            )
            for i in range(count)
        )
    )


def make_task(dofs: int, task: str, seed: int) -> ChainTask:
    """Return one of `TASKS`; seeds differ in the start, or in the targets' posture."""
    model, rng = spherical_chain(dofs), np.random.default_rng(seed)
    if task == "letter":
        return ChainTask(
            model=model, targets=_letter_targets(model, dofs), start=_bent(model, rng)
        )
    targets = _met_by(model, _wandering(model, rng))
    kept = targets if task == "every link" else targets[-1:]
    return ChainTask(model=model, targets=kept, start=model.rest())


def _letter_targets(model: LinkModel, dofs: int) -> tuple[PoseTarget, ...]:
    places = [
        point_target(link.name, np.zeros(3), [1.5 * (i + 1) / (dofs - 2), 0.0, 0.0])
        for i, link in enumerate(model.links[:-1])
    ]
    tip = PoseTarget(link=model.links[-1].name, world_p_goal=TIP_P, world_R_goal=TIP_R)
    return (*places, tip)


def _bent(model: LinkModel, rng: np.random.Generator) -> Posture:
    """Curl the chain about an axis across it."""
    n, angle = len(model.links), rng.uniform(0.0, 2.0 * np.pi)
    axis = np.array([0.0, np.cos(angle), np.sin(angle)])
    turns = exp_so3(np.tile(BEND / n * axis, (n, 1)))
    return Posture(turns=turns, slides=np.zeros((n, 3)))


def _wandering(model: LinkModel, rng: np.random.Generator) -> Posture:
    n = len(model.links)
    turns = exp_so3(WANDER / np.sqrt(n) * rng.normal(size=(n, 3)))
    return Posture(turns=turns, slides=np.zeros((n, 3)))


def _met_by(model: LinkModel, posture: Posture) -> tuple[PoseTarget, ...]:
    problem = build_problem(model, [], LmSettings())
    set_posture(problem, posture)
    evaluate(problem)
    R: Array = problem.links["R"]
    p: Array = problem.links["p"]
    return tuple(
        PoseTarget(link=link.name, world_p_goal=p[i], world_R_goal=R[i])
        for i, link in enumerate(model.links)
    )
