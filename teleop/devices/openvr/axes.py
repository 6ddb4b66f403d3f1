"""SteamVR's axes (x right, y up, z back) to ours (x ahead, y left, z up).

The same change of axes is made for the world and for the device, so that a headset that
looks ahead is the identity in both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from telexist.retarget.errors import BadFrame
from telexist.retarget.so3 import Array

__all__ = ["DevicePose", "device_pose"]

_OURS_R_THEIRS = np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


@dataclass(frozen=True, slots=True, kw_only=True)
class DevicePose:
    """Where a tracked device is and how it moves, in our axes.

    Attributes:
        rotation: `world_R_device` (3, 3).
        position: (3,) [m].
        linear_velocity: (3,) [m/s].
        angular_velocity: (3,) [rad/s].
    """

    rotation: Array
    position: Array
    linear_velocity: Array
    angular_velocity: Array


def device_pose(pose: Any) -> DevicePose:
    """Convert a `TrackedDevicePose_t`.

    Raises:
        BadFrame: If a number in it is not finite.
    """
    matrix = np.array([list(row) for row in pose.mDeviceToAbsoluteTracking.m])
    v, w = np.array(list(pose.vVelocity.v)), np.array(list(pose.vAngularVelocity.v))
    if not all(np.isfinite(values).all() for values in (matrix, v, w)):
        raise BadFrame("a pose of SteamVR is not finite")
    C = _OURS_R_THEIRS
    return DevicePose(
        rotation=C @ matrix[:, :3] @ C.T,
        position=C @ matrix[:, 3],
        linear_velocity=C @ v,
        angular_velocity=C @ w,
    )
