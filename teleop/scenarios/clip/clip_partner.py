"""Pulls along the hands' own way, and what the motion's time makes of them."""

from __future__ import annotations

import numpy as np
from telexist.retarget.advance import AdvanceLaw, ClipAdvance
from telexist.retarget.so3 import Array
from telexist.robots.base import RobotState
from telexist.robots.dynamics import DynamicsModel
from telexist.robots.mujoco import Push

__all__ = ["ClipPartner"]

LAW = AdvanceLaw(upper=2.0, least=3.0)
START = 3.0  # [s] when the person takes the hands: the motion has begun
SLOW = 0.1  # [m/s] of a hand below which its way says little, and it is pulled less


class ClipPartner:
    """Somebody at both hands, and the clock of the motion.

    Attributes:
        clock: Of the motion.
    """

    def __init__(self, model: DynamicsModel, force: float, *, advances: bool) -> None:
        """Find the hands.

        Args:
            model: The robot, at its state of the step.
            force: Of the person on each hand along its way; negative: against it [N].
            advances: Whether the motion's time goes ahead with help.
        """
        self._model, self._force, self._advances = model, force, advances
        self.clock = ClipAdvance(LAW)
        hands = model.robot.body.hands
        self._frames = {
            row: model.frame(hands[side])
            for row, side in enumerate(("left", "right"))
            if side in hands
        }
        self._ways = np.zeros((2, 3))

    def feel(self, state: RobotState, dt: float) -> float:
        """Take what the hands feel; return how far the motion is ahead [s]."""
        felt, forces = state.hand_wrenches, np.zeros((2, 3))
        if self._advances and felt is not None:
            for row, frame in self._frames.items():
                forces[row] = self._model.rotation(frame) @ felt[row, :3]
            self.clock.step(self._ways, forces, dt)
        return self.clock.ahead

    def plan(self, dq: Array) -> None:
        """Take the joints' velocities (n,) that are asked for now."""
        for row, frame in self._frames.items():
            J = self._model.jacobian(frame)[:3, 6:]
            self._ways[row] = J @ dq / self.clock.rate

    def pulls(self, time: float, duration: float) -> list[Push]:
        """Return what the person does at both hands for a while from a time on [s]."""
        if time < START or not self._force:
            return []
        found = []
        for row in self._frames:
            way = self._ways[row]
            share = self._force / max(float(np.linalg.norm(way)), SLOW)
            world_f = np.concatenate([share * way, np.zeros(3)])
            hand = ("left", "right")[row]
            found.append(
                Push(world_f=world_f, start=time, duration=duration, hand=hand)
            )
        return found
