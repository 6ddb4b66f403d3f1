"""Joints over time, seen from each other, and which frames show a person who stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.recordings.recognition.all_frames.known_rigs import KnownRig
from telexist.retarget.recordings.recognition.all_frames.robust_axes import (
    basis_of_up,
    robust_mean,
    turn_between,
    units,
)
from telexist.retarget.so3 import Array, angle_between, mean_rotation

__all__ = ["Evidence", "MovingJoints"]

_LEAN = np.deg2rad(12.0)  # of a trunk that stands: frames count the less beyond it
_LEGS = np.deg2rad(25.0)  # the same of legs that are in line with it
_FEW = 0.02  # share of the frames that stand best
_NEVER = 1.1  # times these angles in the best frames: nobody stands here
_BENT = np.deg2rad(12.0)  # of a hinge, before its plane is believed
_HINGED = 3.0  # frames that must be bent by a right angle, or more that are bent less
_SLIGHTLY = np.deg2rad(3.0)  # bent: enough for a hinge that a rig keeps exactly
_EXACT = np.deg2rad(2.0)
_FEWEST = 10  # frames that show such a hinge
_RIGID = np.deg2rad(1.0)
_PARALLEL = np.deg2rad(15.0)  # of a rest skeleton's knee beside its hinge
_MOST_FRAMES = 3000  # looked at
_DOWN = np.array([0.0, 0.0, -1.0])


@dataclass(frozen=True, slots=True, kw_only=True)
class MovingJoints:
    """The joints of a recognised person over time, z up.

    Attributes:
        rotations: Segment to `world_R_joint` (t, 3, 3).
        positions: Segment to places (t, 3) [m].
        hands: Side to the tips of the hands (t, 3) [m], where the source has them.
        toes: Side to toe joint or tip (t, 3) [m], where the source has them.
        rest: Segment to the joint's rotation in the rest skeleton (3, 3); may be empty.
        head_top: Top of the head (t, 3) [m], where the source has it.
        known: What is known of rigs of this kind.
    """

    rotations: Mapping[str, Array]
    positions: Mapping[str, Array]
    hands: Mapping[str, Array]
    toes: Mapping[str, Array]
    rest: Mapping[str, Array]
    head_top: Array | None = None
    known: KnownRig = field(default_factory=lambda: KnownRig())


class Evidence:
    """What the frames of a clip say of its joints.

    Attributes:
        names: The segments that the source has.
        standing: How far each frame shows a person who stands (t,), 0 to 1.
        stands: Whether any frames do.
        rest: Rotations of the rest skeleton, if its legs are made straight; or empty.
    """

    def __init__(self, joints: MovingJoints) -> None:
        """Look at some thousand frames of a clip."""
        self.joints, self.names = joints, tuple(joints.rotations)
        t = len(joints.positions["Pelvis"])
        self._rows = slice(None, None, max(1, t // _MOST_FRAMES))
        p = self.place
        self.hips = p("LeftUpperLeg") - p("RightUpperLeg")
        self.shoulders = p("LeftUpperArm") - p("RightUpperArm")
        self.standing, self.stands = self._standing()
        self.rest = joints.rest if self._is_parallel(joints.rest) else {}

    def place(self, name: str) -> Array:
        """Return where a segment's joint is (t, 3) [m]."""
        return self.joints.positions[name][self._rows]

    def seen(self, points: Array) -> Array:
        """Return the frames looked at of any series (t, ...)."""
        return np.asarray(points[self._rows])

    def axes(self, name: str) -> Array:
        """Return `world_R_joint` (t, 3, 3)."""
        return self.joints.rotations[name][self._rows]

    def own(self, name: str, vectors: Array) -> Array:
        """See world vectors (t, 3) in a joint's own axes."""
        return np.asarray(np.einsum("tba,tb->ta", self.axes(name), vectors))

    def bone(self, name: str, end: str) -> Array | None:
        """Return the direction to another joint in a joint's own axes (3,)."""
        line = self.place(end) - self.place(name)
        if float(np.median(np.linalg.norm(line, axis=-1))) < 0.03:
            return None
        return robust_mean(self.own(name, units(line)), np.ones(len(line)))[0]

    def _standing(self) -> tuple[Array, bool]:
        """Weigh the frames by how straight trunk and legs are, and how upright."""
        p = self.place
        low = (p("LeftUpperLeg") + p("RightUpperLeg")) / 2.0
        trunk = (p("LeftUpperArm") + p("RightUpperArm")) / 2.0 - low
        bent = np.zeros(len(low))
        for side in ("Left", "Right"):
            knee, ankle = p(f"{side}LowerLeg"), p(f"{side}Foot")
            thigh = knee - p(f"{side}UpperLeg")
            hip = angle_between(thigh, -trunk)
            bent += np.hypot(hip, 0.7 * angle_between(thigh, ankle - knee)) / 2.0
        cost = (angle_between(trunk, -_DOWN) / _LEAN) ** 2 + (bent / _LEGS) ** 2
        best = float(np.quantile(cost, _FEW))
        return np.exp(-np.maximum(cost - best, 0.0)), best < _NEVER**2

    def _is_parallel(self, rest: Mapping[str, Array]) -> bool:
        """Return whether knees say that the rest skeleton's legs are made straight.

        Then its other chains are too, and what motion does not show is known from it.
        """
        for side in ("Left", "Right"):
            thigh, shank = f"{side}UpperLeg", f"{side}LowerLeg"
            if thigh not in rest or shank not in rest:
                return False
            knee, ankle = self.place(shank), self.place(f"{side}Foot")
            a, b = knee - self.place(thigh), ankle - knee
            found = [self.hinged(n, v, a, b, 1.0) for n, v in ((thigh, a), (shank, b))]
            upper, lower = found
            if upper is None or lower is None:
                continue
            made = upper[0] @ rest[thigh].T @ rest[shank]
            if turn_between(made, lower[0]) > _PARALLEL:
                return False
        return True

    def hinged(
        self, name: str, bone: Array, a: Array, b: Array, bends: float
    ) -> tuple[Array, float] | None:
        """Return a limb's orientation by bone and hinge, and the hinge's spread.

        Args:
            name: The limb.
            bone: Its bone (t, 3).
            a: The upper limb's bone (t, 3).
            b: The lower limb's bone (t, 3).
            bends: 1 if the joint bends backwards, -1 if forwards.
        """
        bend = angle_between(a, b)
        z = -robust_mean(self.own(name, units(bone)), np.ones(len(bone)))[0]
        own = self.own(name, units(bends * np.cross(a, b)))
        weights = np.where(bend > _BENT, np.sin(bend), 0.0) ** 2
        if float(weights.sum()) > _HINGED:
            y, spread = robust_mean(own, weights)
            return basis_of_up(z, y), spread
        weights = np.where(bend > _SLIGHTLY, np.sin(bend), 0.0) ** 2
        if np.count_nonzero(weights) < _FEWEST:
            return None
        y, spread = robust_mean(own, weights)
        return (basis_of_up(z, y), spread) if spread < _EXACT else None

    def as_it_hangs(self, found: Mapping[str, Array], on: str, name: str) -> Array:
        """Return a joint as it mostly is on another one that is known."""
        return self._mostly_on(found, on, name, np.ones(len(self.hips), dtype=bool))

    def while_arm_hangs(
        self, found: Mapping[str, Array], side: str, hanging: float
    ) -> Array:
        """Return a collar as it mostly is on the chest while its arm hangs.

        Args:
            found: What is known so far.
            side: Left or Right.
            hanging: How far an arm may be from down [rad]; the lowest tenth counts.
        """
        arm = self.place(f"{side}ForeArm") - self.place(f"{side}UpperArm")
        raised = angle_between(arm, _DOWN)
        rows = raised <= max(float(np.quantile(raised, 0.1)), hanging)
        return self._mostly_on(found, "T8", f"{side}Shoulder", rows)

    def is_rigid(self, name: str, on: str) -> bool:
        """Return whether a joint never turns on another one."""
        relative = np.swapaxes(self.axes(on), -1, -2) @ self.axes(name)
        cosine = (np.einsum("ab,tab->t", relative[0], relative) - 1.0) / 2.0
        return float(cosine.min()) > np.cos(_RIGID)

    def _mostly_on(
        self, found: Mapping[str, Array], on: str, name: str, rows: NDArray[np.bool_]
    ) -> Array:
        on = on if on in found else "Pelvis"
        relative = (np.swapaxes(self.axes(on), -1, -2) @ self.axes(name))[rows]
        middle = mean_rotation(relative)
        for _ in range(3):  # robust: what is far from the middle counts less
            cosine = (np.einsum("ab,tab->t", middle, relative) - 1.0) / 2.0
            off = np.arccos(np.clip(cosine, -1.0, 1.0))
            middle = mean_rotation(relative[off <= np.median(off) + 1e-9])
        return np.asarray(found[on] @ middle)
