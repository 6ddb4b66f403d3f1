"""NVIDIA IsaacTeleop's `FullBodyPose`, a FlatBuffer: both ways, without a library.

    table FullBodyPose { joints: BodyJoints (id: 0); all_joint_poses_tracked: bool; }
    table FullBodyPoseRecord { data: FullBodyPose (id: 0); timestamp (id: 1); }

`BodyJoints` is a struct of 24 x {position 3 f32 [m], quaternion xyzw 4 f32, valid bool,
3 bytes of padding}, in the axes of `body24.py`. A table begins with the way back to its
vtable, which says where in the table each field is; offsets are little-endian. The
bytes may come from strangers: each offset is checked.
"""

from __future__ import annotations

import struct

import numpy as np
from telexist.retarget.errors import BadFrame
from telexist.retarget.recordings.isaac.body24 import JOINTS, Body24

__all__ = ["FULL_BODY_SIZE", "read_full_body", "read_record", "write_full_body"]

_JOINT = np.dtype(
    {
        "names": ["position", "quat", "valid"],
        "formats": [("<f4", 3), ("<f4", 4), "u1"],
        "offsets": [0, 12, 28],
        "itemsize": 32,
    }
)
_JOINTS_SIZE = len(JOINTS) * _JOINT.itemsize
_VTABLE = struct.Struct("<HHHH")
_UNSIGNED, _SIGNED, _SHORT = (
    struct.Struct("<I"),
    struct.Struct("<i"),
    struct.Struct("<H"),
)
FULL_BODY_SIZE = 4 + _VTABLE.size + 4 + _JOINTS_SIZE  # [bytes] as MVN sends it: 784


def read_full_body(data: bytes) -> Body24:
    """Read a buffer whose root is a `FullBodyPose`.

    Raises:
        BadFrame: If it is none.
    """
    return _joints(data, _unsigned(data, 0))


def read_record(data: bytes) -> Body24 | None:
    """Read a buffer whose root is a `FullBodyPoseRecord`; None if it holds no pose.

    Raises:
        BadFrame: If it is none.
    """
    record = _unsigned(data, 0)
    field = _field(data, record, 0)
    if field is None:
        return None
    return _joints(data, field + _unsigned(data, field))


def write_full_body(body: Body24) -> bytes:
    """Return the buffer, with the field left out that is at its default."""
    joints = np.zeros(len(JOINTS), _JOINT)
    joints["position"], joints["quat"] = body.positions, body.quats_xyzw
    joints["valid"] = body.valid
    every = bool(np.all(body.valid))
    size = 4 + _JOINTS_SIZE + (4 if every else 0)
    vtable = _VTABLE.pack(_VTABLE.size, size, 4, 4 + _JOINTS_SIZE if every else 0)
    table = _SIGNED.pack(_VTABLE.size) + joints.tobytes()
    flag = b"\x01\0\0\0" if every else b""
    return _UNSIGNED.pack(4 + _VTABLE.size) + vtable + table + flag


def _joints(data: bytes, table: int) -> Body24:
    at = _field(data, table, 0)
    if at is None or at + _JOINTS_SIZE > len(data):
        raise BadFrame("a FullBodyPose without joints")
    joints = np.frombuffer(data, _JOINT, len(JOINTS), at)
    with np.errstate(invalid="ignore"):  # a signalling NaN is no reason for a warning
        return Body24(
            positions=joints["position"].astype(np.float64),
            quats_xyzw=joints["quat"].astype(np.float64),
            valid=joints["valid"] == 1,
        )


def _field(data: bytes, table: int, number: int) -> int | None:
    """Return where a table's field is; None if it is left out."""
    vtable = table - _number(_SIGNED, data, table)
    size = _number(_SHORT, data, vtable)
    place = 4 + 2 * number
    if place + 2 > size:
        return None
    offset = _number(_SHORT, data, vtable + place)
    return table + offset if offset else None


def _unsigned(data: bytes, at: int) -> int:
    return _number(_UNSIGNED, data, at)


def _number(kind: struct.Struct, data: bytes, at: int) -> int:
    if not 0 <= at <= len(data) - kind.size:
        raise BadFrame("a FlatBuffer that points outside of itself")
    return int(kind.unpack_from(data, at)[0])
