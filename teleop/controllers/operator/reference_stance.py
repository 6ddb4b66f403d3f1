"""How the operator's posture stands: its height, its lean, where its feet are.

The references are joint positions only. A second pass of kinematics, with the base at
the origin, says how high the centre of mass would be over the soles on which the
operator stands, how the base would be tilted and turned if those soles lay flat, and
where a lifted foot would be from the base.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from telexist.retarget.compiled import Bools, jit_hold_gil, jit_internal
from telexist.retarget.so3 import Array
from telexist.robots.dynamics import DynamicsModel

__all__ = ["ReferenceStance", "Stance"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stance:
    """A posture as it stands on the floor.

    Attributes:
        height: Of the centre of mass over the soles [m].
        rate: Of the height [m/s].
        floor_R_base: Orientation of the base; the floor's x axis is the mean heading of
            the soles (3, 3).
    """

    height: float
    rate: float
    floor_R_base: Array


class ReferenceStance:
    """Kinematics of the reference posture, base at the origin.

    Attributes:
        base_p_sole: Middles of the left and the right sole (2, 3) [m].
        base_R_sole: Their axes (2, 3, 3).
        base_v_sole: Their velocities, linear first (2, 6).
    """

    def __init__(self, model: DynamicsModel) -> None:
        """Use a model of its own, so that the controller's stays as it is."""
        self._model = model

    def update(self, q: Array, dq: Array) -> None:
        """Look at a posture and its velocity (n,), both finite."""
        model = self._model
        model.update_posture(q, dq)
        self.base_p_sole = model.sole_p.copy()
        self.base_R_sole = model.sole_R.copy()
        self.base_v_sole = model.sole_v.copy()

    def stance(self, planted: tuple[bool, bool]) -> Stance:
        """Return how the posture stands on the soles that are planted, both if none."""
        model = self._model
        none = not (planted[0] or planted[1])
        feet = np.array([none or bool(planted[0]), none or bool(planted[1])])
        height, rate, floor_R_base = _stand(
            self.base_p_sole,
            self.base_R_sole,
            self.base_v_sole,
            model.com,
            model.com_vel,
            feet,
        )
        return Stance(height=height, rate=rate, floor_R_base=floor_R_base)


@jit_hold_gil
def _stand(
    p: Array, R: Array, v: Array, com: Array, com_vel: Array, feet: Bools
) -> tuple[float, float, Array]:
    """Return height [m] and its rate [m/s], and the floor's axes as rows (3, 3).

    Args:
        p: Middles of the soles (2, 3), in base axes as all that follows.
        R: Axes of the soles (2, 3, 3).
        v: Velocities of the soles, linear first (2, 6).
        com: Centre of mass (3,).
        com_vel: Its velocity (3,).
        feet: Which of the soles stand (2,).
    """
    height = rate = 0.0
    count = 0
    up, ahead = np.zeros(3), np.zeros(3)
    for i in range(2):
        if not feet[i]:
            continue
        count += 1
        for a in range(3):
            b, c = (a + 1) % 3, (a + 2) % 3
            arm = com[a] - p[i, a]
            turns = v[i, 3 + b] * R[i, c, 2] - v[i, 3 + c] * R[i, b, 2]  # w x up
            height += R[i, a, 2] * arm
            rate += R[i, a, 2] * (com_vel[a] - v[i, a]) + turns * arm
            up[a] += R[i, a, 2]
            ahead[a] += R[i, a, 0]
    return height / count, rate / count, _floor_axes(up, ahead)


@jit_internal
def _floor_axes(up: Array, ahead: Array) -> Array:
    """Return the floor's axes as rows (3, 3) from two directions (3,) in base axes."""
    axes = np.empty((3, 3))
    length = max(math.sqrt(up[0] ** 2 + up[1] ** 2 + up[2] ** 2), 1e-9)
    along = 0.0
    for a in range(3):
        axes[2, a] = up[a] / length
        along += ahead[a] * axes[2, a]
    square = 0.0
    for a in range(3):
        axes[0, a] = ahead[a] - along * axes[2, a]
        square += axes[0, a] ** 2
    length = max(math.sqrt(square), 1e-9)
    for a in range(3):
        axes[0, a] /= length
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        axes[1, a] = axes[2, b] * axes[0, c] - axes[2, c] * axes[0, b]
    return axes
