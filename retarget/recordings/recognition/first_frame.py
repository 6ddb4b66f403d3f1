"""A first frame that does not belong to the motion.

Some archives (CMU among them) put a T-pose before the motion. Played back it is a jump
within one frame; read as a posture it is the best reference there is.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["first_frame_is_apart"]

_FEWEST = 5  # frames, to know how the clip itself moves
_FASTER = 6.0  # times the fastest other step
_LEAST = 0.05  # [m] mean way of the joints in one step


def first_frame_is_apart(points: Array) -> bool:
    """Return whether the step to the second frame is far above all others.

    Args:
        points: Joint positions (t, j, 3) [m].
    """
    if len(points) < _FEWEST:
        return False
    steps = np.linalg.norm(np.diff(points, axis=0), axis=-1).mean(axis=1)
    return bool(steps[0] > max(_LEAST, _FASTER * np.quantile(steps[1:], 0.99)))
