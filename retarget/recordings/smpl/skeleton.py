"""The skeleton of SMPL: its joints, and where its rotations take them.

The first 22 joints are the same in SMPL, SMPL+H and SMPL-X; hands and face are left
out. At rest the body stands in T-pose: y up, facing z, x to its left.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from telexist.retarget.recordings.recognition import SourceSkeleton, axis_vector
from telexist.retarget.recordings.smpl.body_shape import (
    END_PARENTS,
    ENDS,
    JOINT_NAMES,
    PARENTS,
    SmplBody,
    average_body,
)
from telexist.retarget.so3 import Array, shortest_rotation

__all__ = ["smpl_skeleton"]

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
_CLEAR = 0.8  # of the trunk's mean line along an axis, before it says what is up


def smpl_skeleton(
    path: Path,
    time: Array,
    rotations: Array,
    trans: Array,
    *,
    body: SmplBody | None = None,
    usual_up: str = "z",
    notes: tuple[str, ...] = (),
) -> SourceSkeleton:
    """Move a body by SMPL joint rotations.

    Args:
        path: The file, for messages.
        time: (t,) [s].
        rotations: Of each body joint relative to its parent (t, 22, 3, 3).
        trans: Way of the body in the world (t, 3) [m].
        body: Whose it is; an average adult's if it is not known.
        usual_up: Axis that points up in such files, where the trunk does not tell.
        notes: What the reader found.
    """
    body = body if body is not None else average_body()
    names = (*JOINT_NAMES, *ENDS)
    parents = (*PARENTS, *END_PARENTS)
    ends = np.tile(np.eye(3), (len(time), len(ENDS), 1, 1))
    turns = np.concatenate([rotations, ends], axis=1)
    world, positions = _placed(parents, body.offsets, turns, trans + body.pelvis)
    up = _up(positions, names, usual_up)
    rest_turns = np.tile(np.eye(3), (1, len(names), 1, 1))
    rest_turns[:, 0] = shortest_rotation([0.0, 1.0, 0.0], axis_vector(up))
    rest_world, rest_positions = _placed(
        parents, body.offsets, rest_turns, np.zeros((1, 3))
    )
    return SourceSkeleton(
        path=str(path),
        names=names,
        parents=parents,
        time=time,
        positions=positions,
        rotations=world,
        rest_positions=rest_positions[0],
        rest_rotations=rest_world[0],
        is_end=(False,) * len(JOINT_NAMES) + (True,) * len(ENDS),
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


def _up(positions: Array, names: tuple[str, ...], usual: str) -> str:
    """Return what the trunk says; AMASS is z up, videos' worlds are y up.

    Cameras have y downwards. Who lies all the time says nothing.
    """
    trunk = positions[:, names.index("neck")] - positions[:, names.index("pelvis")]
    mean = trunk.mean(axis=0) / np.linalg.norm(trunk, axis=-1).mean()
    for axis in ("y", "z", "-y"):
        if mean @ axis_vector(axis) > _CLEAR:
            return axis
    return usual
