"""When a foot stands on the floor, and which way is up in it then."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retarget.so3 import Array, angle_between

__all__ = ["flat_direction", "slow_and_low"]

_SLOW = 0.25  # [m/s]
_NEAR_FLOOR = 0.04  # [m] above the lowest twentieth
_LEAST_TIME = 0.15  # [s] of standing, before it is believed
_SPREAD = np.deg2rad(8.0)  # a foot that stands flat always stands alike


def slow_and_low(points: Array, time: Array) -> NDArray[np.bool_]:
    """Return when a point is close to its lowest height and hardly moves (t,) bool.

    Args:
        points: Positions (t, 3) [m], z up.
        time: (t,) [s].
    """
    speed = np.linalg.norm(np.gradient(points, time, axis=0), axis=-1)
    low = points[:, 2] < np.quantile(points[:, 2], 0.05) + _NEAR_FLOOR
    return np.asarray(low & (speed < _SLOW))


def flat_direction(
    world_R_foot: Array, ankle: Array, toe: Array, time: Array
) -> Array | None:
    """Return which direction of a foot points up while its sole is flat (3,).

    Args:
        world_R_foot: Rotation of the source's foot, z up (t, 3, 3).
        ankle: Positions (t, 3) [m].
        toe: Positions of the toe joint or tip (t, 3) [m]; the ankle's if unknown.
        time: (t,) [s].

    Returns:
        Unit vector in the foot's axes, or None if the foot never stands flat.
    """
    standing = slow_and_low(ankle, time) & slow_and_low(toe, time)
    step = (time[-1] - time[0]) / max(len(time) - 1, 1)
    up = world_R_foot[standing, 2, :]
    if len(up) * step < _LEAST_TIME or len(up) < 3:
        return None
    middle = np.median(up, axis=0)
    off = angle_between(up, middle)
    if np.median(off) > _SPREAD:
        return None
    mean = up[off <= _SPREAD].mean(axis=0)
    return np.asarray(mean / np.linalg.norm(mean))
