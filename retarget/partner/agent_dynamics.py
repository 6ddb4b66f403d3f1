"""One agent at one moment: its equations of motion and what it touches.

M dnu + h = B tau + J_m' f_m + J_e' f_e, Tirupachuri's (8.14): m is mutual, between the
agents, e is between the agent and its environment, which does not move.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["AgentDynamics", "shifted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentDynamics:
    """What an agent is at one moment; world axes, linear rows first.

    Attributes:
        M: Mass matrix (nv, nv).
        h: Bias (nv,).
        B: From torques to generalised forces (nv, n).
        hands: Jacobian of where it touches the other agent (m, nv).
        hands_bias: Acceleration there at dnu = 0 (m,).
        feet: Jacobian of where it touches its environment (e, nv).
        feet_bias: Acceleration there at dnu = 0 (e,).
    """

    M: Array
    h: Array
    B: Array
    hands: Array
    hands_bias: Array
    feet: Array
    feet_bias: Array

    def accelerations(self, tau: Array, f_hands: Array, f_feet: Array) -> Array:
        """Return dnu (nv,), (8.39) for forces on this agent (m,) and (e,)."""
        pushed = self.B @ tau + self.hands.T @ f_hands + self.feet.T @ f_feet
        return np.array(np.linalg.solve(self.M, pushed - self.h))


def shifted(J: Array, bias: Array, w: Array, arm: Array) -> tuple[Array, Array]:
    """Return Jacobian and bias of another point of the same link.

    Args:
        J: Of the link's origin (6, nv), linear rows first, world axes.
        bias: Its acceleration at dnu = 0 (6,).
        w: Angular velocity of the link (3,) [rad/s].
        arm: From the origin to the point, world axes (3,) [m].
    """
    x, y, z = arm
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    moved, acceleration = np.array(J), np.array(bias)
    moved[:3] -= cross @ J[3:]
    acceleration[:3] += -cross @ bias[3:] + np.cross(w, np.cross(w, arm))
    return moved, acceleration
