"""What wearables show of a person: links of a suit, nodes of an iFeel, shoes.

A suit's link is a segment of the person by the last word of its name
(`XsensSuit::vLink::Pelvis`). An iFeel's nodes are numbered; which is where, and how its
axes lie on the segment, is as in IIT's own configuration of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import (
    Array,
    quat_wxyz_from_rotation,
    rotation_from_quat_wxyz,
)
from telexist.robots.yarp.iit.wearable_data import SensorStatus, WearableSensor

__all__ = [
    "IFEEL_NODES",
    "NODE_R_SEGMENT",
    "SuitPose",
    "read_shoes",
    "read_suit",
    "suit_sensors",
]

IFEEL_NODES: Mapping[str, str] = MappingProxyType(
    {
        "Node#3": "Pelvis",
        "Node#6": "T8",
        "Node#7": "RightUpperArm",
        "Node#8": "RightForeArm",
        "Node#5": "LeftUpperArm",
        "Node#4": "LeftForeArm",
        "Node#11": "RightUpperLeg",
        "Node#12": "RightLowerLeg",
        "Node#2": "RightFoot",
        "Node#9": "LeftUpperLeg",
        "Node#10": "LeftLowerLeg",
        "Node#1": "LeftFoot",
    }
)
"""Node of an iFeel suit to segment."""

LEFT_LEG = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))
RIGHT_LEG = ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))
FOOT = ((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
NODE_R_SEGMENT: Mapping[str, Array] = MappingProxyType(
    {
        segment: np.array(rows)
        for segment, rows in (
            ("Pelvis", ((0.0, 1.0, 0.0), (0.0, 0.0, -1.0), (-1.0, 0.0, 0.0))),
            ("T8", ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))),
            ("LeftUpperLeg", LEFT_LEG),
            ("LeftLowerLeg", LEFT_LEG),
            ("RightUpperLeg", RIGHT_LEG),
            ("RightLowerLeg", RIGHT_LEG),
            ("LeftFoot", FOOT),
            ("RightFoot", FOOT),
        )
    }
)
"""How the axes of a segment (the identity in T-pose) lie in those of its node."""

SHOE_NODES = {"Node#1": 0, "Node#2": 1}  # of an iFeel's shoes: left, right
SIDES = {"left": 0, "right": 1}
POSED = {"vLink": 19, "pose": 7, "orient": 4}
"""Kinds of sensors that tell how a segment is turned, the best first."""
UNIT = 1e-2  # that a quaternion's length may differ from 1
LEVEL = 1e-6  # [m] places that differ by less are none
_SIDE = re.compile(r"(left|right)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuitPose:
    """What a suit shows of a person, in the suit's world.

    Attributes:
        producer: The suit.
        segments: Names of the s segments.
        rotations: `world_R_segment`, the identity in T-pose (s, 3, 3).
        positions: Origins (s, 3) [m]; None where the suit does not know them.
        linear_velocities: (s, 3) [m/s]; None likewise.
        angular_velocities: (s, 3) [rad/s]; None where they are not told.
        silent: Segments whose sensors are there but say that they are not well.
    """

    producer: str
    segments: tuple[str, ...]
    rotations: Array
    positions: Array | None
    linear_velocities: Array | None
    angular_velocities: Array | None
    silent: tuple[str, ...]


def read_suit(
    producer: str,
    sensors: Iterable[WearableSensor],
    parts: Mapping[str, str] | None = None,
) -> SuitPose | None:
    """Return what sensors show of a person; None if they show nothing of one.

    Args:
        producer: The suit.
        sensors: Of one message.
        parts: Last words of sensors' names to segments, beyond those that are known.

    Raises:
        BadInput: If a quaternion is none, or a number is not finite.
        UnknownName: If `parts` names an unknown segment.
    """
    places = {**IFEEL_NODES, **{name: name for name in SEGMENTS}, **(parts or {})}
    for segment in places.values():
        if segment not in SEGMENT_INDEX:
            raise UnknownName("segment", segment, SEGMENTS)
    found: dict[str, WearableSensor] = {}
    silent: set[str] = set()
    ranked = sorted(
        (s for s in sensors if s.kind in POSED), key=lambda s: list(POSED).index(s.kind)
    )
    for sensor in ranked:
        segment = places.get(sensor.name.rpartition("::")[2], "")
        if segment and sensor.status is SensorStatus.OK:
            found.setdefault(segment, sensor)
        elif segment:
            silent.add(segment)
    if not found:
        return None
    order = sorted(found, key=lambda name: SEGMENT_INDEX[name])
    used = [found[name] for name in order]
    quats = np.array([sensor.values[:4] for sensor in used])
    with np.errstate(over="ignore", invalid="ignore"):
        size = np.linalg.norm(quats, axis=1)
    if not (np.abs(size - 1.0) <= UNIT).all():  # NaN too
        bad = int(np.argmax(~(np.abs(size - 1.0) <= UNIT)))
        raise BadInput(f"{used[bad].name}: its quaternion has length {size[bad]:.3g}")
    R = rotation_from_quat_wxyz(quats / size[:, None])
    for k, (segment, sensor) in enumerate(zip(order, used, strict=True)):
        node = sensor.name.rpartition("::")[2]
        if IFEEL_NODES.get(node) == segment and segment in NODE_R_SEGMENT:
            R[k] = R[k] @ NODE_R_SEGMENT[segment]
    p, v, w = (_columns(used, *columns) for columns in ((4, 7), (7, 10), (10, 13)))
    with np.errstate(over="ignore"):
        placed = p is not None and bool(np.ptp(p, axis=0).max() > LEVEL)
    return SuitPose(
        producer=producer,
        segments=tuple(order),
        rotations=R,
        positions=p if placed else None,
        linear_velocities=v if placed else None,
        angular_velocities=w if w is not None and np.any(w) else None,
        silent=tuple(sorted(silent - set(found))),
    )


def _columns(sensors: list[WearableSensor], begin: int, end: int) -> Array | None:
    """Return some numbers of all sensors (s, 3); None where one does not tell them.

    Raises:
        BadInput: If one is not finite.
    """
    if any(len(sensor.values) < end for sensor in sensors):
        return None
    values = np.array([sensor.values[begin:end] for sensor in sensors])
    if not np.isfinite(values).all():
        bad = int(np.argmin(np.isfinite(values).all(axis=1)))
        raise BadInput(f"{sensors[bad].name}: a number is not finite")
    return values


def read_shoes(sensors: Iterable[WearableSensor]) -> Array | None:
    """Return the wrenches of the ground on left and right foot (2, 6) [N], [N m].

    In the axes of the foot about the ankle, as IIT's configuration understands them.
    Sensors in front and in the rear of a shoe are added up. NaN for a foot whose
    sensors are silent or not well; None if no sensor is a shoe's.
    """
    wrench = np.zeros((2, 6))
    seen = np.zeros(2, dtype=bool)
    for sensor in sensors:
        if sensor.kind != "ft6D" or (side := _side(sensor.name)) is None:
            continue
        seen[side] = True
        if sensor.status is SensorStatus.OK:
            wrench[side] += sensor.values
        else:
            wrench[side] = np.nan
    if not seen.any():
        return None
    wrench[~seen] = np.nan
    return wrench


def _side(name: str) -> int | None:
    words = name.split("::")
    for word in words:
        if word in SHOE_NODES:
            return SHOE_NODES[word]
    named = _SIDE.findall(words[-1]) or _SIDE.findall(name)
    return SIDES[named[-1].lower()] if named else None


def suit_sensors(
    segments: tuple[str, ...],
    rotations: Array,
    positions: Array,
    linear_velocities: Array,
    angular_velocities: Array,
) -> list[WearableSensor]:
    """Return the links of an Xsens suit for a person's segments.

    Args:
        segments: Names of the s segments.
        rotations: `world_R_segment`, the identity in T-pose (s, 3, 3).
        positions: Origins (s, 3) [m].
        linear_velocities: (s, 3) [m/s].
        angular_velocities: (s, 3) [rad/s].
    """
    quats = quat_wxyz_from_rotation(rotations)
    rows = np.hstack(
        [
            quats,
            positions,
            linear_velocities,
            angular_velocities,
            np.zeros((len(segments), 6)),  # accelerations: not known
        ]
    )
    return [
        WearableSensor(
            "vLink", f"XsensSuit::vLink::{name}", SensorStatus.OK, tuple(row.tolist())
        )
        for name, row in zip(segments, rows, strict=True)
    ]
