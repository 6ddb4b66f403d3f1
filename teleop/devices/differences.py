"""Velocities of a stream that sends none: differences from sample to sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from retarget.so3 import Array, log_so3

__all__ = ["Differences", "Motion"]

LONGEST_GAP = 0.25  # [s]; over a longer gap a difference is no velocity


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """Angular (s, 3) [rad/s] and linear (s, 3) [m/s] velocities, world axes."""

    angular: Array
    linear: Array | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pose:
    segments: tuple[str, ...]
    rotations: Array
    positions: Array | None
    source_time: float | None
    stamp: float


class Differences:
    """Remembers the last pose of a stream.

    w = log(R1 R0') / dt and v = (p1 - p0) / dt, where dt is the difference of the
    source's own times, or of the arrivals where the source tells no time. After a gap,
    and for the first pose, velocities are zero.
    """

    def __init__(self) -> None:
        self._last: _Pose | None = None

    def reset(self) -> None:
        """Forget the last pose: the next one has no velocity."""
        self._last = None

    def step(
        self,
        segments: tuple[str, ...],
        rotations: Array,
        positions: Array | None,
        *,
        source_time: float | None,
        stamp: float,
    ) -> Motion:
        """Take a pose and return its velocities.

        Args:
            segments: Names of the s segments.
            rotations: `world_R_segment` (s, 3, 3).
            positions: Origins (s, 3) [m], or None.
            source_time: When the source sampled it, on its own clock [s].
            stamp: When it arrived [s].
        """
        pose = _Pose(
            segments=segments,
            rotations=rotations,
            positions=positions,
            source_time=source_time,
            stamp=stamp,
        )
        last, self._last = self._last, pose
        angular = np.zeros((len(segments), 3))
        linear = None if positions is None else np.zeros((len(segments), 3))
        if last is None or last.segments != segments:
            return Motion(angular=angular, linear=linear)
        dt = _elapsed(last, pose)
        if dt is None:
            return Motion(angular=angular, linear=linear)
        angular = log_so3(rotations @ np.swapaxes(last.rotations, -1, -2)) / dt
        if positions is not None and last.positions is not None:
            linear = (positions - last.positions) / dt
        return Motion(angular=angular, linear=linear)


def _elapsed(last: _Pose, pose: _Pose) -> float | None:
    """Return the time between two poses [s], or None if it cannot be told."""
    dt = pose.stamp - last.stamp
    if last.source_time is not None and pose.source_time is not None:
        told = pose.source_time - last.source_time
        dt = told if told > 0.0 else dt
    return dt if 1e-4 < dt <= LONGEST_GAP else None
