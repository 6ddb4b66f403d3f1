"""Looks at every human frame before it may move anything."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from telexist.retarget.errors import BadFrame
from telexist.retarget.segments import PARENT, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array
from telexist.teleop.safety.body_watch import BodyWatch
from telexist.teleop.safety.frame_differences import (
    angles_between,
    distances_between,
    too_far_bent,
)
from telexist.teleop.safety.human_speeds import MOVING_LIMITS, turning_limits
from telexist.teleop.safety.segment_track import Rows, SegmentTrack
from telexist.teleop.settings import SafetySettings
from telexist.teleop.terms import Fault

__all__ = ["InputGuard", "FrameVerdict"]

BAD_TIME = 0.4  # [s] over which bad frames among good ones are counted

RANGE_DEG: Mapping[str, float] = MappingProxyType(
    {
        "L5": 75.0,
        "L3": 75.0,
        "T12": 75.0,
        "T8": 75.0,
        "Neck": 90.0,
        "Head": 100.0,
        "Shoulder": 80.0,
        "ForeArm": 178.0,
        "Hand": 150.0,
        "UpperLeg": 170.0,
        "LowerLeg": 175.0,
        "Foot": 110.0,
        "Toe": 110.0,
    }
)
"""How far a segment can turn from its parent, generously [deg]; upper arms: any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameVerdict:
    """Why a frame must not be followed.

    Attributes:
        kind: What is wrong.
        reason: One line; names the segment.
        grave: Whether it is a fault now; if not, the frame alone is passed over.
        usable: Whether the frame is good by itself: what is done about the course of
            the motion is the reactions' table's affair alone.
    """

    kind: Fault
    reason: str
    grave: bool
    usable: bool = False


class InputGuard:
    """Compares each frame with the last good ones and with what a body can do.

    Each segment is compared with its own last good pose: a source may leave some out
    for a while.
    """

    def __init__(self, settings: SafetySettings) -> None:
        """Prepare with thresholds."""
        self._settings = settings
        turning = turning_limits(float(settings.jump_angle), settings.jump_speed)
        self._turning = SegmentTrack(angles_between, (3, 3), turning)
        self._moving = SegmentTrack(distances_between, (3,), MOVING_LIMITS)
        self._body = BodyWatch()
        self._pairs: dict[tuple[str, ...], tuple[np.ndarray, Array]] = {}
        self._rows: tuple[tuple[str, ...], Rows] = ((), np.empty(0, dtype=np.intp))
        self.reset()
        for stamp in (0.0, 1.0e-2):  # loads the machine code before the clock matters
            self.check(_n_pose(stamp))
        self.reset()

    def reset(self) -> None:
        """Forget what came before: the next frame is a first frame."""
        self._turning.reset()
        self._moving.reset()
        self._stamp = -math.inf  # [s] of the last frame that was compared with
        self._changed = -math.inf  # [s] when a segment turned last
        self._judged = -math.inf  # [s] of the last frame that was looked at
        self._bad, self._share = 0, 0.0
        self._body.reset()

    def check(self, frame: HumanFrame) -> FrameVerdict | None:
        """Return None for a frame that may be followed, else why not.

        After enough bad frames in a row the verdict is grave, and the next frames are
        compared with these.
        """
        try:
            frame.require_finite()
        except BadFrame as error:
            return FrameVerdict(kind=Fault.NAN, reason=str(error), grave=True)
        if frame.stamp <= self._stamp:
            reason = f"a sample {self._stamp - frame.stamp:.3f} s older than the last"
            return FrameVerdict(kind=Fault.BACKWARDS, reason=reason, grave=True)
        rows = self._rows_of(frame.segments)
        problem = self._jump(frame) or self._implausible(frame)
        if problem is None and (said := self._body.contradicted(frame, rows)):
            problem = Fault.VELOCITY, said
        self._share *= math.exp(-max(frame.stamp - self._judged, 0.0) / BAD_TIME)
        self._judged = frame.stamp
        if problem is not None:
            return self._count(problem, frame)
        self._bad = 0
        frozen = self._frozen(frame)
        self._keep(frame)
        return frozen or self._course(frame)

    def _count(self, problem: tuple[Fault, str], frame: HumanFrame) -> FrameVerdict:
        """Pass a frame over; many in a row, or among few good ones, are a fault."""
        self._bad, self._share = self._bad + 1, self._share + 1.0
        in_a_row = self._bad >= self._settings.outliers
        if in_a_row:
            self._body.reset()
            self._keep(frame)
        grave = in_a_row or self._share > self._settings.outliers
        return FrameVerdict(kind=problem[0], reason=problem[1], grave=grave)

    def _course(self, frame: HumanFrame) -> FrameVerdict | None:
        """Judge the motion so far; the frame itself is good."""
        found = self._body.follow(frame, self._rows_of(frame.segments))
        if found is None:
            return None
        return FrameVerdict(kind=found[0], reason=found[1], grave=True, usable=True)

    def _keep(self, frame: HumanFrame) -> None:
        """Compare the next frames with this one."""
        rows = self._rows_of(frame.segments)
        self._turning.keep(frame.rotations, rows, frame.stamp)
        if frame.positions is not None:
            self._moving.keep(frame.positions, rows, frame.stamp)
        self._stamp = frame.stamp

    def _frozen(self, frame: HumanFrame) -> FrameVerdict | None:
        if not self._turning.same(frame.rotations, self._rows_of(frame.segments)):
            self._changed = frame.stamp
            return None
        still = frame.stamp - self._changed
        if still <= self._settings.frozen_after:
            return None
        reason = f"all samples of the last {still:.1f} s are the same to the last bit"
        return FrameVerdict(kind=Fault.FROZEN, reason=reason, grave=True)

    def _jump(self, frame: HumanFrame) -> tuple[Fault, str] | None:
        rows = self._rows_of(frame.segments)
        turned = self._turning.too_far(frame.rotations, rows, frame.stamp)
        moved = None
        if frame.positions is not None:
            moved = self._moving.too_far(frame.positions, rows, frame.stamp)
        if turned is not None:
            way = f"turned by {math.degrees(turned.way):.0f} deg"
            return Fault.JUMP, f"{turned.segment} {way} in {turned.elapsed:.3f} s"
        if moved is not None:
            way = f"moved by {moved.way:.2f} m"
            return Fault.JUMP, f"{moved.segment} {way} in {moved.elapsed:.3f} s"
        return None

    def _implausible(self, frame: HumanFrame) -> tuple[Fault, str] | None:
        pairs, most = self._neighbours(frame.segments)
        worst, angle = too_far_bent(frame.rotations, pairs, most)
        if worst < 0:
            return None
        name = frame.segments[int(pairs[worst, 0])]
        over = f"{math.degrees(angle):.0f} deg from {PARENT[name]}"
        return Fault.IMPLAUSIBLE, f"{name} is turned {over}"

    def _rows_of(self, segments: tuple[str, ...]) -> Rows:
        """Return the places of segments in `SEGMENTS` (s,)."""
        if self._rows[0] != segments:
            rows = [SEGMENT_INDEX[name] for name in segments]
            self._rows = (segments, np.array(rows, dtype=np.intp))
        return self._rows[1]

    def _neighbours(self, segments: tuple[str, ...]) -> tuple[np.ndarray, Array]:
        """Return rows of segment and parent (k, 2), and their greatest angles (k,)."""
        found = self._pairs.get(segments)
        if found is None:
            rows = [
                (k, segments.index(PARENT[name]), math.radians(limit))
                for k, name in enumerate(segments)
                if PARENT[name] in segments and (limit := _range(name)) is not None
            ]
            pairs = [(child, parent) for child, parent, _ in rows]
            most = [limit for _, _, limit in rows]
            found = (
                np.array(pairs, dtype=np.int64).reshape(-1, 2),
                np.array(most, dtype=np.float64),
            )
            self._pairs = {segments: found}
        return found


def _range(segment: str) -> float | None:
    part = segment.removeprefix("Left").removeprefix("Right")
    return RANGE_DEG.get(part)


def _n_pose(stamp: float) -> HumanFrame:
    zeros = np.zeros((len(SEGMENTS), 3))
    return HumanFrame(
        stamp=stamp,
        segments=SEGMENTS,
        rotations=np.tile(np.eye(3), (len(SEGMENTS), 1, 1)),
        angular_velocities=zeros,
        positions=zeros,
        linear_velocities=zeros,
    )
