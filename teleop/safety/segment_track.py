"""Where each segment was seen last, and whether it can be where it is now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.so3 import Array
from telexist.teleop.safety.frame_differences import farthest_leap

__all__ = ["Leap", "Rows", "SegmentTrack"]

LONG_AGO = 0.5  # [s] a pose this old says nothing of where a segment can be now
SHARE = 0.1  # of each new interval in the usual one

Rows = npt.NDArray[np.intp]
"""Places of segments in `SEGMENTS` (s,)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leap:
    """A way that nobody can have come.

    Attributes:
        segment: Which one.
        way: Angle or distance from its last good pose [rad] or [m].
        elapsed: Time since then [s].
    """

    segment: str
    way: float
    elapsed: float


class SegmentTrack:
    """The last good pose of every segment, by turning or by place.

    A jump is a way that neither the speed before nor the time in which nobody looked
    explains. Each segment is compared with its own last good pose, however many samples
    without it came in between. A sample that was refused was looked at all the same: it
    does not lengthen the reach of the next one.
    """

    def __init__(
        self,
        ways: Callable[[Array, Array, Rows], Array],
        shape: tuple[int, ...],
        limits: Array,
    ) -> None:
        """Prepare.

        Args:
            ways: Measures how far poses (s, ...) are from those of all segments.
            shape: Of one pose.
            limits: What segments can do (4, 23); see `human_speeds.py`.
        """
        self._ways, self._limits = ways, limits
        self._poses = np.empty((len(SEGMENTS), *shape))
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        count = len(SEGMENTS)
        self._poses[...] = np.nan
        self._good = np.full(count, -np.inf)  # [s] when it was seen, well
        self._looked = np.full(count, -np.inf)  # [s] when it was seen at all
        self._gap = np.zeros(count)  # [s] longest between two looks since `_good`
        self._speed = np.zeros(count)
        self._newest, self._usual = -np.inf, 0.0  # [s] sample, and between two

    def too_far(self, poses: Array, rows: Rows, stamp: float) -> Leap | None:
        """Return the segment that came too far, if there is one.

        Args:
            poses: Of the s segments that are shown (s, ...).
            rows: Which ones they are (s,).
            stamp: Time of the sample, later than the last one [s].
        """
        self._look(rows, stamp)
        ways, elapsed = self._since(poses, rows, stamp)
        limits = self._limits if len(rows) == len(SEGMENTS) else self._limits[:, rows]
        gap, speed = np.maximum(self._gap[rows], self._usual), self._speed[rows]
        worst = farthest_leap(ways, elapsed, gap, speed, limits)
        if worst < 0:
            return None
        return Leap(
            segment=SEGMENTS[rows[worst]],
            way=float(ways[worst]),
            elapsed=stamp - float(self._good[rows[worst]]),
        )

    def same(self, poses: Array, rows: Rows) -> bool:
        """Return whether all are, to the last bit, where they were seen last."""
        return np.array_equal(self._poses[rows], poses)

    def keep(self, poses: Array, rows: Rows, stamp: float) -> None:
        """Take these as the last good poses; `too_far` has looked at them."""
        ways, elapsed = self._since(poses, rows, stamp)
        self._speed[rows] = np.fmax(ways / elapsed, 0.0)  # 0 where it is not a number
        self._poses[rows] = poses
        self._good[rows] = stamp
        self._gap[rows] = 0.0

    def _look(self, rows: Rows, stamp: float) -> None:
        pause = stamp - self._looked[rows]
        self._gap[rows] = np.maximum(self._gap[rows], pause)
        self._looked[rows] = stamp
        interval, self._newest = stamp - self._newest, stamp
        if 0.0 < interval <= LONG_AGO:
            self._usual += (SHARE if self._usual else 1.0) * (interval - self._usual)

    def _since(self, poses: Array, rows: Rows, stamp: float) -> tuple[Array, Array]:
        """Return each way since the last good pose, and how long ago that was [s].

        Samples that were held up and arrive together were not taken together: they are
        at least as far apart as samples usually are. Not a number: long ago.
        """
        elapsed = np.maximum(stamp - self._good[rows], self._usual)
        elapsed[elapsed > LONG_AGO] = np.nan
        return self._ways(self._poses, poses, rows), elapsed
