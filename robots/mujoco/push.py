"""A push at a simulated robot's base, or a pull at one of its hands."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from telexist.retarget.so3 import Array, exp_so3

__all__ = ["Push"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """A force on the base, or on a hand, for a while.

    Attributes:
        world_f: Force first, then moment about the base's centre of mass, or the origin
            of the hand's link (6,) [N].
        start: Time of the simulation [s].
        duration: [s].
        turns: Whether it is turned with the robot's heading at its start, so that x is
            ahead and y to the left.
        hand: "left" or "right"; "" for the base.
        ramp: Time in which it grows, and goes again at its end [s].
    """

    world_f: Array
    start: float
    duration: float
    turns: bool = False
    hand: str = ""
    ramp: float = 0.0

    def at(self, time: float) -> Array:
        """Return the force at a time within its duration (6,) [N]."""
        if not self.ramp:
            return self.world_f
        left = min(time - self.start, self.start + self.duration - time)
        return self.world_f * min(max(left / self.ramp, 0.0), 1.0)

    def turned(self, yaw: float) -> Push:
        """Return this push in the world's axes, for a robot that heads to yaw [rad]."""
        world_R_heading = exp_so3(np.array([0.0, 0.0, yaw]))
        pair = self.world_f.reshape(2, 3) @ world_R_heading.T
        return replace(self, world_f=pair.ravel(), turns=False)
