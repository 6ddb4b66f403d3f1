"""Height and lean of the trunk: the operator's, as far as legs and drives allow."""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.geometry import (
    BoundedFollower,
    rotation_vector,
    turned_by,
)
from telexist.teleop.controllers.operator.reference_stance import Stance
from telexist.teleop.controllers.parameters import LowestHeights, TrunkParameters

__all__ = ["TrunkGoal"]


class TrunkGoal:
    """Where the centre of mass is to be over the soles, and how the base is turned.

    Attributes:
        height: [m].
        rate: Of the height [m/s].
        rise: Acceleration of the height [m/s^2].
        floor_R_base: Orientation of the base, seen from the heading (3, 3).
        turn_rate: Of the base, seen from the heading (3,) [rad/s].
    """

    def __init__(
        self,
        ready: Array,
        height: float,
        lowest: LowestHeights,
        parameters: TrunkParameters | None = None,
    ) -> None:
        """Stand ready.

        Args:
            ready: `floor_R_base` of the standing posture (3, 3).
            height: Of its centre of mass [m].
            lowest: How low the robot can go.
            parameters: How far and how fast.
        """
        self._p = p = parameters or TrunkParameters()
        lean, leaning = p.lean_speed, p.lean_acceleration
        self._ready, self._top, self._lowest = ready, height, lowest
        self._follower = BoundedFollower(
            np.array([height, 0.0, 0.0, 0.0]),
            stiffness=p.stiffness,
            speed=np.array([p.rise_speed, lean, lean, lean]),
            acceleration=np.array([p.rise_acceleration, leaning, leaning, leaning]),
        )
        self._tell()

    def reset(self) -> None:
        """Stand ready, at rest."""
        self._follower.reset(np.array([self._top, 0.0, 0.0, 0.0]))
        self._tell()

    def step(
        self,
        stance: Stance | None,
        dt: float,
        *,
        lean: float = 1.0,
        one_foot: bool = False,
        stoop: float = 0.0,
        tallest: float = math.inf,
    ) -> None:
        """Follow the operator for dt [s]; None: back to standing ready.

        Args:
            stance: How the operator's posture stands.
            dt: Step [s].
            lean: Share of its lean that can be held.
            one_foot: Whether one leg carries all.
            stoop: How much lower than ready without an operator [m].
            tallest: Height that the legs reach [m].
        """
        goal, velocity = np.array([self._top - stoop, 0.0, 0.0, 0.0]), np.zeros(4)
        if stance is not None:
            low = self._lowest.one_foot if one_foot else self._lowest.both_feet
            goal[0], share = _between(stance.height, low, self._top, self._p.soft)
            velocity[0] = share * stance.rate
            turn = rotation_vector(stance.floor_R_base @ self._ready.T)
            most = self._p.one_foot_lean if one_foot else self._p.most_lean
            goal[1:] = min(lean, most / max(math.hypot(*turn), 1e-9)) * turn
        if goal[0] > tallest:
            goal[0], velocity[0] = tallest, 0.0
        self._follower.step(goal, velocity, dt)
        self._tell()

    def _tell(self) -> None:
        p, v, a = self._follower.p, self._follower.v, self._follower.a
        self.height, self.rate, self.rise = float(p[0]), float(v[0]), float(a[0])
        self.floor_R_base = turned_by(p[1:]) @ self._ready
        self.turn_rate = v[1:]


def _between(height: float, low: float, top: float, soft: float) -> tuple[float, float]:
    """Return a height kept between two over a soft way [m], and its derivative."""
    over = height - top
    root = math.hypot(over, soft)
    height, share = top + 0.5 * (over - root), 0.5 * (1.0 - over / root)
    over = height - low
    root = math.hypot(over, soft)
    height, share = low + 0.5 * (over + root), share * 0.5 * (1.0 + over / root)
    return min(height, top), share
