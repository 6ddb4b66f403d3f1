"""What a sole can take from the floor: friction, pressure inside the sole, no pull."""

from __future__ import annotations

import numpy as np
from telexist.retarget.robot_body import Sole
from telexist.retarget.so3 import Array

__all__ = ["CONE_ROWS", "FRICTION", "SIDES", "contact_cone"]

FRICTION = 0.4  # assumed of the floor; real floors have 0.5 to 1
SIDES = 8  # of the pyramid inside the friction cone
CONE_ROWS = SIDES + 6
TORSION = 0.6  # of what friction at the corners alone would hold


def contact_cone(sole: Sole, *, share: float, friction: float = FRICTION) -> Array:
    """Return C (14, 6) with C f <= 0 for every wrench the floor can give.

    f is in sole axes at the sole's middle, force first: (fx, fy) in the octagon inside
    a circle of radius mu fz, two of its sides across x and two across y,
    |mx| <= fz width / 2, |my| <= fz length / 2, |mz| <= 0.6 mu r fz, with r the
    distance of the sole's corners from its middle.

    Args:
        sole: Its size.
        share: Of the sole's size that the centre of pressure may use.
        friction: Coefficient assumed of the floor.
    """
    C = np.zeros((CONE_ROWS, 6))
    angles = 2.0 * np.pi / SIDES * np.arange(SIDES)
    C[:SIDES, 0], C[:SIDES, 1] = np.cos(angles), np.sin(angles)
    C[:SIDES, 2] = -friction * np.cos(np.pi / SIDES)
    x, y = 0.5 * share * sole.length, 0.5 * share * sole.width
    torsion = TORSION * friction * np.hypot(0.5 * sole.length, 0.5 * sole.width)
    for i, (entry, limit) in enumerate(((3, y), (4, x), (5, torsion))):
        rows = slice(SIDES + 2 * i, SIDES + 2 * i + 2)
        C[rows, entry], C[rows, 2] = (1.0, -1.0), -limit
    return C
