"""MCAP recordings of NVIDIA IsaacTeleop: the person of the channel of full bodies."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from mcap.exceptions import McapError
from mcap.reader import make_reader
from telexist.retarget.errors import BadFrame, BadRecording
from telexist.retarget.files import BoundedFile
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.isaac.body24 import (
    JOINT_PARENTS,
    JOINTS,
    SEGMENT_JOINT,
    Body24,
)
from telexist.retarget.recordings.isaac.full_body import read_record
from telexist.retarget.recordings.recognition import SourceSkeleton, clip_from_skeleton
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array, rotation_from_quat_wxyz

__all__ = ["holds_full_bodies", "read_isaac"]

_SCHEMA = "core.FullBodyPoseRecord"
_MOST = 2_000_000  # frames
_SHORTEST = 1e-4  # [s] between two frames
_DAMAGE = (
    *(McapError, OSError, ValueError, EOFError),
    *(LookupError, MemoryError, struct.error),
)
"""What the library raises at damage."""
_UNIT = 1e-2  # of a quaternion's length


def holds_full_bodies(path: Path) -> bool:
    """Whether a file is an MCAP recording with a channel of full bodies."""
    try:
        with BoundedFile(path) as stream:
            summary = make_reader(stream).get_summary()
    except _DAMAGE:
        return False
    schemas = {} if summary is None else summary.schemas
    return any(schema.name == _SCHEMA for schema in schemas.values())


def read_isaac(path: Path, options: ReadOptions) -> HumanClip:
    """Read the body that was recorded.

    Frames without a body, or with a joint that was not seen, are left out.

    Raises:
        BadRecording: If it is damaged or nobody is to be seen in it.
    """
    times: list[float] = []
    bodies: list[Body24] = []
    lost = 0
    for time, body in _records(path):
        if body is None or body.unseen or not _is_pose(body):
            lost += 1
        elif not times or time - times[-1] > _SHORTEST:
            times.append(time)
            bodies.append(body)
    if len(times) < 2:
        raise BadRecording(path, "nobody is to be seen: no frame with all joints")
    positions = np.array([body.positions for body in bodies])
    quats = np.array([body.quats_xyzw for body in bodies])
    rotations = rotation_from_quat_wxyz(quats[..., [3, 0, 1, 2]])
    notes = [f"IsaacTeleop: {len(times)} frames of 24 joints"]
    if lost:
        notes.append(f"{lost} frames left out in which not all joints were seen")
    skeleton = SourceSkeleton(
        path=str(path),
        names=JOINTS,
        parents=JOINT_PARENTS,
        time=np.array(times) - times[0],
        positions=positions,
        rotations=rotations,
        rest_positions=_rest(positions, rotations),
        is_end=tuple(name.endswith("_hand") for name in JOINTS),
        unit=1.0,
        up="y",
        joints=SEGMENT_JOINT,
        notes=tuple(notes),
    )
    return clip_from_skeleton(skeleton, options)


def _records(path: Path) -> Iterator[tuple[float, Body24 | None]]:
    """Yield time [s] and body of each record, in order."""
    try:
        with BoundedFile(path) as stream:
            for k, (schema, _, message) in enumerate(
                make_reader(stream).iter_messages()
            ):
                if schema is None or schema.name != _SCHEMA:
                    continue
                if k > _MOST:
                    raise BadRecording(path, f"more than {_MOST} messages")
                yield 1e-9 * message.log_time, read_record(message.data)
    except BadFrame as error:
        raise BadRecording(path, str(error), place=_SCHEMA) from error
    except _DAMAGE as error:
        raise BadRecording(path, f"damaged: {error}") from error


def _is_pose(body: Body24) -> bool:
    lengths = np.linalg.norm(body.quats_xyzw, axis=-1)
    finite = np.isfinite(body.positions).all() and np.isfinite(lengths).all()
    return bool(finite and (np.abs(lengths - 1.0) <= _UNIT).all())


def _rest(positions: Array, rotations: Array) -> Array:
    """Return the joints in T-pose (24, 3) [m], where all frames are the identity.

    A joint stands where its parent's frame has it, in the median over the time.
    """
    rest = np.zeros((len(JOINTS), 3))
    for j, parent in enumerate(JOINT_PARENTS):
        if parent < 0:
            continue
        away = positions[:, j] - positions[:, parent]
        offsets = np.einsum("tji,tj->ti", rotations[:, parent], away)
        rest[j] = rest[parent] + np.median(offsets, axis=0)
    return rest
