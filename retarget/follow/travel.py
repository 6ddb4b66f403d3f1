"""The base travels as the person does, without jumps.

Nothing limits the speed of a base. When a foot is let go, or need no longer be flat,
what it kept the robot from is made up for at once, and the whole robot would jump. A
step that carries the base much faster than the person is therefore taken again, with
a drag on the base that draws it along with the person.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import jit_internal
from telexist.retarget.follow.follower import TRAVEL
from telexist.retarget.ik import Mechanism
from telexist.retarget.so3 import Array

__all__ = ["drag", "hurry", "keep_place", "return_to"]

FASTEST = 1.0  # [m/s] of the base beside the person, for a person of the robot's size
DRAG = 10.0  # [1/m^2] on the base for each multiple of that; a leg's targets have 3


@jit_internal
def keep_place(m: Mechanism) -> Array:
    """Return where the robot is: place and rotation of the base, joints (12 + n,)."""
    base = m.bodies[0]
    kept = np.empty(11 + len(m.bodies))
    for r in range(3):
        kept[r] = base.p[r]
        for c in range(3):
            kept[3 + 3 * r + c] = base.R[r, c]
    for i in range(1, len(m.bodies)):
        kept[11 + i] = m.bodies[i].q
    return kept


@jit_internal
def return_to(m: Mechanism, kept: Array) -> None:
    """Put the robot back where it was."""
    base = m.bodies[0]
    for r in range(3):
        base.p[r] = kept[r]
        for c in range(3):
            base.R[r, c] = kept[3 + 3 * r + c]
    for i in range(1, len(m.bodies)):
        m.bodies[i].q = kept[11 + i]


@jit_internal
def hurry(m: Mechanism, dt: float) -> float:
    """Return by how many times a step took the base too fast; 0 if it did not."""
    travel, base, away = m.points[TRAVEL], m.bodies[0], 0.0
    if travel.weight[0] == 0.0:  # a base that is fixed, or a person without a place
        return 0.0
    for r in range(3):
        away += (travel.goal[r] - base.p[r]) ** 2
    return max(np.sqrt(away) / (FASTEST * dt) - 1.0, 0.0)


@jit_internal
def drag(m: Mechanism, excess: float) -> None:
    """Draw the base along with the person, the more the faster it was."""
    for r in range(3):
        m.points[TRAVEL].weight[r] = DRAG * excess
