"""Where the floor is: where the soles stand still."""

from __future__ import annotations

import numpy as np

from retarget.so3 import Array

__all__ = ["floor_height"]

_SLOW = 0.3  # [m/s] of a point of a standing sole
_LEVEL = 0.05  # [m] soles within this of the lowest ones stand on the same floor
_LEAST_SHARE = 0.02  # of the frames must stand, before standing is believed


def floor_height(soles: Array, time: Array) -> float:
    """Return the height of the floor [m].

    The lowest point of the soles is on the floor whenever it is low and does not move.
    In flight or on a treadmill nothing stands still; then the lowest twentieth counts.

    Args:
        soles: Heels and toe tips of both feet (t, k, 3) [m], z up.
        time: (t,) [s].
    """
    heights = soles[..., 2]
    speeds = np.linalg.norm(np.gradient(soles, time, axis=0), axis=-1)
    lowest = heights.min(axis=1)
    still = heights[speeds < _SLOW]
    near = still[still < np.quantile(lowest, 0.1) + _LEVEL]
    if near.size < _LEAST_SHARE * lowest.size:
        return float(np.quantile(lowest, 0.05))
    base = np.quantile(near, 0.05)
    return float(np.median(near[near < base + _LEVEL / 2.0]))
