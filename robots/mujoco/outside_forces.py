"""What the world does to a robot: pushes, pulls at its hands, springs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from telexist.robots.mujoco.hand_pulls import HandPulls
from telexist.robots.mujoco.hand_spring import HandSpring
from telexist.robots.mujoco.model import MujocoModel
from telexist.robots.mujoco.push import Push

__all__ = ["OutsideForces"]


class OutsideForces:
    """Applies forces while they last.

    Attributes:
        hands: What pulls at the hands, and what they feel.
    """

    def __init__(
        self, index: MujocoModel, model: Any, data: Any, heading: Callable[[], float]
    ) -> None:
        """Begin with none.

        Args:
            index: The robot.
            model: MuJoCo's model.
            data: MuJoCo's state.
            heading: Tells where the robot faces [rad].
        """
        self.hands = HandPulls(index, model, data)
        self._data, self._base, self._heading = data, index.base_body, heading
        self._half = 0.5 * float(model.opt.timestep)
        self.reset()

    def reset(self) -> None:
        """Forget them all."""
        self._pushes: list[Push] = []
        self._springs: list[HandSpring] = []
        self.hands.reset()

    def push(self, push: Push) -> None:
        """Push once; see `Simulation.push`."""
        if push.hand:
            self.hands.row(push.hand)
        self._pushes.append(push)

    def hold_hand(self, spring: HandSpring) -> None:
        """Take a hand; see `Simulation.hold_hand`."""
        self.hands.row(spring.hand)
        self._springs.append(spring)

    def let_hands_go(self) -> None:
        """End whatever pulls at the hands."""
        self._springs.clear()
        self._pushes = [push for push in self._pushes if not push.hand]
        self.hands.apply(np.zeros((2, 6)))

    def apply(self, now: float) -> None:
        """Apply those of a time [s], before a step of the physics."""
        if not (self._pushes or self._springs):
            return
        force, hands, dt = np.zeros(6), np.zeros((2, 6)), self._half
        for i, push in enumerate(self._pushes):
            if push.start - dt <= now < push.start + push.duration - dt:
                if push.turns:
                    self._pushes[i] = push = push.turned(self._heading())
                if push.hand:
                    hands[self.hands.row(push.hand)] += push.at(now)
                else:
                    force += push.at(now)
        for spring in self._springs:
            row = self.hands.row(spring.hand)
            place, velocity = self.hands.place(row), self.hands.velocity(row)
            hands[row, :3] += spring.force(now, place, velocity)
        self._pushes = [p for p in self._pushes if now < p.start + p.duration + dt]
        self._springs = [s for s in self._springs if now < s.let_go + dt]
        self._data.xfrc_applied[self._base] = force
        self.hands.apply(hands)
