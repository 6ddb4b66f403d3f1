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

from retarget.so3 import Array
from robots.dynamics_model import DynamicsModel

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
        self._frames = list(model.sole_frames())

    def update(self, q: Array, dq: Array) -> None:
        """Look at a posture and its velocity (n,), both finite."""
        model, frames = self._model, self._frames
        model.update_posture(q, dq)
        self.base_p_sole = np.array([model.position(frame) for frame in frames])
        self.base_R_sole = np.array([model.rotation(frame) for frame in frames])
        self.base_v_sole = np.array([model.velocity(frame) for frame in frames])

    def stance(self, planted: tuple[bool, bool]) -> Stance:
        """Return how the posture stands on the soles that are planted, both if none."""
        feet = [i for i in (0, 1) if planted[i]] or [0, 1]
        height = rate = 0.0
        up, ahead = np.zeros(3), np.zeros(3)
        for i in feet:
            R, (x, y, z) = self.base_R_sole[i], self.base_R_sole[i][:, 2].tolist()
            v, (a, b, c) = self.base_v_sole[i], self.base_v_sole[i, 3:].tolist()
            arm = self._model.com - self.base_p_sole[i]
            turns = np.array([b * z - c * y, c * x - a * z, a * y - b * x])  # w x up
            height += float(R[:, 2] @ arm)
            rate += float(R[:, 2] @ (self._model.com_vel - v[:3]) + turns @ arm)
            up += R[:, 2]
            ahead += R[:, 0]
        return Stance(
            height=height / len(feet),
            rate=rate / len(feet),
            floor_R_base=_floor_axes(up, ahead),
        )


def _floor_axes(up: Array, ahead: Array) -> Array:
    """Return the floor's axes as rows (3, 3) from two directions (3,) in base axes."""
    z = up / max(math.hypot(*up.tolist()), 1e-9)
    x = ahead - (ahead @ z) * z
    x = x / max(math.hypot(*x.tolist()), 1e-9)
    (a, b, c), (d, e, f) = z.tolist(), x.tolist()
    return np.array([x, (b * f - c * e, c * d - a * f, a * e - b * d), z])
