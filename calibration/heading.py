"""Where an operator in N-pose or T-pose faces."""

from __future__ import annotations

import numpy as np
from telexist.calibration.mean_pose import MeanPose
from telexist.calibration.source_traits import SourceTraits
from telexist.retarget.errors import CalibrationRefused
from telexist.retarget.so3 import Array

__all__ = ["find_heading"]

TRUNK = ("Pelvis", "T8", "Head")
PAIRS = ("UpperLeg", "UpperArm", "Shoulder", "Foot", "Hand")
LEAST_WIDTH = 0.1  # [m] between left and right; narrower pairs say nothing
UPRIGHT = float(np.cos(np.deg2rad(50.0)))  # of a trunk whose frame says where ahead is
AGREE = float(np.deg2rad(50.0))  # between frames and places


def find_heading(pose: MeanPose, traits: SourceTraits) -> float:
    """Find the heading of the operator [rad], counter-clockwise seen from above.

    From the frame of the trunk where the source's frames are known, and from the line
    between left and right where places are. A headset is a poor trunk: eyes wander, so
    hands decide and the headset tells only left from right.

    Args:
        pose: Mean pose, raw.
        traits: What is known of the source.

    Raises:
        CalibrationRefused: If it cannot be found, or both answers differ.
    """
    framed, placed = _from_frames(pose, traits), _from_places(pose)
    either = placed if framed is None else framed
    if either is None:
        raise CalibrationRefused(
            "where the operator faces is unknown: the source has neither places nor "
            "known frames; state the heading"
        )
    if framed is None or placed is None:
        return _angle(either)
    apart = abs(_difference(_angle(framed), _angle(placed)))
    if apart > np.pi - AGREE:
        raise CalibrationRefused(
            "left and right are swapped: change the hands or the sensors"
        )
    if apart > AGREE:
        raise CalibrationRefused(
            f"Head: turned by {np.rad2deg(apart):.0f} deg from the body: look ahead"
        )
    trunk_known = bool(traits.aligned & {"Pelvis", "T8"} & pose.rotations.keys())
    return _angle(framed if trunk_known else placed)


def _angle(ahead: Array) -> float:
    return float(np.arctan2(ahead[1], ahead[0]))


def _difference(a: float, b: float) -> float:
    return (a - b + np.pi) % (2.0 * np.pi) - np.pi


def _from_frames(pose: MeanPose, traits: SourceTraits) -> Array | None:
    for segment in TRUNK:
        if segment in traits.aligned and segment in pose.rotations:
            R = pose.rotations[segment]
            if R[2, 2] > UPRIGHT:
                return R[:, 0]
    return None


def _from_places(pose: MeanPose) -> Array | None:
    """Return ahead: the mean line from right to left, turned by a quarter."""
    left = np.zeros(2)
    for part in PAIRS:
        line = pose.line(f"Right{part}", f"Left{part}")
        if line is not None and np.hypot(line[0], line[1]) > LEAST_WIDTH:
            left += line[:2]
    if np.linalg.norm(left) < LEAST_WIDTH:
        return None
    return np.array([left[1], -left[0], 0.0])
