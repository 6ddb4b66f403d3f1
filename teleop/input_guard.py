"""Looks at every human frame before it may move anything."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from retarget.errors import BadFrame
from retarget.segments import PARENT, SEGMENTS
from retarget.signals import HumanFrame
from retarget.so3 import Array
from teleop.frame_differences import too_far_bent, too_far_moved, too_far_turned
from teleop.settings import SafetySettings

__all__ = ["InputGuard", "Verdict"]

MAX_SPEED = 20.0  # [m/s] of a person's segments between two samples
MAX_JUMP = 0.5  # [m] whatever the time between two samples
LONG_AGO = 0.5  # [s] a sample this old says nothing of where a segment can be now
TRUNK = ("Pelvis", "L5", "L3", "T12", "T8", "Neck", "Head")
TRUNK_SHARE = 0.35  # of a limb's greatest speed: the trunk cannot move as fast as hands

RANGE_DEG: Mapping[str, float] = MappingProxyType(
    {
        "L5": 60.0,
        "L3": 60.0,
        "T12": 60.0,
        "T8": 60.0,
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
class Verdict:
    """Why a frame must not be followed.

    Attributes:
        kind: A key of `REACTIONS`.
        reason: One line; names the segment.
        grave: Whether it is a fault now; if not, the frame alone is passed over.
    """

    kind: str
    reason: str
    grave: bool


class InputGuard:
    """Compares each frame with the last good one and with what a body can do."""

    def __init__(self, settings: SafetySettings) -> None:
        """Prepare with thresholds."""
        self._settings = settings
        self._pairs: dict[tuple[str, ...], tuple[np.ndarray, Array]] = {}
        self._share: tuple[tuple[str, ...], Array] = ((), np.empty(0))
        self.reset()
        for stamp in (0.0, 1.0e-2):  # loads the machine code before the clock matters
            self.check(_n_pose(stamp))
        self.reset()

    def reset(self) -> None:
        """Forget what came before: the next frame is a first frame."""
        self._last: HumanFrame | None = None
        self._changed = -np.inf
        self._bad = 0

    def check(self, frame: HumanFrame) -> Verdict | None:
        """Return None for a frame that may be followed, else why not.

        After enough bad frames in a row the verdict is grave, and the next frames are
        compared with these.
        """
        try:
            frame.require_finite()
        except BadFrame as error:
            return Verdict(kind="nan", reason=str(error), grave=False)
        last = self._last
        if last is not None and frame.stamp <= last.stamp:
            reason = f"a sample {last.stamp - frame.stamp:.3f} s older than the last"
            return Verdict(kind="backwards", reason=reason, grave=False)
        problem = self._jump(frame, last) or self._implausible(frame)
        if problem is not None:
            return self._count(problem, frame)
        self._bad = 0
        frozen = self._frozen(frame, last)
        self._last = frame
        return frozen

    def _count(self, problem: tuple[str, str], frame: HumanFrame) -> Verdict:
        self._bad += 1
        grave = self._bad >= self._settings.outliers
        if grave:
            self._last = frame
        return Verdict(kind=problem[0], reason=problem[1], grave=grave)

    def _frozen(self, frame: HumanFrame, last: HumanFrame | None) -> Verdict | None:
        if (
            last is None
            or last.segments != frame.segments
            or not np.array_equal(last.rotations, frame.rotations)
        ):
            self._changed = frame.stamp
            return None
        still = frame.stamp - self._changed
        if still <= self._settings.frozen_after:
            return None
        reason = f"all samples of the last {still:.1f} s are the same to the last bit"
        return Verdict(kind="frozen", reason=reason, grave=True)

    def _jump(
        self, frame: HumanFrame, last: HumanFrame | None
    ) -> tuple[str, str] | None:
        if last is None or last.segments != frame.segments:
            return None
        dt = frame.stamp - last.stamp
        if dt > LONG_AGO:
            return None
        s, shares = self._settings, self._shares(frame.segments)
        least, most = float(s.jump_angle), s.jump_speed * dt
        worst, angle = too_far_turned(
            last.rotations, frame.rotations, least, most, shares
        )
        if worst >= 0:
            turned = f"turned by {math.degrees(angle):.0f} deg in {dt:.3f} s"
            return "jump", f"{frame.segments[worst]} {turned}"
        if frame.positions is None or last.positions is None:
            return None
        most = MAX_SPEED * dt
        worst, way = too_far_moved(
            last.positions, frame.positions, MAX_JUMP, most, shares
        )
        if worst >= 0:
            moved = f"moved by {way:.2f} m in {dt:.3f} s"
            return "jump", f"{frame.segments[worst]} {moved}"
        return None

    def _implausible(self, frame: HumanFrame) -> tuple[str, str] | None:
        pairs, most = self._neighbours(frame.segments)
        worst, angle = too_far_bent(frame.rotations, pairs, most)
        if worst < 0:
            return None
        name = frame.segments[int(pairs[worst, 0])]
        over = f"{math.degrees(angle):.0f} deg from {PARENT[name]}"
        return "implausible", f"{name} is turned {over}"

    def _shares(self, segments: tuple[str, ...]) -> Array:
        """Return how fast each segment can be, compared with a limb (k,)."""
        if self._share[0] != segments:
            shares = [TRUNK_SHARE if s in TRUNK else 1.0 for s in segments]
            self._share = (segments, np.array(shares))
        return self._share[1]

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
