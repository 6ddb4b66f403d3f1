"""How high a body can be over feet that stand apart: as far as its legs reach."""

from __future__ import annotations

import math
from collections.abc import Sequence

from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array

__all__ = ["LegReach"]

STRETCH = 0.975  # of a leg's length, beyond which its knee is as good as straight


class LegReach:
    """Knows where the hips are and how long the legs."""

    def __init__(self, body: RobotBody, posture: Configuration, height: float) -> None:
        """Look at the standing posture.

        Args:
            body: A robot with two legs.
            posture: How it stands ready, the centre of mass over the origin.
            height: Of its centre of mass [m].
        """
        self._length = STRETCH * body.leg_length
        hips = body.hips(posture)
        self._hips = hips[:, :2].tolist()
        self._above = height - float(hips[:, 2].mean())

    def tallest(
        self, com: Array, yaw: float, sole_p: Array, feet: Sequence[int]
    ) -> float:
        """Return the greatest height of the centre of mass over the soles [m].

        Args:
            com: Where the centre of mass is to be (2,) [m].
            yaw: Heading of the base [rad].
            sole_p: Middles of the left and the right sole (2, 3) [m].
            feet: Those that are on the floor.
        """
        c, s, farthest = math.cos(yaw), math.sin(yaw), 0.0
        for i in feet:
            x, y = self._hips[i]
            ahead = float(com[0]) + c * x - s * y - float(sole_p[i, 0])
            aside = float(com[1]) + s * x + c * y - float(sole_p[i, 1])
            farthest = max(farthest, ahead * ahead + aside * aside)
        margin = self._length**2 - farthest
        return self._above + math.sqrt(max(margin, 0.25 * self._length**2))
