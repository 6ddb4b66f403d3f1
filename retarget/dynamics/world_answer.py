"""The estimator's answer in the axes that people read."""

from __future__ import annotations

import numpy as np
from telexist.retarget.dynamics.torque_estimator import TorqueEstimator
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array

__all__ = ["moments_of", "spine_force", "wrenches_of"]

_L5 = SEGMENT_INDEX["L5"]


def moments_of(estimator: TorqueEstimator) -> tuple[Array, Array]:
    """Return the moment on each segment in its neighbour's axes, and its deviation.

    Returns:
        (23, 3) and (23, 3) [N m]; zero for the pelvis, which hangs on nothing.
    """
    R = estimator.rotations  # parent_R_link
    moments = np.einsum("lij,lj->li", R, estimator.internal[:, 3:])
    spread = np.einsum("lij,ljk,lik->li", R, estimator.internal_cov[:, 3:, 3:], R)
    deviations = np.sqrt(np.maximum(spread, 0.0))
    moments[0] = deviations[0] = 0.0
    return moments, deviations


def spine_force(estimator: TorqueEstimator) -> tuple[float, float]:
    """Return the force that presses L5 on the sacrum, along L5, and its deviation [N].

    Of all that is above on the pelvis; what the back's muscles add is not in it.
    """
    spread = max(float(estimator.internal_cov[_L5, 2, 2]), 0.0)
    return float(estimator.internal[_L5, 2]), float(np.sqrt(spread))


def wrenches_of(estimator: TorqueEstimator, rotations: Array) -> tuple[Array, Array]:
    """Return the external wrench on each segment in world axes, and its deviation.

    Args:
        estimator: After a step.
        rotations: `world_R_segment` (23, 3, 3).

    Returns:
        (23, 6) and (23, 6), at the segments' origins.
    """
    wrenches, deviations = np.zeros((23, 6)), np.zeros((23, 6))
    for half in (slice(0, 3), slice(3, 6)):
        wrenches[:, half] = np.einsum(
            "lij,lj->li", rotations, estimator.wrench[:, half]
        )
        spread = np.einsum(
            "lij,ljk,lik->li",
            rotations,
            estimator.wrench_cov[:, half, half],
            rotations,
        )
        deviations[:, half] = np.sqrt(np.maximum(spread, 0.0))
    return wrenches, deviations
