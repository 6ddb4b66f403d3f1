"""What steps a world: MuJoCo, and whoever takes part in it.

No clock, no thread, no surprise: the same seed and commands give the same motion to the
last bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import mujoco
from telexist.retarget.kinematics import Configuration
from telexist.robots.mujoco.divergence import Divergence

__all__ = ["Part", "Physics"]


class Part(Protocol):
    """Who takes part: a robot."""

    def start(self, configuration: Configuration | None) -> None:
        """Take a pose, the neutral one if None, while the world begins anew."""

    def sense_anew(self) -> None:
        """Forget earlier readings."""

    def prepare(self) -> None:
        """Get ready for some steps."""

    def before_step(self) -> None:
        """Act."""

    def after_step(self, left: int, count: int) -> None:
        """Look; `left` of `count` steps are left, this one too."""


class Physics:
    """A world's state and its steps.

    Attributes:
        model: The compiled model with its disturbances.
        data: MuJoCo's state.
        timestep: [s].
    """

    def __init__(self, model: Any) -> None:
        """Begin with nobody.

        Args:
            model: MuJoCo's, of nobody else's.
        """
        self.model: Any = model
        self.data: Any = mujoco.MjData(model)
        self.timestep = float(model.opt.timestep)
        self._divergence = Divergence(model, self.data)
        self._parts: list[Part] = []
        self._owed = 0.0

    @property
    def time(self) -> float:
        """Time of the world [s]."""
        return float(self.data.time)

    def join(self, part: Part) -> None:
        """Take part from now on."""
        self._parts.append(part)

    def reset(self, poses: Mapping[Part, Configuration]) -> None:
        """Begin anew at time 0, everybody in their pose, neutral where none is given.

        Args:
            poses: Of some or all of them.
        """
        mujoco.mj_resetData(self.model, self.data)
        self._owed = 0.0
        for part in self._parts:
            part.start(poses.get(part))
        mujoco.mj_forward(self.model, self.data)
        for part in self._parts:
            part.sense_anew()

    def advance(self, duration: float) -> None:
        """Go on for a time [s], in whole steps; what is left is owed.

        Raises:
            SimulationDiverged: If there is no answer any more, until `reset`.
        """
        before = self.time
        for part in self._parts:
            part.prepare()
        self._owed += duration
        count = round(self._owed / self.timestep)
        self._owed -= count * self.timestep
        for left in range(count, 0, -1):
            for part in self._parts:
                part.before_step()
            mujoco.mj_step(self.model, self.data)
            self._divergence.check(before)
            for part in self._parts:
                part.after_step(left, count)
