"""Where a robot stands in its world."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array, exp_so3

__all__ = ["RobotPlace"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotPlace:
    """A place on the floor: where a robot that stands alone has the origin.

    Attributes:
        x: [m].
        y: [m].
        yaw: Where it faces, from world x to world y [rad].
    """

    x: float = 0.0
    y: float = 0.0
    yaw: float = 0.0

    def __post_init__(self) -> None:
        """Check the values.

        Raises:
            BadInput: If one is not finite.
        """
        if not np.isfinite([self.x, self.y, self.yaw]).all():
            raise BadInput("a robot's place needs finite numbers")

    @property
    def world_p_home(self) -> Array:
        """The place (3,) [m]."""
        return np.array([self.x, self.y, 0.0])

    @property
    def world_R_home(self) -> Array:  # noqa: N802
        """Its axes: x where the robot faces, z up (3, 3)."""
        return exp_so3(np.array([0.0, 0.0, self.yaw]))
