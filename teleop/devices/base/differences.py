"""Frames of a stream, with velocities from sample to sample where it sends none."""

from __future__ import annotations

import numpy as np
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array, log_so3

__all__ = ["FrameBuilder"]

LONGEST_GAP = 0.25  # [s]; over a longer gap a difference is no velocity


class FrameBuilder:
    """Builds frames and remembers the last one.

    w = log(R1 R0') / dt and v = (p1 - p0) / dt, where dt is the difference of the
    source's own times, or of the arrivals where the source tells no time. After a gap,
    and for the first frame, velocities are zero.
    """

    def __init__(self) -> None:
        self._last: HumanFrame | None = None
        self._last_time: float | None = None

    def reset(self) -> None:
        """Forget the last frame: the next one has no velocity."""
        self._last = None

    def build(
        self,
        segments: tuple[str, ...],
        rotations: Array,
        positions: Array | None,
        *,
        stamp: float,
        sequence: int,
        source_time: float | None = None,
        angular_velocities: Array | None = None,
        linear_velocities: Array | None = None,
        hand_points: Array | None = None,
    ) -> HumanFrame:
        """Build the next frame.

        Args:
            segments: Names of the s segments.
            rotations: `world_R_segment` (s, 3, 3).
            positions: Origins (s, 3) [m], or None.
            stamp: When it arrived [s].
            sequence: Its number at the source.
            source_time: When the source sampled it, on its own clock [s].
            angular_velocities: As measured (s, 3) [rad/s]; None takes the difference.
            linear_velocities: As measured (s, 3) [m/s]; None takes the difference.
            hand_points: Points of the hands; see `HumanFrame`.
        """
        last, dt = self._last, self._elapsed(segments, source_time, stamp)
        w, v = angular_velocities, linear_velocities
        if w is None:
            w = np.zeros((len(segments), 3))
            if last is not None and dt is not None:
                w = log_so3(rotations @ np.swapaxes(last.rotations, -1, -2)) / dt
        if v is None and positions is not None:
            v = np.zeros_like(positions)
            if last is not None and last.positions is not None and dt is not None:
                v = (positions - last.positions) / dt
        self._last_time = source_time
        self._last = HumanFrame(
            stamp=stamp,
            segments=segments,
            rotations=rotations,
            angular_velocities=w,
            positions=positions,
            linear_velocities=v,
            sequence=sequence,
            hand_points=hand_points,
        )
        return self._last

    def _elapsed(
        self, segments: tuple[str, ...], source_time: float | None, stamp: float
    ) -> float | None:
        """Return the time since the last frame [s]; None if they cannot be compared."""
        if self._last is None or self._last.segments != segments:
            return None
        dt = stamp - self._last.stamp
        if self._last_time is not None and source_time is not None:
            told = source_time - self._last_time
            dt = told if told > 0.0 else dt
        return dt if 1e-4 < dt <= LONGEST_GAP else None
