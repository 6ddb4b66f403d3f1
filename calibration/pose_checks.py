"""Whether an averaged pose is the one that was asked for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from telexist.calibration.capture_settings import CaptureSettings
from telexist.calibration.mean_pose import MeanPose
from telexist.calibration.source_traits import SourceTraits
from telexist.retarget.segments import LIMBS, NEUTRAL_DIRECTION
from telexist.retarget.so3 import Array, angle_between

__all__ = ["pose_faults"]

UP, DOWN = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -1.0])
HANDS_LOW = 0.62  # of the headset's height, that hands hanging down stay below
HANDS_LEVEL = (0.62, 1.0)  # of the headset's height, between which a T-pose has them
WIDE = 0.55  # of the headset's height: hands farther apart are stretched out
NARROW = 0.06  # of the headset's height: hands nearer to each other hang nowhere
TURNED_HEAD = 50.0  # [deg] from upright


def pose_faults(
    pose: MeanPose,
    kind: str,
    traits: SourceTraits,
    settings: CaptureSettings,
    *,
    floor: float = 0.0,
) -> tuple[str, ...]:
    """Say what is implausible, one line each; nothing if the pose may be right.

    Only what places or known frames show can be seen.

    Args:
        pose: Mean pose, heading removed.
        kind: "n" or "t".
        traits: What is known of the source.
        settings: What is allowed.
        floor: Its height in the source's world, for things that are worn [m].
    """
    faults = [*_sides(pose), *_trunk(pose, traits)]
    faults += _limbs(pose, kind, traits, settings.limb_deg)
    if not traits.joints and not faults:
        faults += _worn(pose, kind, floor)
    return tuple(faults)


def _sides(pose: MeanPose) -> Iterator[str]:
    """Left must be on the left, toes ahead."""
    for part in ("UpperLeg", "UpperArm", "Hand"):
        line = pose.line(f"Right{part}", f"Left{part}")
        if line is not None and line[1] < -0.05:
            yield f"Left{part}: on the right side: left and right are swapped"
    for side in ("Left", "Right"):
        foot = pose.line(f"{side}Foot", f"{side}Toe")
        if foot is not None and foot[0] < -0.02:
            yield f"{side}Foot: points backwards: left and right are swapped"


def _trunk(pose: MeanPose, traits: SourceTraits) -> Iterator[str]:
    lower = "Pelvis" if "Pelvis" in pose.positions else "T8"
    trunk = pose.line(lower, "Head")
    if trunk is not None:
        lean = float(np.rad2deg(angle_between(trunk, UP)))
        if lean > 90.0:
            yield f"{lower}: upside down: is z up?"
        elif lean > 30.0:
            yield f"{lower}: the trunk leans by {lean:.0f} deg: stand upright"
    for segment in ("Pelvis", "T8", "Head"):
        if segment in traits.aligned and segment in pose.rotations:
            lean = float(np.rad2deg(angle_between(pose.rotations[segment][:, 2], UP)))
            if lean > 100.0:
                yield f"{segment}: upside down"
            elif lean > TURNED_HEAD:
                yield f"{segment}: leans by {lean:.0f} deg: stand upright, look ahead"


def _limbs(
    pose: MeanPose, kind: str, traits: SourceTraits, allowed_deg: float
) -> Iterator[str]:
    for segment, end in LIMBS.items():
        along = pose.line(segment, end) if traits.joints else None
        if along is not None and np.linalg.norm(along) < 0.02:
            yield f"{segment}: shorter than 2 cm: check the source's unit"
            continue
        if along is None and segment in traits.aligned and segment in pose.rotations:
            along = pose.rotations[segment] @ _wanted(segment, traits.rest)
        if along is None:
            continue
        wanted = _wanted(segment, kind)
        off = float(np.rad2deg(angle_between(along, wanted)))
        if off > allowed_deg:
            yield f"{segment}: {off:.0f} deg from the pose: {_advice(segment, along)}"


def _wanted(segment: str, kind: str) -> Array:
    if kind == "t" and segment.endswith("Arm"):
        return np.array([0.0, 1.0 if segment.startswith("Left") else -1.0, 0.0])
    return np.array(NEUTRAL_DIRECTION[segment])


def _advice(segment: str, along: Array) -> str:
    """Say what the limb does instead, and what to do."""
    x, y, z = along / np.linalg.norm(along)
    if segment.endswith("Leg"):
        return "stand up with straight legs" if z > -0.7 else "stand upright"
    if z > 0.7:
        return "it points up; let the arms hang"
    if z < -0.7:
        return "it hangs; stretch the arms out sideways, or ask for the N-pose"
    if abs(y) > 0.7:
        return "it points sideways; let the arms hang, or ask for the T-pose"
    return "it points ahead; let the arms hang" if x > 0.5 else "straighten the arm"


def _worn(pose: MeanPose, kind: str, floor: float) -> Iterator[str]:
    """Judge hands by a headset alone."""
    head = pose.positions.get("Head")
    left, right = pose.positions.get("LeftHand"), pose.positions.get("RightHand")
    if head is None or left is None or right is None or head[2] <= floor:
        return
    eyes = float(head[2]) - floor
    apart = float(np.hypot(*(left - right)[:2])) / eyes
    for name, hand in (("LeftHand", left), ("RightHand", right)):
        level = (float(hand[2]) - floor) / eyes
        if kind == "t" and not HANDS_LEVEL[0] < level < HANDS_LEVEL[1]:
            yield f"{name}: not at the height of the shoulders, as in T-pose"
        elif kind == "n" and level > HANDS_LOW:
            problem = "as in T-pose" if apart > WIDE else "raised"
            yield f"{name}: {problem}: let the arms hang"
    if kind == "t" and apart < WIDE:
        yield "LeftHand: too near to the right one: stretch the arms out sideways"
    if kind == "n" and apart < NARROW:
        yield "LeftHand: too near to the right one: let the arms hang at the sides"
