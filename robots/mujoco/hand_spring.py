"""A person's hand that holds a robot's: a spring that goes its own way."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from telexist.retarget.advance import PathPoint
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array

__all__ = ["HandSpring"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSpring:
    """A person who leads a hand along a path at their own pace.

    Attributes:
        hand: "left" or "right".
        path: Where the person's hand is, by the path's own time, world axes; from rest
            where the robot's hand is.
        pace: Path's time per time: 2 is twice as fast.
        stiffness: [N/m].
        damping: [N s/m].
        most: Greatest force [N].
        start: When the person takes the hand and goes [s].
        let_go: When the person lets go [s].
    """

    hand: str
    path: Callable[[float], PathPoint]
    pace: float = 1.0
    stiffness: float = 300.0
    damping: float = 40.0
    most: float = 40.0
    start: float = 0.0
    let_go: float = math.inf

    def __post_init__(self) -> None:
        """Check the values.

        Raises:
            BadInput: If one has no meaning.
        """
        for name in ("pace", "stiffness", "damping", "most"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0.0):
                raise BadInput(f"a hand's {name} must not be negative: {value}")

    def force(self, time: float, place: Array, velocity: Array) -> Array:
        """Return the force on the robot's hand (3,) [N].

        Args:
            time: Of the world [s].
            place: Of the robot's hand (3,) [m].
            velocity: Of the robot's hand (3,) [m/s].
        """
        if not self.start <= time < self.let_go:
            return np.zeros(3)
        point = self.path((time - self.start) * self.pace)
        force = self.stiffness * (point.x - place)
        force += self.damping * (self.pace * point.dx - velocity)
        return force * min(1.0, self.most / max(float(np.linalg.norm(force)), 1e-12))
