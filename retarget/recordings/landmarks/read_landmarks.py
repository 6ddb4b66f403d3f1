"""From landmarks to a moving skeleton: each segment's axes from the points around it.

Limbs point along their joints; how they are turned about themselves follows from the
plane in which knees and elbows bend, and where they are straight from the body above.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.landmarks.json_landmarks import json_landmarks
from telexist.retarget.recordings.landmarks.landmark_motion import LandmarkMotion
from telexist.retarget.recordings.landmarks.table_landmarks import table_landmarks
from telexist.retarget.recordings.recognition import (
    SourceSkeleton,
    axis_vector,
    clip_from_skeleton,
)
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array, shortest_rotation

__all__ = ["landmark_skeleton", "read_landmark_json", "read_landmark_table"]

_CHEST = 0.65  # of the way from hips to shoulders
_STRAIGHT, _BENT = np.sin(np.deg2rad([8.0, 30.0]))  # of a hinge: fades in between
_UPS = ("x", "y", "z", "-x", "-y", "-z")
_TREE: tuple[tuple[str, str], ...] = (
    ("Pelvis", ""),
    ("T8", "Pelvis"),
    ("Neck", "T8"),
    ("Head", "Neck"),
    *(
        (f"{side}{name}", f"{side}{above}" if above not in ("T8", "Pelvis") else above)
        for side in ("Left", "Right")
        for name, above in (
            ("UpperArm", "T8"),
            ("ForeArm", "UpperArm"),
            ("Hand", "ForeArm"),
            ("HandTip", "Hand"),
            ("UpperLeg", "Pelvis"),
            ("LowerLeg", "UpperLeg"),
            ("Foot", "LowerLeg"),
            ("ToeTip", "Foot"),
        )
    ),
)

Frames = dict[str, tuple[Array, Array]]


def read_landmark_json(path: Path, options: ReadOptions) -> HumanClip:
    """Read landmarks from JSON into a clip.

    Raises:
        BadRecording: If they make no person in space.
    """
    motion = json_landmarks(Path(path))
    return clip_from_skeleton(landmark_skeleton(path, motion, options), options)


def read_landmark_table(path: Path, options: ReadOptions) -> HumanClip:
    """Read landmarks from CSV into a clip.

    Raises:
        BadRecording: If they make no person in space.
    """
    motion = table_landmarks(Path(path))
    return clip_from_skeleton(landmark_skeleton(path, motion, options), options)


def landmark_skeleton(
    path: Path, motion: LandmarkMotion, options: ReadOptions
) -> SourceSkeleton:
    """Return the skeleton between landmarks, z up."""
    p, up = _upright(motion.points, options.up)
    frames = _frames(p)
    names = tuple(name for name, _ in _TREE)
    positions = np.stack([frames[name][1] for name in names], axis=1)
    notes = [motion.note, f"up: {up}, in the file"]
    if motion.centred:
        positions = positions + _walked(positions, names)[:, None]
        notes.append("its origin is between the hips: the way follows the lower foot")
    return SourceSkeleton(
        path=str(path),
        names=names,
        parents=tuple(names.index(above) if above else -1 for _, above in _TREE),
        time=motion.time,
        positions=positions,
        rotations=np.stack([frames[name][0] for name in names], axis=1),
        rest_positions=_rest(positions, names),
        is_end=tuple(name.endswith("Tip") for name in names),
        up="z",
        joints=MappingProxyType({n: n for n in names if not n.endswith("Tip")}),
        notes=tuple(notes),
    )


def _upright(
    points: Mapping[str, Array], stated: str | None
) -> tuple[dict[str, Array], str]:
    """Return the points with z up, and what was up in the file."""
    trunk = points["left_shoulder"] + points["right_shoulder"]
    legs = points["left_ankle"] + points["right_ankle"]
    mean = (trunk - legs).mean(axis=0)
    up = stated or max(_UPS, key=lambda axis: float(mean @ axis_vector(axis)))
    R = np.round(shortest_rotation(axis_vector(up), (0.0, 0.0, 1.0)))
    return {name: path @ R.T for name, path in points.items()}, up


def _frames(p: Mapping[str, Array]) -> Frames:
    """Return each point of the tree with its axes (t, 3, 3) and place (t, 3)."""
    hips = (p["left_hip"] + p["right_hip"]) / 2.0
    shoulders = (p["left_shoulder"] + p["right_shoulder"]) / 2.0
    trunk = shoulders - hips
    pelvis_R = _axes(y=p["left_hip"] - p["right_hip"], z=trunk, first="y")
    chest_R = _axes(y=p["left_shoulder"] - p["right_shoulder"], z=trunk, first="z")
    out: Frames = {
        "Pelvis": (pelvis_R, hips),
        "T8": (chest_R, hips + _CHEST * trunk),
        "Neck": (chest_R, shoulders),
        "Head": (chest_R, shoulders + 0.2 * trunk),
    }
    if {"left_ear", "right_ear", "nose"} <= set(p):
        ears = (p["left_ear"] + p["right_ear"]) / 2.0
        left, ahead = p["left_ear"] - p["right_ear"], p["nose"] - ears
        head_R = _axes(y=left, z=np.cross(ahead, left), first="y")
        out["Head"] = (head_R, shoulders + 0.6 * (ears - shoulders))
    for side in ("left", "right"):
        _add_arm(out, p, side, chest_R)
        _add_leg(out, p, side, pelvis_R)
    return out


def _add_arm(out: Frames, p: Mapping[str, Array], side: str, chest_R: Array) -> None:
    name = side.title()
    shoulder, elbow, wrist = (p[f"{side}_{j}"] for j in ("shoulder", "elbow", "wrist"))
    upper_R, lower_R = _hinged(shoulder, elbow, wrist, chest_R, sign=-1.0)
    hand_R, tip = lower_R, wrist + 0.7 * (wrist - elbow)
    if {f"{side}_index", f"{side}_pinky"} <= set(p):
        index, pinky = p[f"{side}_index"], p[f"{side}_pinky"]
        tip = wrist + 1.8 * ((index + pinky) / 2.0 - wrist)
        up = wrist - tip
        hand_R = _axes(y=np.cross(up, index - pinky), z=up, first="z")
    out[f"{name}UpperArm"] = (upper_R, shoulder)
    out[f"{name}ForeArm"] = (lower_R, elbow)
    out[f"{name}Hand"], out[f"{name}HandTip"] = (hand_R, wrist), (hand_R, tip)


def _add_leg(out: Frames, p: Mapping[str, Array], side: str, pelvis_R: Array) -> None:
    name = side.title()
    hip, knee, ankle = (p[f"{side}_{j}"] for j in ("hip", "knee", "ankle"))
    upper_R, lower_R = _hinged(hip, knee, ankle, pelvis_R, sign=1.0)
    shank = np.linalg.norm(ankle - knee, axis=1).mean()
    foot_R = lower_R
    tip = ankle + shank * (foot_R @ np.array([0.4, 0.0, -0.15]))
    if {f"{side}_foot_index", f"{side}_heel"} <= set(p):
        tip = p[f"{side}_foot_index"]
        along = tip - p[f"{side}_heel"]
        foot_R = _axes(y=lower_R[:, :, 1], z=np.cross(along, lower_R[:, :, 1]))
    out[f"{name}UpperLeg"] = (upper_R, hip)
    out[f"{name}LowerLeg"] = (lower_R, knee)
    out[f"{name}Foot"], out[f"{name}ToeTip"] = (foot_R, ankle), (foot_R, tip)


def _unit(v: Array) -> Array:
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.asarray(v / np.where(length > 1e-12, length, 1.0))


def _axes(*, y: Array, z: Array, first: str = "z") -> Array:
    """Return axes with y and z along two directions; the first one exactly."""
    if first == "z":
        z = _unit(z)
        y = _unit(y - np.sum(y * z, axis=-1, keepdims=True) * z)
    else:
        y = _unit(y)
        z = _unit(z - np.sum(y * z, axis=-1, keepdims=True) * y)
    R = np.stack([np.cross(y, z), y, z], axis=-1)
    whole = np.abs(np.linalg.det(R) - 1.0) < 1e-6
    return np.where(whole[:, None, None], R, np.eye(3))


def _hinged(
    top: Array, middle: Array, end: Array, above_R: Array, *, sign: float
) -> tuple[Array, Array]:
    """Return the axes of both parts of a limb.

    Args:
        top: First joint (t, 3).
        middle: The hinge.
        end: Last joint.
        above_R: Axes of the body from which it hangs (t, 3, 3).
        sign: 1 where it bends backwards as a knee, -1 as an elbow.
    """
    upper, lower = _unit(middle - top), _unit(end - middle)
    normal = sign * np.cross(upper, lower)
    sine = np.linalg.norm(normal, axis=1, keepdims=True)
    weight = np.clip((sine - _STRAIGHT) / (_BENT - _STRAIGHT), 0.0, 1.0)
    down = -above_R[:, :, 2]
    turns = np.stack(
        [shortest_rotation(a, b) for a, b in zip(down, upper, strict=True)]
    )
    hanging = (turns @ above_R[:, :, 1:2])[..., 0]
    y = weight * _unit(normal) + (1.0 - weight) * hanging
    return _axes(y=y, z=-upper), _axes(y=y, z=-lower)


def _walked(positions: Array, names: tuple[str, ...]) -> Array:
    """Return a way (t, 3) on which the lower foot stays where it is."""
    feet = np.stack(
        [
            positions[:, names.index(f"{side}{part}")]
            for side in ("Left", "Right")
            for part in ("Foot", "ToeTip")
        ],
        axis=1,
    )
    lowest = np.argmin(feet[..., 2], axis=1)
    rows = np.arange(len(feet) - 1)
    steps = feet[rows, lowest[:-1]] - feet[rows + 1, lowest[:-1]]
    way = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    way[:, 2] = -feet[..., 2].min(axis=1)
    return way


def _rest(positions: Array, names: tuple[str, ...]) -> Array:
    """Return the person in N-pose, bones as long as in the clip (j, 3)."""

    def length(a: str, b: str) -> float:
        lines = positions[:, names.index(b)] - positions[:, names.index(a)]
        return float(np.median(np.linalg.norm(lines, axis=1)))

    rest = {"Pelvis": np.zeros(3)}
    for a, b in (("Pelvis", "T8"), ("T8", "Neck"), ("Neck", "Head")):
        rest[b] = rest[a] + [0.0, 0.0, length(a, b)]
    down, ahead = np.array([0.0, 0.0, -1.0]), np.array([1.0, 0.0, 0.0])
    for side, left in (("Left", 1.0), ("Right", -1.0)):
        hips = length("LeftUpperLeg", "RightUpperLeg") / 2.0
        across = length("LeftUpperArm", "RightUpperArm") / 2.0
        rest[f"{side}UpperLeg"] = np.array([0.0, left * hips, 0.0])
        rest[f"{side}UpperArm"] = rest["Neck"] + [0.0, left * across, 0.0]
        for a, b, along in (
            ("UpperLeg", "LowerLeg", down),
            ("LowerLeg", "Foot", down),
            ("UpperArm", "ForeArm", down),
            ("ForeArm", "Hand", down),
            ("Hand", "HandTip", down),
            ("Foot", "ToeTip", ahead),
        ):
            a, b = f"{side}{a}", f"{side}{b}"
            rest[b] = rest[a] + length(a, b) * along
    return np.stack([rest[name] for name in names])
