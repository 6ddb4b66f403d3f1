"""What one limb shall look like in N-pose, and the joint angles that come nearest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import least_squares
from telexist.retarget.segments import NEUTRAL_DIRECTION, PARENT
from telexist.retarget.so3 import Array, angle_between, shortest_rotation
from telexist.robots.draft.posture import UprightPosture

__all__ = ["Bend", "LimbGoal", "build_goal"]

BEND_WEIGHT = 0.5  # of the way in which an elbow bends, against 1 for directions
REST_WEIGHT = 0.02  # per radian away from zero: settles what nothing else does
TWIST_REST_WEIGHT = 0.005  # the same for the last joint before an elbow or knee
MARGIN = 0.35  # [rad] that joint keeps from its limits where it can
MARGIN_WEIGHT = 0.3  # of a margin used up
GOOD = np.radians(1.0)  # limbs this near to N-pose are left at zero
GOOD_BEND = np.radians(15.0)
SMALL = 0.12  # [rad] joints nearer to zero are tried at zero
WORSE = np.radians(0.5)  # what that may cost
ONE_SIDED = 0.2  # [rad] by which a hinge's two ranges must differ to tell its sign
ENOUGH = 0.01  # cost at which further starts are not tried: all limbs within a degree
AGREE = 1  # further start that leads to the best posture: no more are tried
BETTER = 1e-4  # by which a later start must win: mirrored limbs then agree


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bend:
    """The way in which an elbow or knee bends.

    Attributes:
        inner: Segment before the hinge.
        hinge: The joint.
        twist: The last joint before it, which turns the way.
        sign: 1 if positive positions bend it, -1 if negative ones do.
        wanted: Where the limb's end shall go when it bends, world axes (3,).
    """

    inner: str
    hinge: int
    twist: int
    sign: float
    wanted: Array

    def way(self, posture: UprightPosture) -> Array:
        """Return where a straight limb goes when it bends, in the world (3,)."""
        limb = posture.direction(self.inner)
        way = self.sign * np.cross(posture.axis(self.hinge), limb)
        return np.asarray(way / max(float(np.linalg.norm(way)), 1e-9))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LimbGoal:
    """Residuals of one limb over the joints that decide its posture.

    Attributes:
        posture: The robot.
        leaders: Joints to be found (k,).
        limbs: Segments whose limbs point their N-pose way.
        feet: Segments that are flat, as they are in the zero posture.
        bends: Ways in which elbows and knees bend.
    """

    posture: UprightPosture
    leaders: np.ndarray
    limbs: Sequence[str]
    feet: Sequence[str]
    bends: Sequence[Bend]

    def residuals(self, x: Array) -> Array:
        """Return what separates the limb from N-pose at positions x (k,), weighted."""
        posture = self.posture
        posture.move(self.leaders, x)
        parts = []
        for segment in self.limbs:
            parts.append(posture.direction(segment) - self._wanted(segment))
        for foot in self.feet:
            R = posture.rotation(foot) - posture.zero_rotations[foot]
            parts.append(R.ravel())
        for bend in self.bends:
            parts.append(BEND_WEIGHT * (bend.way(posture) - bend.wanted))
        return np.concatenate([*parts, self._comfort(x)])

    def _wanted(self, segment: str) -> Array:
        """Return where a limb shall point; arms that cannot hang are straight."""
        if segment.endswith("ForeArm") and PARENT[segment] in self.limbs:
            return self.posture.direction(PARENT[segment] or "")
        return np.array(NEUTRAL_DIRECTION[segment])

    def _comfort(self, x: Array) -> Array:
        """Return the distances from zero, and the twist's from the middle, weighted."""
        posture = self.posture
        twists = [bend.twist for bend in self.bends]
        is_twist = np.isin(self.leaders, twists)
        rest = np.where(is_twist, TWIST_REST_WEIGHT, REST_WEIGHT)
        lower, upper = posture.lower[twists], posture.upper[twists]
        margin = np.minimum(posture.q[twists] - lower, upper - posture.q[twists])
        used = np.maximum(0.0, 1.0 - margin / MARGIN)
        return np.concatenate(
            [rest * (x - posture.rest[self.leaders]), MARGIN_WEIGHT * used]
        )

    def worst(self, x: Array) -> float:
        """Return the greatest angle of a limb from N-pose at positions x (k,) [rad]."""
        self.posture.move(self.leaders, x)
        angles = [self.posture.error(segment) for segment in self.limbs]
        for bend in self.bends:
            angle = float(angle_between(bend.way(self.posture), bend.wanted))
            angles.append(angle * GOOD / GOOD_BEND)
        return max(angles, default=0.0)

    def is_good(self, x: Array) -> bool:
        """Whether positions x (k,) will do as they are."""
        return self.worst(x) < GOOD

    def best(self, starts: Sequence[Array]) -> Array:
        """Return the best of the postures to which the starts lead (k,)."""
        lower = self.posture.lower[self.leaders]
        upper = np.maximum(self.posture.upper[self.leaders], lower + 1e-6)
        best_x, best_cost, again = np.clip(starts[0], lower, upper), np.inf, 0
        for start in starts:
            if best_cost < ENOUGH or again == AGREE:
                break
            inside = np.clip(start, lower + 1e-7, upper - 1e-7)
            found = least_squares(
                self.residuals, inside, bounds=(lower, upper), xtol=1e-6, ftol=1e-6
            )
            if found.cost < best_cost - BETTER:
                best_x, best_cost, again = np.asarray(found.x), float(found.cost), 0
            elif found.cost < best_cost + BETTER:
                again += 1
        return best_x

    def tidied(self, x: Array) -> Array:
        """Put joints that are nearly at zero there, if the limb stays where it was."""
        rest = self.posture.rest[self.leaders]
        keep = np.abs(x - rest) > SMALL
        if np.all(keep) or not np.any(keep):
            return x
        tidy = np.where(keep, x, rest)
        self.posture.move(self.leaders, tidy)
        tidy[keep] = replace(self, leaders=self.leaders[keep]).best([x[keep]])
        return tidy if self.worst(tidy) < self.worst(x) + WORSE else x


def build_goal(
    posture: UprightPosture, segments: Sequence[str], leaders: np.ndarray
) -> LimbGoal:
    """Say what a limb of some segments shall look like.

    Args:
        posture: The robot.
        segments: Mapped segments of one limb, from the trunk outwards.
        leaders: Joints that decide its posture (k,).
    """
    skeleton = posture.skeleton
    return LimbGoal(
        posture=posture,
        leaders=leaders,
        limbs=[s for s in segments if s in skeleton.limb_directions],
        feet=[s for s in segments if s.endswith("Foot")],
        bends=[
            _bend(posture, segment)
            for segment in segments
            if segment in skeleton.hinges
            and PARENT[segment] in skeleton.limb_directions
        ],
    )


def _bend(posture: UprightPosture, segment: str) -> Bend:
    """Find the way in which an elbow or knee bends.

    The side on which a hinge has more range from straight is the one to which it bends;
    a hinge with equal ranges bends as it does in the zero posture.
    """
    inner_segment = PARENT[segment] or ""
    hinge = posture.kinematics.index(posture.skeleton.hinges[segment])
    wanted = np.array([-1.0 if segment.endswith("LowerLeg") else 1.0, 0.0, 0.0])
    axis = posture.axis(hinge)
    outer, inner = posture.direction(segment), posture.direction(inner_segment)
    outer, inner = (d - axis * float(axis @ d) for d in (outer, inner))
    turn = np.arctan2(float(axis @ np.cross(outer, inner)), float(outer @ inner))
    middle = 0.5 * (posture.lower[hinge] + posture.upper[hinge])
    straight = posture.q[hinge] + turn
    straight += 2.0 * np.pi * np.round((middle - straight) / (2.0 * np.pi))
    more = 2.0 * (middle - straight)
    if abs(more) < ONE_SIDED:
        down = np.array(NEUTRAL_DIRECTION[inner_segment])
        upright = shortest_rotation(inner, down)
        more = float(np.cross(upright @ axis, down) @ wanted)
    before = np.flatnonzero(posture.support(inner_segment))
    return Bend(
        inner=inner_segment,
        hinge=hinge,
        twist=int(posture.leader[before[-1]]) if len(before) else hinge,
        sign=1.0 if more >= 0.0 else -1.0,
        wanted=wanted,
    )
