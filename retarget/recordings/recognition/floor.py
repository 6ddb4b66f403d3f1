"""Where the floor is: where the soles stand still.

A laboratory's floor is level, a recording's often is not quite: over a walk of some
metres the soles of badly calibrated clips climb by centimetres. A plane through the
standing soles finds both height and slope.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["Floor", "find_floor", "floor_height"]

_SLOW = 0.3  # [m/s] of a point of a standing sole
_LEVEL = 0.05  # [m] soles within this of the lowest ones stand on the same floor
_CLIMB = 0.12  # [m] the same, before a slope is taken out
_LEAST_SHARE = 0.02  # of the frames must stand, before standing is believed
_NOISE = 0.01  # [m] of a standing sole's height
_SLOPES = (np.tan(np.deg2rad(0.25)), np.tan(np.deg2rad(2.5)))  # errors of calibration
_STANCES = 20.0  # samples of one stance are not independent: count at most so many
_WALK = 1.5  # [m] between standing soles, before a slope is believed
_BETTER = 0.7  # spread of the heights with a slope over without, for it to be believed


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """The plane z = height + slope . (x, y).

    Attributes:
        height: Over the origin [m].
        slope: Rise along x and y (2,).
    """

    height: float
    slope: Array

    @property
    def normal(self) -> Array:
        """The direction that is up on this floor (3,), unit length."""
        normal = np.array([-self.slope[0], -self.slope[1], 1.0])
        return np.asarray(normal / np.linalg.norm(normal))


def find_floor(soles: Array, time: Array) -> Floor:
    """Find the floor under a clip.

    Args:
        soles: Heels and toe tips of both feet (t, k, 3) [m], z up.
        time: (t,) [s].
    """
    still = _still(soles, time, _CLIMB)
    slope = _slope(still) if len(still) >= _LEAST_SHARE * len(time) else np.zeros(2)
    level = soles.copy()
    level[..., 2] -= soles[..., :2] @ slope
    return Floor(height=floor_height(level, time), slope=slope)


def _still(soles: Array, time: Array, within: float) -> Array:
    """Return the sole points that are low and do not move (n, 3)."""
    speeds = np.linalg.norm(np.gradient(soles, time, axis=0), axis=-1)
    lowest = soles[..., 2].min(axis=1)
    low = soles[..., 2] < np.quantile(lowest, 0.1) + within
    return np.asarray(soles[(speeds < _SLOW) & low])


def floor_height(soles: Array, time: Array) -> float:
    """Return the height of a level floor [m].

    In flight or on a treadmill nothing stands still; then the lowest twentieth counts.

    Args:
        soles: Heels and toe tips of both feet (t, k, 3) [m], z up.
        time: (t,) [s].
    """
    near = _still(soles, time, _LEVEL)[:, 2]
    if near.size < _LEAST_SHARE * len(time):
        return float(np.quantile(soles[..., 2].min(axis=1), 0.05))
    base = np.quantile(near, 0.05)
    return float(np.median(near[near < base + _LEVEL / 2.0]))


def _slope(points: Array) -> Array:
    """Return the slope of the plane through standing soles (2,), zero if doubtful.

    Least squares of z = a + s . (x, y) with the prior that s is small, so that a person
    on the spot gives none.
    """
    centred = points - points.mean(axis=0)
    xy, z = centred[:, :2], centred[:, 2]
    weight = min(1.0, _STANCES / len(points)) / _NOISE**2
    A = weight * xy.T @ xy + np.eye(2) / _SLOPES[1] ** 2
    slope = np.linalg.solve(A, weight * xy.T @ z)
    steep = float(np.linalg.norm(slope))
    if not _SLOPES[0] < steep < _SLOPES[1]:
        return np.zeros(2)
    walked = np.ptp(xy @ slope) / steep
    better = np.std(z - xy @ slope) < _BETTER * np.std(z)
    return np.asarray(slope) if walked > _WALK and better else np.zeros(2)
