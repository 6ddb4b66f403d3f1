"""A channel as named columns of numbers and texts, with their units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from types import MappingProxyType

import numpy as np
from telexist.retarget.human import segment_joints
from telexist.retarget.person_dynamics import SCORES
from telexist.retarget.segments import SEGMENTS
from telexist.teleop.recording import CHANNELS, Channel, SessionReader
from telexist.teleop.terms import STAGES

__all__ = ["TABLES", "columns", "person_joints"]

TABLES = tuple(
    name for name in CHANNELS if name not in ("camera", "calibration", "configuration")
)
"""Channels that are tables."""

_UNITS: Mapping[str, str] = MappingProxyType(
    {
        "stamp": "s",
        "period": "s",
        "age": "s",
        "stages": "s",
        "angular_velocities": "rad/s",
        "positions": "m",
        "linear_velocities": "m/s",
        "world_p_base": "m",
        "world_v_base": "m/s",
        "world_w_base": "rad/s",
        "imu_acceleration": "m/s^2",
        "imu_angular_velocity": "rad/s",
        "hand_forces": "N",
        "hand_points": "m",
        "lag": "s",
        "mass": "kg",
        "torques": "N m",
        "torques_sd": "N m",
        "moments": "N m",
        "moments_sd": "N m",
        "foot_points": "m",
        "hand_loads": "kg",
        "hand_loads_sd": "kg",
        "seat_force": "N",
        "seat_force_sd": "N",
    }
)
_JOINT_UNITS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "q": {"rad": "rad", "m": "m"},
        "dq": {"rad": "rad/s", "m": "m/s"},
        "ddq": {"rad": "rad/s^2", "m": "m/s^2"},
        "tau": {"rad": "N m", "m": "N"},
    }
)
_PARTS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "stages": STAGES,
        "planted": ("left", "right"),
        "hands": ("left", "right"),
        "hand_forces": ("left", "right"),
        "hand_loads": ("left", "right"),
        "hand_loads_sd": ("left", "right"),
        "contact": ("left", "right"),
        "measured": ("left", "right"),
        "seat_force": ("up",),
        "seat_force_sd": ("up",),
        "scores": SCORES,
        "walk": ("vx [m/s]", "vy [m/s]", "wz [rad/s]"),
        "treadmill": ("yaw [rad]", "speed [m/s]", "direction [rad]", "height [m]"),
    }
)
_AXES = ("x", "y", "z")
PERSON_AXES = 66
_WRENCH = ("fx [N]", "fy [N]", "fz [N]", "mx [N m]", "my [N m]", "mz [N m]")


def person_joints() -> tuple[str, ...]:
    """Return the names of the person's 66 axes, in the order of all arrays."""
    joints = segment_joints("human66")
    return tuple(j.name for name in SEGMENTS for j in joints.get(name, ()))


def columns(reader: SessionReader, name: str) -> dict[str, np.ndarray]:
    """Return the columns (t,) of a channel: `q.l_knee [rad]`, `stamp [s]`, ...

    Raises:
        BadRecording: If a message is wrong.
    """
    table: dict[str, np.ndarray] = {}
    for field, values in reader.arrays(name).items():
        flat = values.reshape(len(values), -1)
        labels = list(_labels(reader, CHANNELS[name], field, values.shape[1:]))
        for label, column in zip(labels, flat.T, strict=True):
            table[label] = column
    return table


def _labels(
    reader: SessionReader, channel: Channel, field: str, shape: tuple[int, ...]
) -> Iterator[str]:
    header = reader.header
    joints, units = header.joints, header.units
    kept = channel.all_fields.get(field)
    unit = f" [{_UNITS[field]}]" if field in _UNITS else ""
    if not shape:
        yield field + unit
    elif field in _JOINT_UNITS and kept is not None and kept.shape == ("n",):
        for joint, kind in zip(joints, units, strict=True):
            yield f"{field}.{joint} [{_JOINT_UNITS[field][kind]}]"
    elif field == "fingers":
        for joint, kind in zip(header.fingers, header.finger_units, strict=True):
            yield f"{field}.{joint} [{kind}]"
    elif field in _PARTS and len(shape) == 1:
        for part in _PARTS[field]:
            yield f"{field}.{part}{unit}"
    elif channel.schema == "telexist.PersonDynamics" and shape == (PERSON_AXES,):
        for joint in person_joints():
            yield f"{field}.{joint}{unit or ' [rad]'}"
    elif shape == (2, 6):
        for side, part in product(("left", "right"), _WRENCH):
            yield f"{field}.{side}.{part}"
    else:
        person = kept is not None and kept.shape[:1] in (("s",), (len(SEGMENTS),))
        for index in product(*_index_names(shape, person)):
            yield f"{field}.{'.'.join(index)}{unit}"


def _index_names(shape: tuple[int, ...], person: bool) -> list[Sequence[str]]:
    """Name the places along each axis: segments, x y z, or numbers."""
    names: list[Sequence[str]] = [
        _AXES if size == 3 else [str(k) for k in range(size)] for size in shape
    ]
    if person:
        names[0] = SEGMENTS
    return names
