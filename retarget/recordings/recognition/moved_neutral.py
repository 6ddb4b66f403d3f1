"""Neutral orientations from the whole clip, where nobody made a posture.

A rest skeleton whose bones lie along one axis says nothing of how a person stands, and
one frame shows that frame's bends and turns. All frames together say more: limbs are
straight in N-pose, so where a bone points in its joint's own axes is known; knees and
elbows are hinges, so the normal of the plane in which they bend says how a limb is
turned about itself; trunk and head are upright and face ahead as they mostly do while
the person stands. Means are robust: what most frames say counts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
from telexist.retarget.recordings.recognition.planted import FlatFoot
from telexist.retarget.recordings.recognition.recognise import Person
from telexist.retarget.recordings.recognition.robust_axes import (
    basis_of_left,
    basis_of_up,
    robust_mean,
    turn_between,
    units,
)
from telexist.retarget.so3 import (
    Array,
    angle_between,
    mean_rotation,
    rotation_z,
    shortest_rotation,
)

__all__ = ["MovedNeutral", "MovingJoints", "known_rig", "moved_neutral"]

_SPINE = ("Pelvis", "L5", "L3", "T12", "T8")
_LEAN = np.deg2rad(12.0)  # of a trunk that stands: frames count the less beyond it
_UPRIGHT = 0.05  # share of the frames that must stand, for the trunk to be believed
_BENT = np.deg2rad(12.0)  # of a hinge, before its plane is believed
_HINGED = 3.0  # frames that must be bent by a right angle, or more that are bent less
_COLLINEAR = np.deg2rad(10.0)  # bones of a rest skeleton that was made straight
_TWISTED = np.deg2rad(70.0)  # a forearm turns no farther against its elbow
_HANGING = np.deg2rad(35.0)  # of an upper arm that hangs
_LOOKING = np.deg2rad(50.0)  # a head is turned no farther for a whole clip
_CMU_ELBOWS, _CMU_HEAD = float(np.deg2rad(30.0)), float(np.deg2rad(12.0))
_LOOSE = np.deg2rad(25.0)  # spread of what the frames say, before it is doubtful
_LOOSE_HINGE = np.deg2rad(40.0)  # the same of a hinge
_PARALLEL = np.deg2rad(15.0)  # of a rest skeleton's knee beside its hinge
_MOST_FRAMES = 3000  # looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownRig:
    """How a rig differs from a person in N-pose.

    Attributes:
        elbow_turn: By how much the axes of its elbows are turned outwards [rad].
        head_lean: By how much the line to the top of the head leans forward [rad].
    """

    elbow_turn: float = 0.0
    head_lean: float = 0.0


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


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedNeutral:
    """What was found.

    Attributes:
        rotations: Segment to `neutral_R_joint` (3, 3) in N-pose facing +x.
        doubtful: Segments that the clip does not show well.
    """

    rotations: Mapping[str, Array]
    doubtful: tuple[str, ...]


def known_rig(names: Collection[str]) -> KnownRig:
    """Return what is known of a rig with joints of these names.

    In the T-pose of the CMU archive's skeletons the axes of the elbows are 30 degrees
    off the vertical, and the heads' bones lean forward.
    """
    if {"LHipJoint", "RHipJoint"} <= set(names):
        return KnownRig(elbow_turn=_CMU_ELBOWS, head_lean=_CMU_HEAD)
    return KnownRig()


def moved_neutral(
    joints: MovingJoints, person: Person, flat_feet: Mapping[str, FlatFoot]
) -> MovedNeutral:
    """Find the neutral orientations from all frames.

    Args:
        joints: The motion.
        person: Which segments the source has.
        flat_feet: Side to how its foot stands on the floor, as far as known.
    """
    return _Search(joints, person).solve(flat_feet)


class _Search:
    def __init__(self, joints: MovingJoints, person: Person) -> None:
        self._joints, self._names = joints, tuple(person.joints)
        t = len(joints.positions["Pelvis"])
        self._rows = slice(None, None, max(1, t // _MOST_FRAMES))
        self._doubtful: list[str] = []
        p = self._place_of
        self._hips = p("LeftUpperLeg") - p("RightUpperLeg")
        self._shoulders = p("LeftUpperArm") - p("RightUpperArm")
        low = (p("LeftUpperLeg") + p("RightUpperLeg")) / 2.0
        high = (p("LeftUpperArm") + p("RightUpperArm")) / 2.0
        tilt = angle_between(high - low, np.array([0.0, 0.0, 1.0]))
        self._standing = np.exp(-((tilt / _LEAN) ** 2))
        if self._standing.mean() < _UPRIGHT:
            self._doubtful += [n for n in (*_SPINE, "Neck", "Head") if n in self._names]
            # the most upright frames there are
            self._standing = np.exp(-(((tilt - tilt.min()) / _LEAN) ** 2))

        self._rest = joints.rest if self._is_parallel(joints.rest) else {}

    def _is_parallel(self, rest: Mapping[str, Array]) -> bool:
        """Return whether knees say that the rest skeleton's legs are made straight.

        Then its other chains are too, and what motion does not show is known from it.
        """
        for side in ("Left", "Right"):
            thigh, shank = f"{side}UpperLeg", f"{side}LowerLeg"
            if thigh not in rest or shank not in rest:
                return False
            knee, ankle = self._place_of(shank), self._place_of(f"{side}Foot")
            a, b = knee - self._place_of(thigh), ankle - knee
            found = [self._hinged(n, v, a, b, 1.0) for n, v in ((thigh, a), (shank, b))]
            upper, lower = found
            if upper is None or lower is None:
                continue
            made = upper[0] @ rest[thigh].T @ rest[shank]
            if turn_between(made, lower[0]) > _PARALLEL:
                return False
        return True

    def _hinged(
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
        weights = np.where(bend > _BENT, np.sin(bend), 0.0) ** 2
        if float(weights.sum()) <= _HINGED:
            return None
        z = -robust_mean(self._own(name, units(bone)), np.ones(len(bone)))[0]
        normal = units(bends * np.cross(a, b))
        y, spread = robust_mean(self._own(name, normal), weights)
        return basis_of_up(z, y), spread

    def solve(self, flat_feet: Mapping[str, FlatFoot]) -> MovedNeutral:
        found = self._trunk()
        for side in ("Left", "Right"):
            self._limb(found, side, ("UpperArm", "ForeArm", "Hand"), bends=-1.0)
            self._limb(found, side, ("UpperLeg", "LowerLeg", "Foot"), bends=1.0)
            self._hand(found, side)
            self._foot(found, side, flat_feet.get(side))
        return MovedNeutral(
            rotations=found, doubtful=tuple(dict.fromkeys(self._doubtful))
        )

    def _place_of(self, name: str) -> Array:
        return self._joints.positions[name][self._rows]

    def _axes_of(self, name: str) -> Array:
        return self._joints.rotations[name][self._rows]

    def _own(self, name: str, vectors: Array) -> Array:
        """See world vectors (t, 3) in a joint's own axes."""
        return np.asarray(np.einsum("tba,tb->ta", self._axes_of(name), vectors))

    def _trunk(self) -> dict[str, Array]:
        found: dict[str, Array] = {}
        up = np.tile([0.0, 0.0, 1.0], (len(self._hips), 1))
        both = units(self._hips) + units(self._shoulders)
        weights = self._standing
        for name in (*_SPINE, "Neck", "Head"):
            if name not in self._names:
                continue
            across = {"Pelvis": self._hips, "T8": self._shoulders}.get(name, both)
            if name in ("Neck", "Head"):
                across = self._shoulders
            z, spread = robust_mean(self._own(name, up), weights)
            y, turned = robust_mean(self._own(name, units(across)), weights)
            if name == "Pelvis":  # its hips are part of it
                found[name] = basis_of_left(y, z)
            else:
                found[name] = basis_of_up(z, y)
            if max(spread, turned) > _LOOSE:
                self._doubtful.append(name)
        self._head(found)
        for side in ("Left", "Right"):
            name = f"{side}Shoulder"
            if name in self._names:
                arm = self._place_of(f"{side}ForeArm") - self._place_of(
                    f"{side}UpperArm"
                )
                raised = angle_between(arm, np.array([0.0, 0.0, -1.0]))
                found[name] = self._as_it_hangs(found, "T8", name, raised)
        return found

    def _head(self, found: dict[str, Array]) -> None:
        """Put neck and head as they are made on the chest, pointing up.

        People look down at what they do and aside for a whole clip; where the rest
        skeleton does not contradict what they mostly do, it knows better.
        """
        rest, chest = self._rest, "T8" if "T8" in found else "Pelvis"
        for name in ("Neck", "Head"):
            if name in found and name in rest and chest in rest:
                made = found[chest] @ rest[chest].T @ rest[name]
                if turn_between(made, found[name]) < _LOOKING:
                    found[name] = made
        top = self._joints.head_top
        if "Head" in found and top is not None:
            line = top[self._rows] - self._place_of("Head")
            if float(np.linalg.norm(line, axis=-1).min()) > 1e-6:
                own, _ = robust_mean(self._own("Head", units(line)), np.ones(len(line)))
                lean = self._joints.known.head_lean
                up = (np.sin(lean), 0.0, np.cos(lean))
                turn = shortest_rotation(found["Head"] @ own, up)
                found["Head"] = turn @ found["Head"]

    def _as_it_hangs(
        self, found: dict[str, Array], on: str, name: str, away: Array | None = None
    ) -> Array:
        """Return a joint as it mostly is on another one.

        Args:
            found: What is known so far.
            on: The segment that carries it.
            name: The segment.
            away: How far each frame is from a posture that counts (t,) [rad].
        """
        on = on if on in found else "Pelvis"
        relative = np.swapaxes(self._axes_of(on), -1, -2) @ self._axes_of(name)
        if away is not None:
            relative = relative[away <= max(np.quantile(away, 0.1), _HANGING)]
        middle = mean_rotation(relative)
        for _ in range(3):  # robust: what is far from the middle counts less
            cosine = (np.einsum("ab,tab->t", middle, relative) - 1.0) / 2.0
            off = np.arccos(np.clip(cosine, -1.0, 1.0))
            middle = mean_rotation(relative[off <= np.median(off) + 1e-9])
        return np.asarray(found[on] @ middle)

    def _limb(
        self,
        found: dict[str, Array],
        side: str,
        parts: tuple[str, str, str],
        bends: float,
    ) -> None:
        """Find upper and lower limb: straight down, hinged about the left axis."""
        upper, lower, end = (f"{side}{part}" for part in parts)
        a, b = (
            self._place_of(lower) - self._place_of(upper),
            self._place_of(end) - self._place_of(lower),
        )
        turn = 0.0
        if bends < 0.0:
            turn = self._joints.known.elbow_turn * (1.0 if side == "Left" else -1.0)
        hinged = True
        for name, bone in ((upper, a), (lower, b)):
            by_hinge = self._hinged(name, bone, a, b, bends)
            if by_hinge is None:
                hinged = False
                z = -robust_mean(self._own(name, units(bone)), np.ones(len(bone)))[0]
                found[name] = self._hangs_straight(found, name, z)
            else:
                found[name] = rotation_z(turn) @ by_hinge[0]
            if by_hinge is None or by_hinge[1] > _LOOSE_HINGE:
                self._doubtful.append(name)
        straight = self._made_straight(found, upper, lower)
        if bends > 0.0 or straight is None:
            return
        if not hinged or turn_between(straight, found[lower]) < _TWISTED:
            found[lower] = straight  # a forearm also turns about itself

    def _made_straight(
        self, found: dict[str, Array], upper: str, lower: str
    ) -> Array | None:
        """Return the lower limb as on a rest skeleton whose limb is straight."""
        rest = self._rest
        if upper not in rest or lower not in rest:
            return None
        onto = rest[upper].T @ rest[lower]
        straight = found[upper] @ onto
        down = straight @ -found[lower].T[:, 2]
        if angle_between(down, np.array([0.0, 0.0, -1.0])) > _COLLINEAR:
            return None
        return np.asarray(shortest_rotation(down, (0.0, 0.0, -1.0)) @ straight)

    def _hangs_straight(self, found: dict[str, Array], name: str, z: Array) -> Array:
        """Return a limb turned about itself as its foot, or the trunk, points."""
        side = "Left" if name.startswith("Left") else "Right"
        if "Leg" in name and side in self._joints.toes:
            toe = self._joints.toes[side][self._rows]
            ahead = units(toe - self._place_of(f"{side}Foot"))
        else:
            on = "T8" if "Arm" in name and "T8" in found else "Pelvis"
            ahead = (
                self._axes_of(on) @ found[on].T[:, 0]
            )  # the trunk's own forward axis
        x, _ = robust_mean(self._own(name, ahead), self._standing)
        return basis_of_up(z, np.cross(z, x))

    def _hand(self, found: dict[str, Array], side: str) -> None:
        hand, fore = f"{side}Hand", f"{side}ForeArm"
        found[hand] = self._as_it_hangs(found, fore, hand)
        straight = self._made_straight_hand(found, side)
        if straight is not None:
            found[hand] = straight
        if side in self._joints.hands:
            line = self._joints.hands[side][self._rows] - self._place_of(hand)
            if float(np.linalg.norm(line, axis=-1).max()) > 1e-6:
                own, _ = robust_mean(self._own(hand, units(line)), np.ones(len(line)))
                turn = shortest_rotation(found[hand] @ own, (0.0, 0.0, -1.0))
                found[hand] = turn @ found[hand]

    def _made_straight_hand(self, found: dict[str, Array], side: str) -> Array | None:
        rest, hand, fore = self._rest, f"{side}Hand", f"{side}ForeArm"
        if hand not in rest or fore not in rest:
            return None
        straight = found[fore] @ rest[fore].T @ rest[hand]
        near = turn_between(straight, found[hand]) < 2.0 * _LOOSE
        return np.asarray(straight) if near else None

    def _foot(self, found: dict[str, Array], side: str, flat: FlatFoot | None) -> None:
        foot, shank, toe = f"{side}Foot", f"{side}LowerLeg", f"{side}Toe"
        found[foot] = self._as_it_hangs(found, shank, foot)
        if flat is None:
            self._doubtful.append(foot)
        up = found[foot].T[:, 2] if flat is None else flat.up
        if side in self._joints.toes:
            line = self._joints.toes[side][self._rows] - self._place_of(foot)
            ahead, _ = robust_mean(self._own(foot, units(line)), np.ones(len(line)))
        else:
            ahead = found[foot].T[:, 0]
        found[foot] = basis_of_up(up, np.cross(up, ahead))
        if toe in self._names:
            if flat is None:
                found[toe] = self._as_it_hangs(found, foot, toe)
            else:
                found[toe] = found[foot] @ flat.foot_R_toe
