"""A push at a simulated robot's base."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from telexist.retarget.so3 import Array, exp_so3

__all__ = ["Push"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """A force on the base for a while.

    Attributes:
        world_f: Force first, then moment about the base's centre of mass (6,) [N].
        start: Time of the simulation [s].
        duration: [s].
        turns: Whether it is turned with the robot's heading at its start, so that x is
            ahead and y to the left.
    """

    world_f: Array
    start: float
    duration: float
    turns: bool = False

    def turned(self, yaw: float) -> Push:
        """Return this push in the world's axes, for a robot that heads to yaw [rad]."""
        world_R_heading = exp_so3(np.array([0.0, 0.0, yaw]))
        pair = self.world_f.reshape(2, 3) @ world_R_heading.T
        return replace(self, world_f=pair.ravel(), turns=False)
