"""What a sole can take from the floor: friction, pressure inside the sole, no pull."""

from __future__ import annotations

import numpy as np

from retarget.robot_body import Sole
from retarget.so3 import Array

__all__ = ["CONE_ROWS", "contact_cone"]

FRICTION = 0.4  # assumed of the floor; real floors have 0.5 to 1
CONE_ROWS = 10
TORSION = 0.6  # of what friction at the corners alone would hold


def contact_cone(sole: Sole, *, share: float, friction: float = FRICTION) -> Array:
    """Return C (10, 6) with C f <= 0 for every wrench the floor can give.

    f is in sole axes at the sole's middle, force first: |fx|, |fy| <= mu / sqrt 2 fz,
    |mx| <= fz width / 2, |my| <= fz length / 2, |mz| <= 0.6 mu r fz, with r the
    distance of the sole's corners from its middle.

    Args:
        sole: Its size.
        share: Of the sole's size that the centre of pressure may use.
        friction: Coefficient assumed of the floor.
    """
    mu = friction / np.sqrt(2.0)
    x, y = 0.5 * share * sole.length, 0.5 * share * sole.width
    torsion = TORSION * friction * np.hypot(0.5 * sole.length, 0.5 * sole.width)
    limits = ((0, mu), (1, mu), (3, y), (4, x), (5, torsion))
    C = np.zeros((CONE_ROWS, 6))
    for i, (entry, limit) in enumerate(limits):
        C[2 * i, entry], C[2 * i + 1, entry] = 1.0, -1.0
        C[2 * i : 2 * i + 2, 2] = -limit
    return C
