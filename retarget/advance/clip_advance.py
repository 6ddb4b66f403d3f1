"""Time of a motion that is played: help at the hands makes it go on faster.

The joints follow q(psi). A hand that does what it is asked is on its path x(psi), and
what (9.4) and (9.10) come to in `trajectory_advance.py` is left for psi alone, for all
hands together, with dx their velocities per psi and f the forces on them:

    d rate / dt = c (f . dx) / (m |dx|^2 + eps) - (rate - 1) / T,    1 <= rate <= upper

Where f . dx is no help the rate only falls, and without help it is 1 to the last bit.
"""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.advance.advance_law import AdvanceLaw
from telexist.retarget.so3 import Array

__all__ = ["ClipAdvance"]

FADE = 0.5  # of the way to the greatest rate, over which help fades
SLOWEST = 0.05  # [m/s] of hands below which their way says little


class ClipAdvance:
    """Goes through a motion, faster with help.

    Attributes:
        psi: The motion's time [s].
        ahead: Of time, exactly 0 while nobody has helped [s].
        rate: Of psi against time, at least 1.
        help: Force along the hands' way that counted last [N].
    """

    def __init__(self, law: AdvanceLaw) -> None:
        """Stand at the motion's beginning.

        Args:
            law: How readily it goes ahead.
        """
        self.law = law
        self.psi, self.ahead, self.rate, self.help = 0.0, 0.0, 1.0, 0.0

    def step(self, ways: Array, forces: Array, dt: float) -> float:
        """Go on for dt and return psi.

        Args:
            ways: Of the hands, velocities per psi (k, 3) [m/s].
            forces: On them (k, 3) [N]; those that are not finite are none.
            dt: [s].
        """
        law, ways = self.law, np.asarray(ways, dtype=np.float64)
        forces = np.where(np.isfinite(forces), forces, 0.0)
        size = float(np.linalg.norm(ways))
        along = float((ways * forces).sum()) / max(size, 1e-9)
        self.help = along if math.isfinite(along) and along >= law.least else 0.0
        rate = 1.0 + (self.rate - 1.0) * math.exp(-dt / law.relaxation)
        if self.help:
            share = (law.upper - rate) / (FADE * (law.upper - 1.0))
            push = min(self.help / law.mass, law.boldest) * size
            gain = min(max(share, 0.0), 1.0) * push / (size**2 + SLOWEST**2)
            rate = min(rate + dt * gain, law.upper)
        self.rate = rate
        self.ahead += (rate - 1.0) * dt
        self.psi += rate * dt
        return self.psi
