"""When a foot stands on the floor, and which way is up in it then."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.so3 import Array, angle_between, mean_rotation

__all__ = ["FlatFoot", "FootMotion", "flat_foot", "slow_and_low"]

_SLOW = 0.25  # [m/s]
_NEAR_FLOOR = 0.04  # [m] above the lowest twentieth
_RAISED = 0.09  # [m] of one ankle above the other, for a whole clip
_LEAST_TIME = 0.15  # [s] of standing, before it is believed
_SPREAD = np.deg2rad(10.0)  # a foot that stands flat always stands alike
_MOST_FRAMES = 100  # averaged


@dataclass(frozen=True, slots=True, kw_only=True)
class FootMotion:
    """A foot of the source over time, z up.

    Attributes:
        world_R_foot: (t, 3, 3).
        world_R_toe: (t, 3, 3); the foot's without a toe.
        ankle: Positions (t, 3) [m].
        toe: Positions of the toe joint or tip (t, 3) [m]; the ankle's without either.
    """

    world_R_foot: Array
    world_R_toe: Array
    ankle: Array
    toe: Array


def slow_and_low(points: Array, time: Array) -> NDArray[np.bool_]:
    """Return when a point is close to its lowest height and hardly moves (t,) bool.

    Args:
        points: Positions (t, 3) [m], z up.
        time: (t,) [s].
    """
    speed = np.linalg.norm(np.gradient(points, time, axis=0), axis=-1)
    low = points[:, 2] < np.quantile(points[:, 2], 0.05) + _NEAR_FLOOR
    return np.asarray(low & (speed < _SLOW))


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatFoot:
    """How a foot of the source stands on the floor.

    Attributes:
        up: The direction in the foot's own axes that points up then (3,).
        foot_R_toe: The toe on the foot then (3, 3); identity without a toe.
    """

    up: Array
    foot_R_toe: Array


def flat_foot(foot: FootMotion, other: FootMotion, time: Array) -> FlatFoot | None:
    """Find how a foot stands flat, or return None if it never does.

    Args:
        foot: The motion of the source's foot.
        other: The other foot: one that stays far above it only hangs in the air.
        time: (t,) [s].
    """
    lowest, other_lowest = (np.quantile(f.ankle[:, 2], 0.05) for f in (foot, other))
    if lowest > other_lowest + _RAISED:
        return None
    standing = slow_and_low(foot.ankle, time) & slow_and_low(foot.toe, time)
    step = (time[-1] - time[0]) / max(len(time) - 1, 1)
    rows = np.flatnonzero(standing)
    up = foot.world_R_foot[rows, 2, :]
    if len(rows) * step < _LEAST_TIME or len(rows) < 3:
        return None
    off = angle_between(up, np.median(up, axis=0))
    if np.median(off) > _SPREAD:
        return None
    mean = up[off <= _SPREAD].mean(axis=0)
    few = rows[off <= _SPREAD][:: max(1, len(rows) // _MOST_FRAMES)]
    foot_R_toe = mean_rotation(
        np.swapaxes(foot.world_R_foot[few], -1, -2) @ foot.world_R_toe[few]
    )
    return FlatFoot(up=mean / np.linalg.norm(mean), foot_R_toe=foot_R_toe)
