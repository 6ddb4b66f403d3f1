"""What soles feel, also when the force sensor of one of them says nothing any more.

A live sensor is never twice the same. One that repeats itself, or says no number, while
both soles together feel less or more than the robot weighs and does, is lost: its sole
is taken to carry what the other one leaves, where the last plan had it. Two that fall
silent at once are believed: the robot hangs in the air.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.base import RobotState
from telexist.teleop.controllers.parameters import SensingParameters

__all__ = ["FootForces"]


class FootForces:
    """Watches both sensors.

    Attributes:
        lost: Whether the left and the right one are lost (2,).
    """

    def __init__(self, weight: float, parameters: SensingParameters) -> None:
        """Start with sensors that work.

        Args:
            weight: Of the robot [N].
            parameters: When a sensor is lost.
        """
        self._weight, self._p = weight, parameters
        self.reset()

    def reset(self) -> None:
        """Forget."""
        self.lost = np.zeros(2, dtype=bool)
        self._last = np.full((2, 6), np.nan)
        self._stamp = -np.inf
        self._odd = np.zeros(2)

    def step(
        self, state: RobotState, planned: Array, world_R_sole: Array
    ) -> RobotState:
        """Return a reading in which a lost sensor is replaced.

        Args:
            state: What the sensors say.
            planned: Wrenches that were asked of the floor, world axes (2, 6).
            world_R_sole: Axes of the soles (2, 3, 3).
        """
        felt = np.array(state.foot_wrenches)
        if state.stamp > self._stamp:
            self._look(felt, planned, state.stamp)
        if not self.lost.any():
            return state
        for i in np.flatnonzero(self.lost):
            felt[i] = self._instead(int(i), felt, planned, world_R_sole[i])
        return replace(state, foot_wrenches=felt)

    def _look(self, felt: Array, planned: Array, stamp: float) -> None:
        """Decide which sensors are lost."""
        dt = min(stamp - self._stamp, 0.02)
        finite = np.isfinite(felt).all(axis=1)
        same = (felt == self._last).all(axis=1)
        total = float(np.where(finite, felt[:, 2], 0.0).sum())
        asked = float(planned[:, 2].sum())
        off = abs(total - asked) > self._p.lost_share * self._weight
        odd = ~finite | (same & (off | self.lost))
        self._odd = np.where(odd, self._odd + dt, 0.0)
        self.lost = ~finite | (self._odd >= self._p.lost_time)
        if self.lost.all():  # no floor, rather than two sensors; or nothing to go by
            self.lost[:] = False
        self._last, self._stamp = felt.copy(), stamp

    def _instead(
        self, foot: int, felt: Array, planned: Array, world_R_sole: Array
    ) -> Array:
        """Return the wrench (6,) that a sole feels by what the other one leaves."""
        asked = float(planned[:, 2].sum())
        force = max(asked - float(felt[1 - foot, 2]), 0.0)
        mine = planned[foot]
        if mine[2] < 1.0:  # it should be in the air: only what is surely too much
            force = max(force - self._p.lost_room * self._weight, 0.0)
            return np.array([0.0, 0.0, force, 0.0, 0.0, 0.0])
        turned = np.concatenate([world_R_sole.T @ mine[:3], world_R_sole.T @ mine[3:]])
        return turned * (force / mine[2])
