"""Looking for a posture without regard to speed."""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Bools, jit_internal
from telexist.retarget.ik import (
    Mechanism,
    logarithm,
    product_transposed,
    take_step,
)

__all__ = ["TRIES", "come_nearer", "orientation_cost", "reach"]

TRIES = 12  # steps towards the targets from each start
REACH = 0.3  # [rad] or [m] that a joint may move in each step


@jit_internal
def orientation_cost(m: Mechanism, targets: Bools) -> float:
    """Return the weighted squared error of the orientation targets in `targets`.

    The bodies must be where their joints say.
    """
    A, e, cost = np.empty((3, 3)), np.empty(3), 0.0
    for k in range(len(targets)):
        if not targets[k]:
            continue
        target = m.orientations[k]
        product_transposed(target.rotation, m.bodies[target.body].R, A)
        logarithm(A, e)
        for r in range(3):
            for c in range(3):
                cost += e[r] * target.weight[r, c] * e[c]
    return cost


@jit_internal
def reach(m: Mechanism, steps: int) -> None:
    """Move towards the present targets without regard to speed, or to what meets."""
    guarded = m.solver[0].guarded
    m.solver[0].guarded = 0
    for _ in range(steps):
        come_nearer(m)
    m.solver[0].guarded = guarded


@jit_internal
def come_nearer(m: Mechanism) -> None:
    """Take one step of that, with regard to what meets."""
    for i in range(1, len(m.bodies)):
        own = m.bodies[i]
        own.low = min(max(own.lower - own.q, -REACH), 0.0)
        own.high = max(min(own.upper - own.q, REACH), 0.0)
    take_step(m, 1.0)
