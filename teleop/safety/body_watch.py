"""Whether a person moves as persons do, over fractions of a second.

Where single frames can be judged, `InputGuard` does it; here is what only shows in the
course of a motion, at any rate: a limb that froze, a body adrift or tilted as a whole,
velocities that are not those of the poses.
"""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array
from telexist.teleop.safety.common_motion import CommonTrack, take_common
from telexist.teleop.safety.flips import FlipTrack, flipping
from telexist.teleop.safety.segment_track import Rows
from telexist.teleop.safety.stated_velocities import (
    StatedTrack,
    contradicted,
    take_stated,
)
from telexist.teleop.safety.still_limbs import TIME, StillTrack, still_limb
from telexist.teleop.terms import Fault

__all__ = ["BodyWatch"]

LONGEST_GAP = 0.25  # [s] over a longer one frames have nothing to do with each other
TILT = math.radians(6.0)  # of a body as a whole; recordings: 4.6
ADRIFT = 0.35  # [s] without rest; recordings of runners: 0.2
LOOSE = 0.33  # [s] without a foot that stands; recordings: 0.27


def _absent() -> Array:
    none = np.empty((0, 3))
    none.setflags(write=False)
    return none


_ABSENT = _absent()


class BodyWatch:
    """Follows frames that are good one by one."""

    def __init__(self) -> None:
        """Know nothing of the person."""
        self._stated = StatedTrack.empty()
        self._flips = FlipTrack.empty()
        self._still = StillTrack.empty()
        self._common = CommonTrack.empty()
        self._segments: tuple[str, ...] = ()
        self._stamp = -math.inf

    def reset(self) -> None:
        """Forget what came before: the next frame is a first frame."""
        self._stamp = -math.inf

    def contradicted(self, frame: HumanFrame, rows: Rows) -> str:
        """Return which stated velocity is not that of the poses, or ""."""
        dt, first = self._since(frame)
        if first:
            return ""
        w, p, v = _vectors(frame)
        place, kind = contradicted(self._stated, rows, frame.rotations, w, p, v, dt)
        if place < 0:
            return ""
        said = float(np.linalg.norm((w, v)[kind][place]))
        unit, way = (("rad/s", "turns"), ("m/s", "moves"))[kind]
        return f"{frame.segments[place]} does not {way[:-1]} with the {said:.0f} {unit}"

    def follow(self, frame: HumanFrame, rows: Rows) -> tuple[Fault, str] | None:
        """Take a frame in; return what no person does, if anything."""
        dt, first = self._since(frame)
        if first:
            dt = 0.0
            self._still.time[:] = 0.0
        self._segments, self._stamp = frame.segments, frame.stamp
        R = frame.rotations
        w, p, v = _vectors(frame)
        take_stated(self._stated, rows, R, w, p, v, dt, first)
        frozen = still_limb(self._still, rows, R, dt)
        flips = flipping(self._flips, rows, R, dt, first)
        tilt, alone, loose, speed = take_common(self._common, rows, R, p, dt, first)
        if tilt > TILT:
            turned = f"{math.degrees(tilt):.0f} deg"
            return Fault.ADRIFT, f"the whole body has tilted by {turned}, feet and all"
        if alone > ADRIFT:
            reason = f"feet and all that may rest move at {speed:.1f} m/s"
            return Fault.ADRIFT, reason
        if loose > LOOSE:
            reason = "no foot stands and nothing carries the body, yet it does not fall"
            return Fault.ADRIFT, reason
        if flips >= 0:
            return Fault.JUMP, f"{frame.segments[flips]} turns to and fro all the time"
        if frozen >= 0:
            name = frame.segments[frozen]
            still = "has not turned at all"
            reason = f"{name} {still} for {TIME:.1f} s, though what carries it has"
            return Fault.LIMB_FROZEN, reason
        return None

    def _since(self, frame: HumanFrame) -> tuple[float, bool]:
        """Return the time since the last frame [s], and whether that says nothing."""
        dt = frame.stamp - self._stamp
        first = dt > LONGEST_GAP or frame.segments != self._segments
        return dt, first


def _vectors(frame: HumanFrame) -> tuple[Array, Array, Array]:
    """Return angular velocities, positions, velocities; empty where there are none."""
    p, v = frame.positions, frame.linear_velocities
    if p is None:
        return frame.angular_velocities, _ABSENT, _ABSENT
    return frame.angular_velocities, p, _ABSENT if v is None else v
