"""What the hands feel, as the dynamics needs it.

A force at the hands is part of the equations of motion, and of where the floor must
press. With F and n the hands' force and moment about the centre of mass, at height h
over the floor, and N = m g - F_z what is left for the floor, no acceleration and no
change of angular momentum means that the floor presses at

    com + shift,    shift = (n_y + h F_x, -n_x + h F_y) / N.

So a robot that is pulled balances as one whose centre of mass is off by that shift, and
leans against X
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.base import RobotState
from telexist.robots.drives import GRAVITY
from telexist.robots.dynamics import DynamicsModel
from telexist.teleop.controllers.parameters import SensingParameters
from telexist.teleop.controllers.terms import AppliedForces

__all__ = ["HandForces"]

SURE = 2.0  # deviations of an estimate below which it may be nothing
LEAST_LOAD = 0.3  # of body weight that the floor is taken to carry at least


class HandForces:
    """Takes the wrenches at the hands in.

    Attributes:
        known: What they do; None while they may be noise.
        shift: By which they move the balance (2,) [m].
        refused: Whether the left and the right hand's reading cannot be true (2,).
    """

    known: AppliedForces | None

    def __init__(
        self, model: DynamicsModel, parameters: SensingParameters | None = None
    ) -> None:
        """Find the hands.

        Args:
            model: The robot, at its state of the step whenever one is taken.
            parameters: What counts as a force.
        """
        self._p, self._model = parameters or SensingParameters(), model
        hands = model.robot.body.hands
        self._frames = [
            model.frame(hands[side]) if side in hands else None
            for side in ("left", "right")
        ]
        self._weight = model.mass * GRAVITY
        self.reset()

    def reset(self) -> None:
        """Feel nothing."""
        self.known, self.shift = None, np.zeros(2)
        self.refused = np.zeros(2, dtype=bool)

    def step(self, state: RobotState) -> None:
        """Take a reading, at the model's last update."""
        felt, model = state.hand_wrenches, self._model
        self.known, self.shift = None, np.zeros(2)
        if felt is None:
            return
        generalized, force, moment = np.zeros(6 + model.n), np.zeros(3), np.zeros(3)
        for i, frame in enumerate(self._frames):
            doubt = None if state.hand_deviations is None else state.hand_deviations[i]
            share = self._share(i, felt[i], doubt) if frame is not None else 0.0
            if frame is None or share == 0.0:
                continue
            world_R_hand, arm = model.rotation(frame), model.position(frame) - model.com
            world_f = share * (felt[i].reshape(2, 3) @ world_R_hand.T)
            generalized += model.jacobian(frame).T @ world_f.ravel()
            force += world_f[0]
            moment += np.cross(arm, world_f[0]) + world_f[1]
        if generalized.any():
            self.known = AppliedForces(
                generalized=generalized, force=force, moment=moment
            )
            self.shift = self._shift(force, moment)

    def _share(self, hand: int, wrench: Array, doubt: Array | None) -> float:
        """Return how much of a reading counts, 0 to 1; see what cannot be.

        Args:
            hand: Its row.
            wrench: The reading (6,).
            doubt: Its standard deviations where it is estimated (6,), or None.
        """
        p, size = self._p, float(np.linalg.norm(wrench[:3]))
        possible = np.isfinite(wrench).all() and size < p.hand_most * self._weight
        self.refused[hand] = not possible
        if not possible:
            return 0.0
        times = 1.0
        if doubt is not None:
            along = float(np.linalg.norm(doubt[:3] * wrench[:3])) / max(size, 1e-9)
            times = max(SURE * along / p.hand_least, 1.0)
        share = (size / times - p.hand_least) / (p.hand_sure - p.hand_least)
        return min(max(share, 0.0), 1.0)

    def _shift(self, force: Array, moment: Array) -> Array:
        height = self._model.com[2] - self._model.sole_p[:, 2].min()
        carried = max(self._weight - force[2], LEAST_LOAD * self._weight)
        x, y = moment[1] + height * force[0], -moment[0] + height * force[1]
        return np.array([x, y]) / carried
