"""What pulls at a simulated robot's hands, and what sensors there would feel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array
from telexist.robots.mujoco.model import MujocoModel

__all__ = ["HandPulls"]


class HandPulls:
    """Applies forces at the origins of the hands' links."""

    def __init__(self, index: MujocoModel, model: Any, data: Any) -> None:
        """Find the hands of a world.

        Args:
            index: The robot.
            model: MuJoCo's model.
            data: MuJoCo's state.
        """
        self._data, hands = data, index.robot.body.hands
        self._bodies = {
            row: model.body(index.prefix + hands[side]).id
            for row, side in enumerate(("left", "right"))
            if side in hands
        }
        self._world_f = np.zeros((2, 6))
        self._sources: list[tuple[int, Callable[[], Array]]] = []
        self._model, self._motion = model, np.zeros(6)

    def row(self, hand: str) -> int:
        """Return the row of "left" or "right".

        Raises:
            BadInput: If the robot has no such hand.
        """
        row = ("left", "right").index(hand) if hand in ("left", "right") else -1
        if row not in self._bodies:
            raise BadInput(f"the robot has no {hand} hand")
        return row

    def reset(self) -> None:
        """Let go."""
        self._world_f[:] = 0.0

    def feel(self, hand: str, source: Callable[[], Array]) -> None:
        """Feel from now on a force on a hand that something else makes.

        Args:
            hand: "left" or "right".
            source: Returns the force now, world axes (3,) [N].

        Raises:
            BadInput: If the robot has no such hand.
        """
        self._sources.append((self.row(hand), source))

    def place(self, row: int) -> Array:
        """Return where a hand's link is (3,) [m]."""
        return np.array(self._data.xpos[self._bodies[row]])

    def velocity(self, row: int) -> Array:
        """Return how a hand's link moves, world axes (3,) [m/s]."""
        body, kind = self._bodies[row], mujoco.mjtObj.mjOBJ_XBODY
        mujoco.mj_objectVelocity(self._model, self._data, kind, body, self._motion, 0)
        return np.array(self._motion[3:])

    def apply(self, world_f: Array) -> None:
        """Pull at both hands' links with wrenches in world axes (2, 6) [N], [N m]."""
        self._world_f[:] = world_f
        data = self._data
        for row, body in self._bodies.items():
            force, moment = world_f[row, :3], world_f[row, 3:]
            arm = data.xpos[body] - data.xipos[body]
            data.xfrc_applied[body, :3] = force
            data.xfrc_applied[body, 3:] = moment + np.cross(arm, force)

    def read(self) -> Array | None:
        """Return the wrenches on both hands (2, 6), link axes; None without hands."""
        if not self._bodies:
            return None
        found, world_f = np.zeros((2, 6)), self._world_f
        if self._sources:
            world_f = world_f.copy()
            for row, source in self._sources:
                world_f[row, :3] += source()
        if world_f.any():
            for row, body in self._bodies.items():
                world_R_hand = self._data.xmat[body].reshape(3, 3)
                pair = world_f[row].reshape(2, 3) @ world_R_hand
                found[row] = pair.ravel()
        return found
