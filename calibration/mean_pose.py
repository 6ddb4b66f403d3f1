"""The pose in which an operator stood, averaged over a capture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from telexist.calibration.pose_average import RotationAverage
from telexist.calibration.samples import SegmentSamples
from telexist.retarget.so3 import Array, rotation_z

__all__ = ["MeanPose", "mean_pose"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanPose:
    """One pose, as far as the source shows it.

    Attributes:
        rotations: Segment to its rotation (3, 3).
        positions: Segment to its place (3,) [m]; empty if the source has no places.
    """

    rotations: dict[str, Array]
    positions: dict[str, Array]

    def turned(self, heading: float) -> MeanPose:
        """Return the pose as if the operator faced x: heading removed."""
        here_R_world = rotation_z(-heading)
        return MeanPose(
            rotations={k: here_R_world @ R for k, R in self.rotations.items()},
            positions={k: here_R_world @ p for k, p in self.positions.items()},
        )

    def line(self, start: str, end: str) -> Array | None:
        """Return the way between two segments' places (3,) [m]; None if unknown."""
        if start not in self.positions or end not in self.positions:
            return None
        return self.positions[end] - self.positions[start]


def mean_pose(
    samples: Sequence[SegmentSamples], averages: Sequence[RotationAverage]
) -> MeanPose:
    """Put the means of all segments together; outliers of rotation count nowhere."""
    rotations, positions = {}, {}
    for own, average in zip(samples, averages, strict=True):
        rotations[own.segment] = average.mean
        if own.positions is not None:
            positions[own.segment] = np.mean(own.positions[average.kept], axis=0)
    return MeanPose(rotations=rotations, positions=positions)
