"""The messages of the VMC protocol that carry motion.

After protocol.vmc.info: poses are a name, a position [m] and a quaternion (x, y, z, w),
y up and left-handed as in Unity. Bones are Unity's `HumanBodyBones`, local to their
parent; the root and the tracked devices are in the world.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array, rotation_from_quat_wxyz
from telexist.teleop.devices.base import (
    MAX_DISTANCE,
    RefusedMessage,
    from_unity,
    require_finite,
    require_unit_quaternions,
)
from telexist.teleop.devices.vmc.osc import Argument, OscMessage

__all__ = ["PoseKind", "VmcDatagram", "VmcPose", "read_vmc"]

MAX_NAME = 64  # characters
_MAX_TIME = 1e9  # [s]


class PoseKind(enum.Enum):
    """What a pose is about."""

    ROOT = "root"
    BONE = "bone"
    HEADSET = "headset"
    CONTROLLER = "controller"
    TRACKER = "tracker"


_ADDRESSES = {
    "/VMC/Ext/Root/Pos": PoseKind.ROOT,
    "/VMC/Ext/Bone/Pos": PoseKind.BONE,
    "/VMC/Ext/Hmd/Pos": PoseKind.HEADSET,
    "/VMC/Ext/Con/Pos": PoseKind.CONTROLLER,
    "/VMC/Ext/Tra/Pos": PoseKind.TRACKER,
}
_TIME = "/VMC/Ext/T"


@dataclass(frozen=True, slots=True, kw_only=True)
class VmcPose:
    """A pose in our axes: z up, right-handed, x ahead.

    Attributes:
        kind: What it is about.
        name: Name of the bone, or serial number of the device.
        rotation: (3, 3).
        position: (3,) [m].
    """

    kind: PoseKind
    name: str
    rotation: Array
    position: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class VmcDatagram:
    """What one datagram says.

    Attributes:
        poses: In the order in which they were sent.
        time: The sender's own time, if it tells it [s].
    """

    poses: tuple[VmcPose, ...]
    time: float | None


def read_vmc(messages: Iterable[OscMessage]) -> VmcDatagram:
    """Return the poses and the time of a datagram; all else is of no use here.

    Raises:
        RefusedMessage: If a pose is not one.
    """
    named: list[tuple[PoseKind, str]] = []
    rows: list[tuple[float, ...]] = []
    time = None
    for message in messages:
        kind = _ADDRESSES.get(message.address)
        if kind is not None:
            named.append((kind, _name(message)))
            rows.append(_numbers(message.arguments[1:], 7))
        elif message.address == _TIME and time is None:
            time = _numbers(message.arguments, 1)[0]
    if time is not None and not 0.0 <= time < _MAX_TIME:
        raise RefusedMessage(
            "nan" if math.isnan(time) else "malformed", f"a time of {time}"
        )
    return VmcDatagram(poses=_poses(named, rows), time=time)


def _poses(
    named: list[tuple[PoseKind, str]], rows: list[tuple[float, ...]]
) -> tuple[VmcPose, ...]:
    if not rows:
        return ()
    values = np.array(rows)
    require_finite(values, "a number is")
    if np.abs(values[:, :3]).max() > MAX_DISTANCE:
        raise RefusedMessage("malformed", f"a position beyond {MAX_DISTANCE:g} m")
    quats_wxyz = values[:, [6, 3, 4, 5]]
    require_unit_quaternions(quats_wxyz)
    R, p = from_unity(rotation_from_quat_wxyz(quats_wxyz), values[:, :3])
    return tuple(
        VmcPose(kind=kind, name=name, rotation=R[k], position=p[k])
        for k, (kind, name) in enumerate(named)
    )


def _name(message: OscMessage) -> str:
    name = message.arguments[0] if message.arguments else None
    if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME:
        raise RefusedMessage("malformed", f"{message.address} without a name")
    return name


def _numbers(arguments: tuple[Argument, ...], count: int) -> tuple[float, ...]:
    """Return the first `count` arguments, which must be numbers."""
    values = tuple(v for v in arguments[:count] if type(v) is float or type(v) is int)
    if len(values) < count:
        raise RefusedMessage("malformed", f"fewer than {count} numbers")
    return values
