"""AMASS recordings: SMPL, SMPL+H and SMPL-X joint rotations.

The licensed body models are not needed: a joint's rotation means the same on any
skeleton whose rest posture is theirs. Ours has the 22 body joints in that posture
(T-pose, y up, facing z, x left) with the proportions of an average adult, in whole
centimetres; shape parameters (`betas`) have no meaning without the models and are not
used. Hands and face are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.recognition import (
    SourceSkeleton,
    axis_vector,
    clip_from_skeleton,
)
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array, exp_so3, shortest_rotation

__all__ = ["AMASS_KEYS", "clip_from_smpl", "smpl_skeleton"]

_RATE_KEYS = ("mocap_framerate", "mocap_frame_rate", "fps", "frame_rate", "framerate")
AMASS_KEYS = ("poses", "root_orient", "pose_body", "trans", *_RATE_KEYS)
"""The keys of AMASS files that are used; the rate goes by several names."""

# Joint, its parent, and where it is from there at rest [cm], stature about 1.72 m.
_JOINTS: tuple[tuple[str, str, tuple[int, int, int]], ...] = (
    ("pelvis", "", (0, 0, 0)),
    ("left_hip", "pelvis", (6, -9, -1)),
    ("right_hip", "pelvis", (-6, -9, -1)),
    ("spine1", "pelvis", (0, 11, -3)),
    ("left_knee", "left_hip", (4, -38, 0)),
    ("right_knee", "right_hip", (-4, -38, 0)),
    ("spine2", "spine1", (0, 13, 1)),
    ("left_ankle", "left_knee", (-1, -42, -4)),
    ("right_ankle", "right_knee", (1, -42, -4)),
    ("spine3", "spine2", (0, 5, 1)),
    ("left_foot", "left_ankle", (4, -6, 12)),
    ("right_foot", "right_ankle", (-4, -6, 12)),
    ("neck", "spine3", (0, 21, -4)),
    ("left_collar", "spine3", (8, 12, -3)),
    ("right_collar", "spine3", (-8, 12, -3)),
    ("head", "neck", (0, 8, 5)),
    ("left_shoulder", "left_collar", (10, 4, -1)),
    ("right_shoulder", "right_collar", (-10, 4, -1)),
    ("left_elbow", "left_shoulder", (26, -1, -2)),
    ("right_elbow", "right_shoulder", (-26, -1, -2)),
    ("left_wrist", "left_elbow", (25, 1, 0)),
    ("right_wrist", "right_elbow", (-25, 1, 0)),
)
_ENDS: tuple[tuple[str, str, tuple[int, int, int]], ...] = (
    ("head_top", "head", (0, 18, 0)),
    ("left_hand_tip", "left_wrist", (18, 0, 0)),
    ("right_hand_tip", "right_wrist", (-18, 0, 0)),
    ("left_toe_tip", "left_foot", (1, -2, 6)),
    ("right_toe_tip", "right_foot", (-1, -2, 6)),
)

_SEGMENTS = {
    "Pelvis": "pelvis",
    "L5": "spine1",
    "T12": "spine2",
    "T8": "spine3",
    "Neck": "neck",
    "Head": "head",
    **{
        f"{side}{segment}": f"{side.lower()}_{joint}"
        for side in ("Left", "Right")
        for segment, joint in (
            ("Shoulder", "collar"),
            ("UpperArm", "shoulder"),
            ("ForeArm", "elbow"),
            ("Hand", "wrist"),
            ("UpperLeg", "hip"),
            ("LowerLeg", "knee"),
            ("Foot", "ankle"),
            ("Toe", "foot"),
        )
    },
}

_WIDTHS = (66, 69, 72, 156, 162, 165, 168)  # of `poses` in SMPL, SMPL+H and SMPL-X
_RATES = (1.0, 2000.0)  # [Hz]
_DEFAULT_RATE = 120.0  # [Hz] of most of AMASS
_FURTHEST = 1000.0  # [m] from the origin, and [rad] of an axis-angle


def clip_from_smpl(
    path: Path, arrays: Mapping[str, np.ndarray], options: ReadOptions
) -> HumanClip:
    """Read SMPL joint rotations as a clip.

    Args:
        path: The file, for messages.
        arrays: Its arrays, as far as `AMASS_KEYS` names them.
        options: What is known about the recording.

    Raises:
        BadRecording: Naming the key that is missing or has the wrong shape.
    """
    poses = _poses(path, arrays)
    trans = _numbers(path, arrays, "trans")
    if trans.shape != (len(poses), 3):
        problem = f"has shape {trans.shape}, expected ({len(poses)}, 3)"
        raise BadRecording(path, problem, place="trans")
    rate, note = _rate(path, arrays, options)
    notes = (note, "AMASS: average proportions, since body shapes are licensed")
    time = np.arange(len(poses)) / rate
    skeleton = smpl_skeleton(path, time, exp_so3(poses), trans, notes=notes)
    return clip_from_skeleton(skeleton, options)


def _numbers(path: Path, arrays: Mapping[str, np.ndarray], key: str) -> Array:
    if key not in arrays:
        raise BadRecording(path, "missing: AMASS files have it", place=key)
    if arrays[key].dtype.kind not in "fiu":
        raise BadRecording(path, f"holds {arrays[key].dtype}, not numbers", place=key)
    values = np.asarray(arrays[key], dtype=np.float64)
    if not np.all(np.abs(values) < _FURTHEST):
        raise BadRecording(path, "holds a value that is not finite or huge", place=key)
    return values


def _poses(path: Path, arrays: Mapping[str, np.ndarray]) -> Array:
    """Return the axis-angles of the 22 body joints (t, 22, 3) [rad]."""
    if "poses" in arrays:
        poses, key = _numbers(path, arrays, "poses"), "poses"
        if poses.ndim != 2 or poses.shape[1] not in _WIDTHS:
            known = ", ".join(str(width) for width in _WIDTHS)
            problem = f"has shape {poses.shape}, expected (frames, one of {known})"
            raise BadRecording(path, problem, place=key)
    else:
        root, key = _numbers(path, arrays, "root_orient"), "pose_body"
        body = _numbers(path, arrays, key)
        if root.shape != (len(root), 3) or body.shape != (len(root), 63):
            raise BadRecording(path, f"has shape {body.shape}", place=key)
        poses = np.concatenate([root, body], axis=1)
    if len(poses) == 0:
        raise BadRecording(path, "holds no frames", place=key)
    return poses[:, :66].reshape(len(poses), 22, 3)


def _rate(
    path: Path, arrays: Mapping[str, np.ndarray], options: ReadOptions
) -> tuple[float, str]:
    if options.rate is not None:
        return options.rate, f"rate: {options.rate:g} Hz, stated"
    for key in _RATE_KEYS:
        if key in arrays:
            values = arrays[key]
            if values.size != 1 or values.dtype.kind not in "fiu":
                raise BadRecording(path, "is not one number", place=key)
            rate = float(values.reshape(()))
            if not _RATES[0] <= rate <= _RATES[1]:
                raise BadRecording(path, f"{rate} Hz is no frame rate", place=key)
            return rate, f"rate: {rate:g} Hz, from {key}"
    return _DEFAULT_RATE, f"rate: {_DEFAULT_RATE:g} Hz, assumed: the file states none"


def smpl_skeleton(
    path: Path,
    time: Array,
    rotations: Array,
    trans: Array,
    *,
    notes: tuple[str, ...] = (),
) -> SourceSkeleton:
    """Move our skeleton by SMPL joint rotations.

    Args:
        path: The file, for messages.
        time: (t,) [s].
        rotations: Of each body joint relative to its parent (t, 22, 3, 3).
        trans: Way of the body in the world (t, 3) [m].
        notes: What the reader found.
    """
    rows = (*_JOINTS, *_ENDS)
    names = tuple(name for name, _, _ in rows)
    parents = tuple(names.index(parent) if parent else -1 for _, parent, _ in rows)
    offsets = np.array([offset for _, _, offset in rows], dtype=np.float64) / 100.0
    ends = np.tile(np.eye(3), (len(time), len(_ENDS), 1, 1))
    turns = np.concatenate([rotations, ends], axis=1)
    world, positions = _placed(parents, offsets, turns, trans)
    up = _up(positions, names)
    rest_turns = np.tile(np.eye(3), (1, len(rows), 1, 1))
    rest_turns[:, 0] = shortest_rotation([0.0, 1.0, 0.0], axis_vector(up))
    rest_world, rest_positions = _placed(parents, offsets, rest_turns, np.zeros((1, 3)))
    return SourceSkeleton(
        path=str(path),
        names=names,
        parents=parents,
        time=time,
        positions=positions,
        rotations=world,
        rest_positions=rest_positions[0],
        rest_rotations=rest_world[0],
        is_end=(False,) * len(_JOINTS) + (True,) * len(_ENDS),
        unit=1.0,
        up=up,
        joints=_SEGMENTS,
        notes=notes,
    )


def _placed(
    parents: tuple[int, ...], offsets: Array, turns: Array, trans: Array
) -> tuple[Array, Array]:
    """Chain the turns: world rotations (t, j, 3, 3) and positions (t, j, 3) [m]."""
    world = np.empty_like(turns)
    positions = np.empty(turns.shape[:-1])
    for j, parent in enumerate(parents):
        if parent < 0:
            world[:, j], positions[:, j] = turns[:, j], trans
            continue
        world[:, j] = world[:, parent] @ turns[:, j]
        positions[:, j] = positions[:, parent] + world[:, parent] @ offsets[j]
    return world, positions


def _up(positions: Array, names: tuple[str, ...]) -> str:
    """AMASS is z up; the same keys are also used for files that are y up."""
    trunk = positions[:, names.index("neck")] - positions[:, names.index("pelvis")]
    mean = trunk.mean(axis=0)
    return "y" if mean[1] > 0.8 * np.linalg.norm(trunk, axis=-1).mean() else "z"
