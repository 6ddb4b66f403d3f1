"""The mean of many samples of one pose, on the rotation group, without outliers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.so3 import Array, exp_so3, log_so3, mean_rotation

__all__ = ["RotationAverage", "average_rotation"]

OUTLIER = 4.0  # standard deviations from the mean, found from the median angle
LEAST_SIGMA = float(np.deg2rad(0.5))  # a quieter sensor is not held to its own quiet
ROUNDS = 5
MEDIAN_OF_ANGLES = 1.538  # of normal errors about three axes, in standard deviations


@dataclass(frozen=True, slots=True, kw_only=True)
class RotationAverage:
    """The mean of k rotations.

    Attributes:
        mean: The Karcher mean of those that are kept (3, 3).
        errors: Rotation vectors from the mean to each sample, world axes (k, 3) [rad].
        kept: Which samples are no outliers (k,).
    """

    mean: Array
    errors: Array
    kept: NDArray[np.bool_]

    @property
    def spread_deg(self) -> float:
        """The rms angle of the samples that are kept to the mean [deg]."""
        squares = np.sum(self.errors[self.kept] ** 2, axis=-1)
        return float(np.rad2deg(np.sqrt(np.mean(squares))))


def average_rotation(samples: Array) -> RotationAverage:
    """Average rotations (k, 3, 3); samples far from all others do not count.

    The first guess is the sample with the least sum of angles to the others, which no
    minority of outliers can draw away.
    """
    mean = _middle(samples)
    kept = np.ones(len(samples), dtype=np.bool_)
    for _ in range(ROUNDS):
        angles = np.linalg.norm(_errors(samples, mean), axis=-1)
        sigma = max(float(np.median(angles)) / MEDIAN_OF_ANGLES, LEAST_SIGMA)
        now = angles <= OUTLIER * sigma
        mean = mean_rotation(samples[now])
        if np.array_equal(now, kept):
            break
        kept = now
    return RotationAverage(mean=mean, errors=_errors(samples, mean), kept=kept)


def _errors(samples: Array, mean: Array) -> Array:
    return log_so3(samples @ mean.T)


def _middle(samples: Array) -> Array:
    """Return the sample that is nearest to all others, of at most a few dozen."""
    some = samples[:: max(len(samples) // 40, 1)]
    between = log_so3(some[:, None] @ np.swapaxes(some, -1, -2)[None])
    sums = np.linalg.norm(between, axis=-1).sum(axis=1)
    middle: Array = some[int(np.argmin(sums))]
    # one robust step, so that a noisy middle is not the judge of the others
    steps = _errors(samples, middle)
    return exp_so3(np.median(steps, axis=0)) @ middle
