"""Neutral orientations: how the source's joints would stand in N-pose.

From the reference posture, each limb is turned by the shortest rotation onto its N-pose
direction and takes what hangs on it along; the twist about a limb stays as it was. The
trunk is neutral as a whole, with its curvature. The sole, not the line from ankle to
toe, is what is flat in N-pose.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from retarget.recordings.recognise import Person
from retarget.recordings.reference import Reference
from retarget.recordings.skeleton import SourceSkeleton
from retarget.segments import NEUTRAL_DIRECTION
from retarget.so3 import Array, mean_rotation, rotation_z, shortest_rotation

__all__ = ["neutral_rotations"]

_TRUNK = (
    "Pelvis",
    *("L5", "L3", "T12", "T8", "Neck", "Head"),
    *("LeftShoulder", "RightShoulder"),
)


def neutral_rotations(
    source: SourceSkeleton,
    person: Person,
    reference: Reference,
    flat_feet: Mapping[str, Array],
) -> dict[str, Array]:
    """Return `neutral_R_point` of each segment's point in N-pose facing +x.

    Args:
        source: The skeleton.
        person: Where the person is in it.
        reference: The posture to start from.
        flat_feet: Side to the direction (3,) in the foot's own axes that points up when
            the sole is flat; a side is absent where that is not known.

    Returns:
        One rotation for each segment of `person.joints`.
    """
    neutral = _trunk(person, reference)
    for side in ("Left", "Right"):
        neutral.update(_arm(person, reference, side))
        neutral.update(_leg(source, person, reference, side, flat_feet.get(side)))
    for name in ("Neck", "Head"):
        if name in neutral and len(reference.typical) > 1:
            neutral[name] = _typical(source, person, name, neutral, reference.typical)
    return neutral


def _trunk(person: Person, reference: Reference) -> dict[str, Array]:
    return {
        name: reference.rotations[person.joints[name]]
        for name in _TRUNK
        if name in person.joints
    }


def _typical(
    source: SourceSkeleton,
    person: Person,
    name: str,
    neutral: Mapping[str, Array],
    frames: tuple[int, ...],
) -> Array:
    """Average how a segment stands on the trunk: one frame's head may be turned."""
    chest = "T8" if "T8" in person.joints else "Pelvis"
    rows = list(frames)
    file_R_base = source.rotations[rows, person.joints[chest]]
    file_R_point = source.rotations[rows, person.joints[name]]
    base_R_point = mean_rotation(np.swapaxes(file_R_base, -1, -2) @ file_R_point)
    return neutral[chest] @ base_R_point


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
    source: SourceSkeleton,
    person: Person,
    reference: Reference,
    side: str,
    flat_up: Array | None,
) -> dict[str, Array]:
    parts = (f"{side}UpperLeg", f"{side}LowerLeg", f"{side}Foot")
    turns = _straightened(person, reference, parts)
    joints = person.joints
    neutral = {
        part: turn @ reference.rotations[joints[part]]
        for part, turn in zip(parts[:2], turns, strict=True)
    }
    foot = turns[1] @ reference.rotations[joints[parts[2]]]
    if flat_up is not None:
        foot = shortest_rotation(foot @ flat_up, (0.0, 0.0, 1.0)) @ foot
    ahead = _foot_direction(person, reference, side)
    neutral[parts[2]] = _turned_ahead(foot, ahead)
    if f"{side}Toe" in joints:
        foot_R_toe = _toe_on_foot(source, person, reference, side)
        neutral[f"{side}Toe"] = neutral[parts[2]] @ foot_R_toe
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


def _toe_on_foot(
    source: SourceSkeleton, person: Person, reference: Reference, side: str
) -> Array:
    """Return `foot_R_toe` of a straight toe."""
    foot, toe = person.joints[f"{side}Foot"], person.joints[f"{side}Toe"]
    if not reference.typical:
        return reference.rotations[foot].T @ reference.rotations[toe]
    rows = list(reference.typical)
    return mean_rotation(
        np.swapaxes(source.rotations[rows, foot], -1, -2) @ source.rotations[rows, toe]
    )
