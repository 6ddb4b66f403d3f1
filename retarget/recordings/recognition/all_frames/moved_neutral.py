"""Neutral orientations from the whole clip, where nobody made a posture.

A rest skeleton whose bones lie along one axis says nothing of how a person stands, and
one frame shows that frame's bends and turns. All frames together say more: limbs are
straight in N-pose, so where a bone points in its joint's own axes is known; knees and
elbows are hinges, so the normal of the plane in which they bend says how a limb is
turned about itself; trunk and head are upright and face ahead as they mostly do while
the person stands. Means are robust: what most frames say counts. A rig that is known
by name needs none of it, if the motion does not contradict.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

import numpy as np
from telexist.retarget.recordings.recognition.all_frames.evidence import (
    Evidence,
    MovingJoints,
)
from telexist.retarget.recordings.recognition.all_frames.known_rigs import (
    KnownRig,
    rigs_with_axes,
)
from telexist.retarget.recordings.recognition.all_frames.planted import FlatFoot
from telexist.retarget.recordings.recognition.all_frames.robust_axes import (
    basis_of_up,
    robust_mean,
    turn_between,
    units,
)
from telexist.retarget.recordings.recognition.all_frames.trunk import (
    SPINE,
    neutral_trunk,
)
from telexist.retarget.segments import LIMBS, NEUTRAL_DIRECTION
from telexist.retarget.so3 import Array, angle_between, rotation_z, shortest_rotation

__all__ = ["MovedNeutral", "moved_neutral"]

_COLLINEAR = np.deg2rad(10.0)  # bones of a rest skeleton that was made straight
_TWISTED = np.deg2rad(70.0)  # a forearm turns no farther against its elbow
_LOOSE = np.deg2rad(25.0)  # spread of what the frames say, before it is doubtful
_LOOSE_HINGE = np.deg2rad(40.0)  # the same of a hinge
_ALIKE = np.deg2rad(1.0)  # bones of one kind of rig
_OTHERWISE = np.deg2rad(12.0)  # the same, of trunks that may be of any person
_AGREES: Mapping[str, float] = MappingProxyType(
    {"Leg": float(np.deg2rad(20.0)), "Arm": float(np.deg2rad(50.0))}
)
"""How far limbs may be off a rig that they agree with [rad]; elbows may be turned."""
_LEANS = float(np.deg2rad(35.0))  # the same of a trunk
_SAYS_LITTLE = ("Head", "Shoulder", "Hand", "Foot", "Toe", "ForeArm")
"""Parts of names whose motion says too little to contradict what is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedNeutral:
    """What was found.

    Attributes:
        rotations: Segment to `neutral_R_joint` (3, 3) in N-pose facing +x.
        doubtful: Segments that the clip does not show well.
        rig: Name of the known rig whose axes were believed; empty if there is none.
        contradicts: Segments by which the motion contradicts a rig of that name.
    """

    rotations: Mapping[str, Array]
    doubtful: tuple[str, ...] = ()
    rig: str = ""
    contradicts: tuple[str, ...] = ()


def moved_neutral(
    joints: MovingJoints, flat_feet: Mapping[str, FlatFoot]
) -> MovedNeutral:
    """Find the neutral orientations from all frames.

    Args:
        joints: The motion.
        flat_feet: Side to how its foot stands on the floor, as far as known.
    """
    seen = Evidence(joints)
    search = _Search(seen, flat_feet)
    found = search.solve()
    doubtful = tuple(dict.fromkeys(search.doubtful))
    rig = joints.known
    contradicts = _contradictions(rig, found, doubtful)
    if not rig.axes or contradicts:
        rig = _rig_by_bones(seen, found, doubtful)
    if not rig.axes:
        return MovedNeutral(rotations=found, doubtful=doubtful, contradicts=contradicts)
    # what stands on the floor says more of a foot than its rig does
    kept = [f"{side}Foot" for side in flat_feet] + _bent_otherwise(seen, rig)
    known = {n: R for n, R in rig.axes.items() if n in found}
    rotations = {**found, **{n: R for n, R in known.items() if n not in kept}}
    for collar in ("LeftShoulder", "RightShoulder"):
        if {collar, "T8"} <= found.keys() and seen.is_rigid(collar, "T8"):
            rotations[collar] = rotations["T8"] @ found["T8"].T @ found[collar]
    left = tuple(name for name in doubtful if name not in known or name in kept)
    return MovedNeutral(rotations=rotations, doubtful=left, rig=rig.name)


def _contradictions(
    rig: KnownRig, found: Mapping[str, Array], doubtful: Collection[str]
) -> tuple[str, ...]:
    """Return the segments by which the motion speaks against a rig."""
    return tuple(
        name
        for name, R in rig.axes.items()
        if name in found
        and name not in doubtful
        and not any(part in name for part in _SAYS_LITTLE)
        and turn_between(R, found[name]) > _AGREES.get(name[-3:], _LEANS)
    )


def _bent_otherwise(seen: Evidence, rig: KnownRig) -> list[str]:
    """Return the parts of a trunk whose bones do not lie as in a rig."""
    chain = [name for name in (*SPINE, "Neck", "Head") if name in seen.names]
    ends = dict(pairwise(chain))
    for side in ("Left", "Right"):
        ends[f"{side}Shoulder"] = f"{side}UpperArm"
    out = []
    for name in rig.bones.keys() & ends.keys() & set(seen.names):
        own = seen.bone(name, ends[name])
        if own is not None and angle_between(own, rig.bones[name]) > _OTHERWISE:
            out.append(name)
    return sorted(out)


def _rig_by_bones(
    seen: Evidence, found: Mapping[str, Array], doubtful: Collection[str]
) -> KnownRig:
    """Return the rig whose bones lie in their joints as these do, if there is one."""
    for rig in rigs_with_axes():
        bones = {
            name: seen.bone(name, end)
            for name, end in LIMBS.items()
            if name in rig.axes
        }
        alike = all(
            own is not None
            and angle_between(rig.axes[name] @ own, NEUTRAL_DIRECTION[name]) < _ALIKE
            for name, own in bones.items()
        )
        if alike and not _contradictions(rig, found, doubtful):
            return rig
    return KnownRig()


class _Search:
    def __init__(self, seen: Evidence, flat_feet: Mapping[str, FlatFoot]) -> None:
        self._seen, self._flat = seen, flat_feet
        self.doubtful: list[str] = []

    def solve(self) -> dict[str, Array]:
        found = neutral_trunk(self._seen, self.doubtful)
        for side in ("Left", "Right"):
            self._limb(found, side, ("UpperArm", "ForeArm", "Hand"), bends=-1.0)
            self._limb(found, side, ("UpperLeg", "LowerLeg", "Foot"), bends=1.0)
            self._hand(found, side)
            self._foot(found, side)
        return found

    def _limb(
        self,
        found: dict[str, Array],
        side: str,
        parts: tuple[str, str, str],
        bends: float,
    ) -> None:
        """Find upper and lower limb: straight down, hinged about the left axis."""
        seen = self._seen
        upper, lower, end = (f"{side}{part}" for part in parts)
        a = seen.place(lower) - seen.place(upper)
        b = seen.place(end) - seen.place(lower)
        turn = 0.0
        if bends < 0.0:
            turn = seen.joints.known.elbow_turn * (1.0 if side == "Left" else -1.0)
        hinged = True
        for name, bone in ((upper, a), (lower, b)):
            by_hinge = seen.hinged(name, bone, a, b, bends)
            if by_hinge is None:
                hinged = False
                z = -robust_mean(seen.own(name, units(bone)), np.ones(len(bone)))[0]
                found[name] = self._hangs_straight(found, name, z)
            else:
                found[name] = rotation_z(turn) @ by_hinge[0]
                if bends > 0.0:  # a knee that is made to stretch too far
                    found[name] = self._facing_ahead(found, name)
            if by_hinge is None or by_hinge[1] > _LOOSE_HINGE:
                self.doubtful.append(name)
        straight = self._made_straight(found, upper, lower)
        if bends > 0.0 or straight is None:
            return
        if not hinged or turn_between(straight, found[lower]) < _TWISTED:
            found[lower] = straight  # a forearm also turns about itself

    def _facing_ahead(self, found: Mapping[str, Array], name: str) -> Array:
        """Return a leg, turned round if it would face back from its foot."""
        leg = found[name]
        guess = self._hangs_straight(found, name, leg.T[:, 2])
        turned = turn_between(guess, leg) > np.pi / 2.0
        return rotation_z(np.pi) @ leg if turned else leg

    def _made_straight(
        self, found: Mapping[str, Array], upper: str, lower: str
    ) -> Array | None:
        """Return the lower limb as on a rest skeleton whose limb is straight."""
        rest = self._seen.rest
        if upper not in rest or lower not in rest:
            return None
        onto = rest[upper].T @ rest[lower]
        straight = found[upper] @ onto
        down = straight @ -found[lower].T[:, 2]
        if angle_between(down, np.array([0.0, 0.0, -1.0])) > _COLLINEAR:
            return None
        return np.asarray(shortest_rotation(down, (0.0, 0.0, -1.0)) @ straight)

    def _hangs_straight(self, found: Mapping[str, Array], name: str, z: Array) -> Array:
        """Return a limb turned about itself as its foot, or the trunk, points."""
        seen = self._seen
        side = "Left" if name.startswith("Left") else "Right"
        if "Leg" in name and side in seen.joints.toes:
            toe = seen.seen(seen.joints.toes[side])
            ahead = units(toe - seen.place(f"{side}Foot"))
        else:
            on = "T8" if "Arm" in name and "T8" in found else "Pelvis"
            ahead = seen.axes(on) @ found[on].T[:, 0]  # the trunk's own forward axis
        x, _ = robust_mean(seen.own(name, ahead), seen.standing)
        return basis_of_up(z, np.cross(z, x))

    def _hand(self, found: dict[str, Array], side: str) -> None:
        seen, hand, fore = self._seen, f"{side}Hand", f"{side}ForeArm"
        found[hand] = seen.as_it_hangs(found, fore, hand)
        straight = self._made_straight_hand(found, side)
        if straight is None:
            self.doubtful.append(hand)
        else:
            found[hand] = straight
        if side in seen.joints.hands:
            line = seen.seen(seen.joints.hands[side]) - seen.place(hand)
            if float(np.linalg.norm(line, axis=-1).max()) > 1e-6:
                own, _ = robust_mean(seen.own(hand, units(line)), np.ones(len(line)))
                turn = shortest_rotation(found[hand] @ own, (0.0, 0.0, -1.0))
                found[hand] = turn @ found[hand]

    def _made_straight_hand(
        self, found: Mapping[str, Array], side: str
    ) -> Array | None:
        rest, hand, fore = self._seen.rest, f"{side}Hand", f"{side}ForeArm"
        if hand not in rest or fore not in rest:
            return None
        straight = found[fore] @ rest[fore].T @ rest[hand]
        near = turn_between(straight, found[hand]) < 2.0 * _LOOSE
        return np.asarray(straight) if near else None

    def _foot(self, found: dict[str, Array], side: str) -> None:
        seen, flat = self._seen, self._flat.get(side)
        foot, shank, toe = f"{side}Foot", f"{side}LowerLeg", f"{side}Toe"
        found[foot] = seen.as_it_hangs(found, shank, foot)
        if flat is None:
            self.doubtful.append(foot)
        up = found[foot].T[:, 2] if flat is None else flat.up
        if side in seen.joints.toes:
            line = seen.seen(seen.joints.toes[side]) - seen.place(foot)
            ahead, _ = robust_mean(seen.own(foot, units(line)), np.ones(len(line)))
        else:
            ahead = found[foot].T[:, 0]
        found[foot] = basis_of_up(up, np.cross(up, ahead))
        if toe in seen.names:
            if flat is None:
                found[toe] = seen.as_it_hangs(found, foot, toe)
                self.doubtful.append(toe)
            else:
                found[toe] = found[foot] @ flat.foot_R_toe
