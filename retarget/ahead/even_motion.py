"""A robot's motion at even times, and back to the times of the clip."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline
from telexist.retarget.so3 import (
    Array,
    quat_wxyz_from_rotation,
    rotation_from_quat_wxyz,
)

__all__ = ["Postures", "even_times", "postures_at"]

FASTEST = 62.5  # [Hz] of the even times: no person moves faster than half of it


class Postures(NamedTuple):
    """A robot at t times.

    Attributes:
        p: Of the base (t, 3) [m].
        R: Axes of the base (t, 3, 3).
        q: Joints (t, n).
    """

    p: Array
    R: Array
    q: Array


def even_times(time: Array) -> Array:
    """Return even times from the first to the last, no more than `FASTEST` a second."""
    typical = float(np.median(np.diff(time)))
    every = typical * max(1, round(1.0 / (FASTEST * typical)))
    return np.linspace(time[0], time[-1], max(2, round((time[-1] - time[0]) / every)))


def postures_at(given: Postures, before: Array, after: Array) -> Postures:
    """Return postures at other times, by cubic splines; rotations stay rotations."""
    quat = quat_wxyz_from_rotation(given.R)
    flips = np.cumprod(np.where(np.sum(quat[1:] * quat[:-1], axis=1) < 0.0, -1.0, 1.0))
    quat[1:] *= flips[:, None]
    whole = np.hstack([given.p, quat, given.q])
    found = CubicSpline(before, whole)(after)
    turned = found[:, 3:7] / np.linalg.norm(found[:, 3:7], axis=1, keepdims=True)
    return Postures(
        p=np.ascontiguousarray(found[:, :3]),
        R=rotation_from_quat_wxyz(turned),
        q=np.ascontiguousarray(found[:, 7:]),
    )
