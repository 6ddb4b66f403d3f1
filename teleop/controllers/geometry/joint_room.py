"""Where joints are meant to stay: a little inside their limits.

Noise of encoders and the time between two commands carry a joint some milliradians past
where it was to stop; what is asked of it stops before.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array

__all__ = ["joint_room"]

INSET = 0.008  # [rad] or [m]
INSET_SHARE = 0.02  # of the range, at most


def joint_room(body: RobotBody) -> tuple[Array, Array]:
    """Return least and greatest positions that are asked for (n,), (n,)."""
    lower, upper = np.array(body.lower), np.array(body.upper)
    inset = np.minimum(INSET, INSET_SHARE * (upper - lower))
    return lower + inset, upper - inset
