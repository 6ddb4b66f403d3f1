"""From what sensors under a foot say to the wrench on the foot and its covariance.

What a sensor does not tell is taken from what a standing foot may feel: a leg pushes
along itself.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.dynamics.force_track import ForcesAt
from telexist.retarget.dynamics.person_model import PersonModel
from telexist.retarget.dynamics.sole_contacts import SIDES, standing_covariance
from telexist.retarget.so3 import Array, hat

__all__ = ["foot_knowledge"]

LEAST = 1e-4  # [N], [N m] deviation below which nothing is believed


def foot_knowledge(
    person: PersonModel,
    side: int,
    world_R_foot: Array,
    places: Array,
    forces: ForcesAt,
) -> tuple[Array, Array]:
    """Return a foot's wrench (6,) and covariance (6, 6), in its axes at the ankle.

    Args:
        person: Size and mass.
        side: 0 left, 1 right.
        world_R_foot: (3, 3).
        places: Of the ankle and of the pelvis (2, 3) [m].
        forces: What was measured.
    """
    sensor_X_foot = _carried_over(person, side, world_R_foot, places[0], forces)
    told = np.isfinite(forces.deviation[side])
    noise = np.maximum(forces.deviation[side], LEAST) ** 2
    if told.all():
        foot_X_sensor = np.linalg.inv(sensor_X_foot)
        wrench: Array = foot_X_sensor @ forces.wrench[side]
        return wrench, foot_X_sensor @ np.diag(noise) @ foot_X_sensor.T
    hip = places[1] - places[0]
    prior = standing_covariance(person, SIDES[side], world_R_foot.T, hip)
    prior += np.diag([1.0, 1.0, 1.0, 0.01, 0.01, 0.01])
    H = sensor_X_foot[told]
    gain = prior @ H.T @ np.linalg.inv(H @ prior @ H.T + np.diag(noise[told]))
    left = np.eye(6) - gain @ H
    covariance = left @ prior @ left.T + gain @ np.diag(noise[told]) @ gain.T
    return gain @ forces.wrench[side, told], covariance


def _carried_over(
    person: PersonModel,
    side: int,
    world_R_foot: Array,
    world_p_ankle: Array,
    forces: ForcesAt,
) -> Array:
    """Return what takes a wrench at the ankle to where the sensor counts it (6, 6)."""
    if forces.in_world[side]:
        R, sensor_p_ankle = world_R_foot, world_p_ankle
    else:
        height = person.size.joints[f"{SIDES[side]}Foot"][2]
        R, sensor_p_ankle = np.eye(3), np.array([0.0, 0.0, height])
    X = np.zeros((6, 6))
    X[:3, :3] = X[3:, 3:] = R
    X[3:, :3] = hat(sensor_p_ankle) @ R
    return X
