"""Single targets, before they are put together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.ik import PointTarget
from telexist.retarget.so3 import Array

__all__ = ["OrientationTarget", "wanted_point"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OrientationTarget:
    """A wanted orientation of a link.

    Attributes:
        frame: Number of the link.
        world_R_link: (3, 3).
        weight: About every axis [1/rad^2].
    """

    frame: int
    world_R_link: Array
    weight: float


def wanted_point(frame: int, point: Array, goal: Array, weight: float) -> PointTarget:
    """Return a target with the same weight along every axis."""
    return PointTarget(
        frame=frame, link_p_point=point, world_p_goal=goal, weights=np.full(3, weight)
    )
