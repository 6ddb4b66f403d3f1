"""The messages of a G1 on DDS: types as the maker's IDL has them, bytes made by hand.

Cyclone DDS compares types by name and structure, so they are declared; but writing 35
motors as Python objects 500 times a second is slow, so bytes go past the objects. As
CDR a command is `LowCommand.packed` but for where the first motor begins (CDR aligns
numbers, not structures), a state lies as in `STATE`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from telexist.retarget.errors import BadMessage, MissingDependency
from telexist.robots.unitree.low_command import MOTORS, SLOTS, checksum
from telexist.robots.unitree.low_state import LowState, require_state

__all__ = [
    "DdsTypes",
    "cdr_command",
    "dds_types",
    "packed_command",
    "read_cdr_state",
    "write_cdr_state",
]

LITTLE, BIG = (b"\0\1", b"\0\7"), (b"\0\0", b"\0\6")
"""First two bytes of plain CDR, versions 1 and 2, by the order of bytes."""
HEAD = LITTLE[0] + b"\0\0"
COMMAND = 1000  # [bytes] of a command as CDR
PACKAGE = "unitree_hg.msg.dds_"
_AFTER_MODE = [
    ("q", "f4"),
    ("dq", "f4"),
    ("ddq", "f4"),
    ("tau_est", "f4"),
    ("temperature", "i2", 2),
    ("vol", "f4"),
    ("sensor", "u4", 2),
    ("motorstate", "u4"),
    ("reserve", "u4", 4),
]
MOTOR_STATE = np.dtype([("mode", "u1"), ("_", "V3"), *_AFTER_MODE])
STATE = np.dtype(
    [
        ("version", "u4", 2),
        ("mode_pr", "u1"),
        ("mode_machine", "u1"),
        ("_", "V2"),
        ("tick", "u4"),
        ("quaternion", "f4", 4),
        ("gyroscope", "f4", 3),
        ("accelerometer", "f4", 3),
        ("rpy", "f4", 3),
        ("imu_temperature", "i2"),
        # the first motor begins right behind
        ("first_mode", "u1"),
        ("__", "V1"),
        ("first", _AFTER_MODE),
        ("motors", MOTOR_STATE, SLOTS - 1),
        ("wireless_remote", "u1", 40),
        ("reserve", "u4", 4),
        ("crc", "u4"),
    ]
)


class DdsTypes(NamedTuple):
    """Types for topics.

    Attributes:
        command: Of `rt/lowcmd` and `rt/arm_sdk`.
        state: Of `rt/lowstate`. Samples of both are made by `of_bytes`, without the
            head of CDR, and read with it as `data`.
    """

    command: Any
    state: Any


@cache
def dds_types() -> DdsTypes:
    """Return the types.

    Raises:
        MissingDependency: If Cyclone DDS is not installed.
    """
    try:
        idl, types = (
            import_module("cyclonedds.idl"),
            import_module("cyclonedds.idl.types"),
        )
        annotate = import_module("cyclonedds.idl.annotations")
    except ImportError as error:
        raise MissingDependency("cyclonedds", 'pip install "telexist[dds]"') from error

    def struct(name: str, fields: dict[str, Any]) -> Any:
        made = idl.make_idl_struct(name, f"{PACKAGE}.{name}", fields)
        return annotate.final(annotate.autoid("sequential")(made))

    u8, u32, f32 = types.uint8, types.uint32, types.float32
    motor_command = struct(
        "MotorCmd_",
        {"mode": u8}
        | dict.fromkeys(("q", "dq", "tau", "kp", "kd"), f32)
        | {"reserve": u32},
    )
    command = struct(
        "LowCmd_",
        {
            "mode_pr": u8,
            "mode_machine": u8,
            "motor_cmd": types.array[motor_command, SLOTS],
            "reserve": types.array[u32, 4],
            "crc": u32,
        },
    )
    three = types.array[f32, 3]
    imu = struct(
        "IMUState_",
        {
            "quaternion": types.array[f32, 4],
            "gyroscope": three,
            "accelerometer": three,
            "rpy": three,
            "temperature": types.int16,
        },
    )
    motor_state = struct(
        "MotorState_",
        {"mode": u8}
        | dict.fromkeys(("q", "dq", "ddq", "tau_est"), f32)
        | {
            "temperature": types.array[types.int16, 2],
            "vol": f32,
            "sensor": types.array[u32, 2],
            "motorstate": u32,
            "reserve": types.array[u32, 4],
        },
    )
    state = struct(
        "LowState_",
        {
            "version": types.array[u32, 2],
            "mode_pr": u8,
            "mode_machine": u8,
            "tick": u32,
            "imu_state": imu,
            "motor_state": types.array[motor_state, SLOTS],
            "wireless_remote": types.array[u8, 40],
            "reserve": types.array[u32, 4],
            "crc": u32,
        },
    )
    for made in (command, state):
        made.serialize = _bytes_of
        made.deserialize = classmethod(_sample_of)
        made.of_bytes = classmethod(_of_bytes)
    return DdsTypes(command, state)


def _of_bytes(kind: Any, data: bytes) -> Any:
    sample = object.__new__(kind)
    sample.data = data
    return sample


def _bytes_of(sample: Any, *_: Any, **__: Any) -> bytes:
    return HEAD + bytes(sample.data)


def _sample_of(kind: Any, data: bytes, *_: Any, **__: Any) -> Any:
    return _of_bytes(kind, bytes(data))


def cdr_command(packed: bytes) -> bytes:
    """Return a command as CDR, without its head, of its bytes in a C program."""
    return packed[:2] + packed[4:5] + b"\0" + packed[8:]


def packed_command(cdr: bytes) -> bytes:
    """Return a command's bytes in a C program of its CDR.

    Raises:
        BadMessage: If it is no command in the order of bytes that is usual.
    """
    body = cdr[4 : 4 + COMMAND]
    if cdr[:2] not in LITTLE or len(body) < COMMAND:
        raise BadMessage(f"a command of {len(cdr)} bytes that begins {cdr[:2]!r}")
    return body[:2] + b"\0\0" + body[2:3] + b"\0\0\0" + body[4:]


def read_cdr_state(data: bytes) -> LowState:
    """Return the state in a message of `rt/lowstate`.

    A checksum of 0 is none: the maker's simulator sends that.

    Raises:
        BadMessage: If it is no state, its checksum is wrong, or a number is not finite.
    """
    kind, body = data[:2], data[4 : 4 + STATE.itemsize]
    if kind not in (*LITTLE, *BIG) or len(body) < STATE.itemsize:
        raise BadMessage(f"a state of a G1 of {len(data)} bytes that begins {kind!r}")
    little = kind in LITTLE
    read = np.frombuffer(body, STATE if little else STATE.newbyteorder(">"))[0]
    crc = int(read["crc"])
    if crc and little and crc != _state_checksum(body):
        raise BadMessage("a state of a G1 whose checksum is wrong")
    first, others = read["first"], read["motors"][: len(MOTORS) - 1]

    def column(name: str) -> np.ndarray:
        return np.array([first[name], *others[name]], dtype=np.float64)

    return require_state(
        LowState(
            q=column("q"),
            dq=column("dq"),
            tau=column("tau_est"),
            temperature=column("temperature").max(axis=1),
            fault=tuple(int(m) for m in column("motorstate")),
            mode_machine=int(read["mode_machine"]),
            quat_wxyz=np.array(read["quaternion"], dtype=np.float64),
            gyroscope=np.array(read["gyroscope"], dtype=np.float64),
            accelerometer=np.array(read["accelerometer"], dtype=np.float64),
        )
    )


def write_cdr_state(values: np.ndarray) -> bytes:
    """Return the bytes of a state, without the head of CDR.

    Args:
        values: One record of `STATE`; its checksum is filled in.
    """
    body = values.tobytes()
    return body[:-4] + np.uint32(_state_checksum(body)).tobytes()


def _offset(name: str) -> int:
    """Return where a field of a state begins [bytes]."""
    fields = STATE.fields
    return 0 if fields is None else int(fields[name][1])


def _meaning() -> np.ndarray:
    """Return 255 for each byte of a state that means something, 0 for padding."""
    mask = np.full(STATE.itemsize, 255, dtype=np.uint8)
    begin = _offset("motors")
    mask[_offset("_") : _offset("_") + 2] = 0
    mask[_offset("__")] = 0
    for k in range(SLOTS - 1):
        at = begin + k * MOTOR_STATE.itemsize + 1
        mask[at : at + 3] = 0
    return mask


_MEANING = _meaning()


def _state_checksum(body: bytes) -> int:
    """Return the checksum of a state, which goes over it as it lies in a C program.

    There the first motor begins at a multiple of four, and padding is zero.
    """
    clean = (np.frombuffer(body, np.uint8) & _MEANING).tobytes()
    at = _offset("first_mode")
    c = clean[:at] + b"\0\0" + clean[at : at + 1] + b"\0\0\0" + clean[at + 2 :]
    return checksum(c[:-4])
