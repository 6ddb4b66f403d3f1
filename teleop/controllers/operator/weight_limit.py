"""A trunk gives way upwards when weight gets too much for its drives.

A program that looks at one instant accepts a posture whose weight the trunk's drives
can hardly hold, and once they cannot, no torque brings the trunk back. So a trunk joint
that carries more than its share is led up against its load, whatever the operator's
trunk and arms do, until it carries less; and the base leans only as far as the trunk's
drives can hold it.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Bools, jit_hold_gil
from telexist.retarget.so3 import Array
from telexist.robots.dynamics import DynamicsModel
from telexist.teleop.controllers.geometry import BoundedFollower

__all__ = ["WeightLimit"]

STATIC_SHARE = 0.6  # of a trunk drive's effort that weight may need
YIELD_RATE = 2.0  # [rad/s] for a load of twice the share
RETURN_TIME = 1.0  # [s] in which a trunk comes back when its load is gone
LARGEST = 0.6  # [rad]
UPRIGHT = 0.998  # cosine of a lean that needs no second look


class WeightLimit:
    """Watches what weight asks of the trunk's drives.

    Attributes:
        offset: What is added to the references of the joints (n,) [rad].
        rate: Its velocity (n,) [rad/s].
    """

    def __init__(self, model: DynamicsModel, floor_R_base: Array) -> None:
        """Prepare.

        Args:
            model: A model of its own, so that the controller's stays as it is.
            floor_R_base: How the base stands ready (3, 3).
        """
        torso = np.array([group == "torso" for group in model.actuators.groups])
        self._model, self._ready, self._torso = model, floor_R_base, torso
        self._strength = STATIC_SHARE * model.actuators.effort
        self._still = np.zeros(model.n)
        self._follower = BoundedFollower(
            np.zeros(model.n),
            stiffness=100.0,
            speed=np.full(model.n, 1.0),
            acceleration=np.full(model.n, 10.0),
        )
        self.reset()
        self.step(self._still, floor_R_base, 1.0)  # loads what is compiled
        self.reset()

    def reset(self) -> None:
        """Begin without an offset."""
        self._goal = np.zeros(self._model.n)
        self._follower.reset(self._goal)
        self.offset, self.rate = self._follower.p, self._follower.v

    def step(self, q: Array, world_R_base: Array, dt: float) -> None:
        """Look at what weight asks of the joints where they are.

        Args:
            q: Measured positions (n,).
            world_R_base: Measured orientation of the base (3, 3).
            dt: Since the last step [s].
        """
        load = self._model.weight_torques(q, world_R_base)
        _yield(load, self._torso, self._strength, dt, self._goal)
        self._follower.step(self._goal, self._still, dt)
        self.offset, self.rate = self._follower.p, self._follower.v

    def lean(self, q: Array, floor_R_base: Array) -> float:
        """Return the share of a base's lean (3, 3) that can be held, 0 to 1."""
        if floor_R_base[2] @ self._ready[2] > UPRIGHT:
            return 1.0
        leaning, torso = self._torques(q, floor_R_base), self._torso
        tired = torso & (leaning > self._strength)
        if not tired.any():
            return 1.0
        ready = self._torques(q, self._ready)
        margin = np.maximum(self._strength - ready, 0.0)[tired]
        more = np.maximum(leaning - ready, 1e-9)[tired]
        return float(np.minimum(margin / more, 1.0).min())

    def _torques(self, q: Array, floor_R_base: Array) -> Array:
        return np.abs(self._model.weight_torques(q, floor_R_base))


@jit_hold_gil
def _yield(load: Array, torso: Bools, strength: Array, dt: float, goal: Array) -> None:
    """Move the offsets that are aimed at by what dt [s] of a load does.

    Args:
        load: What weight needs of the joints (n,) [N m].
        torso: Which of them are the trunk's (n,).
        strength: What weight may need (n,) [N m].
        dt: [s].
        goal: Offsets (n,) [rad]; is changed.
    """
    for i in range(len(goal)):
        held = load[i] if torso[i] else 0.0
        excess = max(abs(held) / strength[i] - 1.0, 0.0)
        # Torque against weight points up-hill, and a trunk carries least on top.
        moved = goal[i] + dt * YIELD_RATE * np.sign(held) * excess
        if abs(held) < 0.9 * strength[i]:
            moved -= dt / (dt + RETURN_TIME) * moved
        goal[i] = min(max(moved, -LARGEST), LARGEST)
