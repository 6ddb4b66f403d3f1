"""Neutral orientations: how the source's joints would stand in N-pose.

From the reference posture, each limb is turned by the shortest rotation onto its N-pose
direction and takes what hangs on it along; the twist about a limb stays as it was. The
trunk is neutral as a whole, with its curvature. The sole, not the line from ankle to
toe, is what is flat in N-pose.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from telexist.retarget.recordings.recognition.all_frames import FlatFoot
from telexist.retarget.recordings.recognition.recognise import Person
from telexist.retarget.recordings.recognition.reference import (
    Reference,
    body_axes_of_all,
)
from telexist.retarget.recordings.recognition.skeleton import SourceSkeleton
from telexist.retarget.segments import NEUTRAL_DIRECTION
from telexist.retarget.so3 import (
    Array,
    log_so3,
    mean_rotation,
    rotation_z,
    shortest_rotation,
)

__all__ = ["neutral_rotations"]

_SPINE = ("Pelvis", "L5", "L3", "T12", "T8")
_ON_SPINE = ("Neck", "Head", "LeftShoulder", "RightShoulder")
_MISPLACED = np.deg2rad(15.0)  # off the standing performer: the rest skeleton is wrong


def neutral_rotations(
    source: SourceSkeleton,
    person: Person,
    reference: Reference,
    flat_feet: Mapping[str, FlatFoot],
) -> dict[str, Array]:
    """Return `neutral_R_point` of each segment's point in N-pose facing +x.

    Args:
        source: The skeleton.
        person: Where the person is in it.
        reference: The posture to start from.
        flat_feet: Side to how its foot stands on the floor; a side is absent where that
            is not known.

    Returns:
        One rotation for each segment of `person.joints`.
    """
    neutral = _trunk(source, person, reference)
    for side in ("Left", "Right"):
        neutral.update(_arm(person, reference, side))
        neutral.update(_leg(person, reference, side, flat_feet.get(side)))
    return neutral


def _trunk(
    source: SourceSkeleton, person: Person, reference: Reference
) -> dict[str, Array]:
    """Return the trunk as it is in the reference, or as it stands in the clip.

    A frame may show a turned head, so there the head is as it mostly is. A made posture
    is exact, but some have a pelvis or a spine that no standing performer has: then the
    spine is as the performer stands.
    """
    neutral = {
        name: reference.rotations[person.joints[name]]
        for name in (*_SPINE, *_ON_SPINE)
        if name in person.joints
    }
    if len(reference.typical) < 2:
        return neutral
    checked = _SPINE if reference.made else ("Neck", "Head")
    rows = np.array(reference.typical)
    body_R_file = body_axes_of_all(source.positions[rows], person)
    stands = {
        name: mean_rotation(body_R_file @ source.rotations[rows, person.joints[name]])
        for name in checked
        if name in neutral
    }
    off = [np.linalg.norm(log_so3(R @ neutral[n].T)) for n, R in stands.items()]
    misplaced = off and max(off) > _MISPLACED
    return {**neutral, **stands} if misplaced or not reference.made else neutral


def _turn_onto(direction: Array, segment: str) -> Array:
    """Return the shortest rotation of a direction onto its N-pose direction."""
    if float(np.linalg.norm(direction)) < 1e-9:
        return np.eye(3)
    return shortest_rotation(direction, NEUTRAL_DIRECTION[segment])


def _straightened(
    person: Person, reference: Reference, parts: tuple[str, str, str]
) -> list[Array]:
    """Return the rotations that bring two bones down, one for each bone."""
    a, b, c = (reference.points[person.joints[part]] for part in parts)
    upper = _turn_onto(b - a, parts[0])
    return [upper, _turn_onto(upper @ (c - b), parts[1]) @ upper]


def _arm(person: Person, reference: Reference, side: str) -> dict[str, Array]:
    parts = (f"{side}UpperArm", f"{side}ForeArm", f"{side}Hand")
    turns = _straightened(person, reference, parts)
    wrist = person.joints[parts[2]]
    tip = person.tips.get(f"{side}HandTip", wrist)
    hand = turns[1] @ (reference.points[tip] - reference.points[wrist])
    turns.append(_turn_onto(hand, parts[2]) @ turns[1])
    return {
        part: turn @ reference.rotations[person.joints[part]]
        for part, turn in zip(parts, turns, strict=True)
    }


def _leg(
    person: Person, reference: Reference, side: str, flat: FlatFoot | None
) -> dict[str, Array]:
    parts = (f"{side}UpperLeg", f"{side}LowerLeg", f"{side}Foot")
    turns = _straightened(person, reference, parts)
    joints = person.joints
    neutral = {
        part: turn @ reference.rotations[joints[part]]
        for part, turn in zip(parts[:2], turns, strict=True)
    }
    foot = turns[1] @ reference.rotations[joints[parts[2]]]
    if flat is not None:
        foot = shortest_rotation(foot @ flat.up, (0.0, 0.0, 1.0)) @ foot
    foot = _turned_ahead(foot, _foot_direction(person, reference, side))
    neutral[parts[2]] = foot
    toe = joints.get(f"{side}Toe")
    if toe is not None:
        foot_R_toe = reference.rotations[joints[parts[2]]].T @ reference.rotations[toe]
        neutral[f"{side}Toe"] = foot @ (foot_R_toe if flat is None else flat.foot_R_toe)
    return neutral


def _foot_direction(person: Person, reference: Reference, side: str) -> Array | None:
    """Return ankle to toe in the foot's own axes."""
    ankle = person.joints[f"{side}Foot"]
    toe = person.joints.get(f"{side}Toe", person.tips.get(f"{side}ToeTip"))
    if toe is None:
        return None
    line = reference.points[toe] - reference.points[ankle]
    return np.asarray(reference.rotations[ankle].T @ line)


def _turned_ahead(foot: Array, ahead: Array | None) -> Array:
    """Turn a foot about the vertical until it points along x."""
    if ahead is None:
        return foot
    x, y, _ = foot @ ahead
    return rotation_z(-np.arctan2(y, x)) @ foot
