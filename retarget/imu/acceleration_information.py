"""What a reading of an accelerometer says of its segment's acceleration, [L] (3), (19).

Rows [1, -hat(p)] of the proper acceleration (linear, angular) of the segment's origin,
reading less w x (w x p).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.imu.imu_place import ImuPlace
from telexist.retarget.so3 import Array, hat

__all__ = ["AccelerationInformation", "acceleration_information"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccelerationInformation:
    """To be added to `BodyKnowledge.information` and `information_vector` of a link.

    Attributes:
        information: (6, 6).
        vector: The information times the reading (6,).
    """

    information: Array
    vector: Array


def acceleration_information(
    place: ImuPlace,
    reading: Array,
    w: Array,
    *,
    segment_R_imu: Array | None = None,
    deviation: float = 0.1,
) -> AccelerationInformation:
    """Return what a reading tells; the doubt about its place widens it.

    Args:
        place: Of the accelerometer on its segment.
        reading: (3,) [m/s^2], upwards at rest.
        w: Angular velocity of the segment in its own axes (3,) [rad/s].
        segment_R_imu: How it is turned on the segment (3, 3); None: as the segment.
        deviation: Of a reading [m/s^2].

    Raises:
        BadInput: If something is not finite, or the deviation not positive.
    """
    R = np.eye(3) if segment_R_imu is None else segment_R_imu
    reading, w = np.asarray(reading, dtype=float), np.asarray(w, dtype=float)
    if not (np.isfinite(reading).all() and np.isfinite(w).all() and deviation > 0.0):
        raise BadInput("a reading is finite numbers with a positive deviation")
    square = hat(w) @ hat(w)
    rows = np.concatenate([np.eye(3), -hat(place.position)], axis=1)
    noise = deviation**2 * np.eye(3) + square @ place.covariance @ square.T
    weights = np.linalg.inv(noise)
    left = R @ reading - square @ place.position
    return AccelerationInformation(
        information=rows.T @ weights @ rows, vector=rows.T @ weights @ left
    )
