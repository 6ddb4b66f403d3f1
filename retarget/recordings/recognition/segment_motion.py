"""The motion of all 23 segments: those that the source has, and those between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from telexist.retarget.recordings.recognition.spine import SPINE
from telexist.retarget.segments import LIMBS, PARENT, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import Array, angle_between, exp_so3, slerp

__all__ = [
    "SegmentMotion",
    "complete_segments",
    "mean_seen_from",
    "rigid_offsets",
    "turned_onto_limbs",
]

_BALL_OF_FOOT = 0.7  # of the way from ankle to toe tip
_COLLAR = 0.25  # of the way from between the shoulders to the shoulder


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentMotion:
    """Rotations (t, 3, 3) and origins (t, 3) [m] by segment, z up, any heading."""

    rotations: Mapping[str, Array]
    positions: Mapping[str, Array]

    def stacked(self) -> tuple[Array, Array]:
        """Return `world_R_segment` (t, 23, 3, 3) and the origins (t, 23, 3) [m]."""
        rotations = np.stack([self.rotations[name] for name in SEGMENTS], axis=1)
        positions = np.stack([self.positions[name] for name in SEGMENTS], axis=1)
        return rotations, positions


def turned_onto_limbs(motion: SegmentMotion) -> SegmentMotion:
    """Turn the limbs by what is left between their axis and the line of their joints.

    Nothing for a rigid skeleton; a little where twist bones or position channels bend a
    limb between its joints.
    """
    rotations = dict(motion.rotations)
    for name, end in LIMBS.items():
        line = motion.positions[end] - motion.positions[name]
        axis = -rotations[name][..., 2]
        rotations[name] = _shortest(axis, line) @ rotations[name]
    return SegmentMotion(rotations=rotations, positions=motion.positions)


def _shortest(a: Array, b: Array) -> Array:
    """Return the shortest rotations from directions a to b (t, 3, 3)."""
    normal = np.cross(a, b)
    length = np.linalg.norm(normal, axis=-1, keepdims=True)
    angle = np.where(length[..., 0] > 0.0, angle_between(a, b), 0.0)
    return exp_so3(angle[..., None] * normal / np.where(length > 0.0, length, 1.0))


def complete_segments(
    motion: SegmentMotion, toe_offsets: Mapping[str, Array]
) -> tuple[SegmentMotion, tuple[str, ...]]:
    """Add the segments that the source lacks.

    Args:
        motion: Pelvis and limbs at least.
        toe_offsets: Side to the toe tip seen from the ankle in the foot's axes (3,)
            [m], used where the source has no toe joint.

    Returns:
        All 23 segments, and one note on those that were added.
    """
    rotations, positions = dict(motion.rotations), dict(motion.positions)
    missing = [name for name in SEGMENTS if name not in rotations]
    _add_chest(rotations, positions)
    _add_spine(rotations, positions)
    _add_head(rotations, positions)
    for side in ("Left", "Right"):
        _add_collar(rotations, positions, side)
        if f"{side}Toe" not in rotations:
            rotations[f"{side}Toe"] = rotations[f"{side}Foot"]
            offset = _BALL_OF_FOOT * toe_offsets[side]
            positions[f"{side}Toe"] = (
                positions[f"{side}Foot"] + rotations[f"{side}Foot"] @ offset
            )
    note = (f"segments not in the file, interpolated: {', '.join(missing)}",)
    complete = SegmentMotion(rotations=rotations, positions=positions)
    return complete, note if missing else ()


def _between_shoulders(positions: Mapping[str, Array]) -> Array:
    return (positions["LeftUpperArm"] + positions["RightUpperArm"]) / 2.0


def _add_chest(rotations: dict[str, Array], positions: dict[str, Array]) -> None:
    if "T8" in rotations:
        return
    pelvis = positions["Pelvis"]
    rotations["T8"] = rotations["Pelvis"]
    positions["T8"] = pelvis + 0.7 * (_between_shoulders(positions) - pelvis)


def _add_spine(rotations: dict[str, Array], positions: dict[str, Array]) -> None:
    """Turn missing spine segments in equal steps; place them at the joint above."""
    chain = ("Pelvis", *SPINE)
    known = [k for k, name in enumerate(chain) if name in rotations]
    for low, high in zip(known[:-1], known[1:], strict=True):
        for k in range(low + 1, high):
            start, end = rotations[chain[low]], rotations[chain[high]]
            rotations[chain[k]] = slerp(start, end, (k - low) / (high - low))
            positions[chain[k]] = positions[chain[high]]


def _add_head(rotations: dict[str, Array], positions: dict[str, Array]) -> None:
    if "Head" not in rotations:
        above = positions.get("Neck", _between_shoulders(positions))
        rotations["Head"] = rotations.get("Neck", rotations["T8"])
        positions["Head"] = above
    if "Neck" not in rotations:
        rotations["Neck"] = slerp(rotations["T8"], rotations["Head"], 0.5)
        positions["Neck"] = positions["Head"]


def _add_collar(
    rotations: dict[str, Array], positions: dict[str, Array], side: str
) -> None:
    name = f"{side}Shoulder"
    if name not in rotations:
        middle = _between_shoulders(positions)
        arm = positions[f"{side}UpperArm"]
        rotations[name] = rotations["T8"]
        positions[name] = middle + _COLLAR * (arm - middle)


def rigid_offsets(rotations: Array, positions: Array) -> dict[str, Array]:
    """Return each origin in its parent segment's axes (3,) [m], mean over the clip."""
    offsets = {}
    for name in SEGMENTS:
        parent = PARENT[name]
        if parent is not None:
            child, above = SEGMENT_INDEX[name], SEGMENT_INDEX[parent]
            line = positions[:, child] - positions[:, above]
            offsets[name] = mean_seen_from(rotations[:, above], line)
    return offsets


def mean_seen_from(R: Array, lines: Array) -> Array:
    """Return the mean of R' v over rotations (t, 3, 3) and vectors (t, 3)."""
    return np.asarray(lines.reshape(-1) @ R.reshape(-1, 3) / len(lines))
