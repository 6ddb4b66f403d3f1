"""A camera infinitely far away: parallel lines stay parallel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["FRONT", "SIDE", "THREE_QUARTER", "Camera"]


@dataclass(frozen=True, slots=True)
class Camera:
    """Looks at the world from a direction.

    Attributes:
        azimuth_deg: Where it stands: 0 is ahead of a figure that faces +x, 90 to its
            left.
        elevation_deg: How high it stands.
    """

    azimuth_deg: float
    elevation_deg: float

    def axes(self) -> Array:
        """Return right, up and towards the camera, in world axes (3, 3), as rows."""
        a, e = np.radians(self.azimuth_deg), np.radians(self.elevation_deg)
        towards = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        right = np.array([-np.sin(a), np.cos(a), 0.0])
        return np.stack([right, np.cross(towards, right), towards])

    def see(self, points: Array) -> Array:
        """Return right, up and towards of points (..., 3) [m]."""
        return points @ self.axes().T


FRONT = Camera(0.0, 6.0)
SIDE = Camera(-90.0, 6.0)
THREE_QUARTER = Camera(-35.0, 14.0)
