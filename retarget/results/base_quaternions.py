"""The base's orientation as quaternions, which files and other tools want."""

from __future__ import annotations

import numpy as np
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import Array, quat_wxyz_from_rotation

__all__ = ["base_quat_wxyz"]


def base_quat_wxyz(motion: RobotMotion) -> Array:
    """Return unit quaternions (w, x, y, z) of the base (t, 4), continuous in time.

    A rotation has two quaternions; from one time to the next the nearer one is taken,
    so that interpolating or differencing them is safe.
    """
    quat_wxyz = quat_wxyz_from_rotation(motion.base_rotation)
    along = np.sum(quat_wxyz[1:] * quat_wxyz[:-1], axis=1)
    signs = np.cumprod(np.where(along < 0.0, -1.0, 1.0))
    quat_wxyz[1:] *= signs[:, None]
    return quat_wxyz
