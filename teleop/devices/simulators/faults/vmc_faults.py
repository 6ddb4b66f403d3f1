"""Faults inside VMC's bundles of OSC messages."""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import (
    quat_wxyz_from_rotation,
    rotation_from_quat_wxyz,
    rotation_y,
)
from telexist.teleop.devices.base import RefusedMessage
from telexist.teleop.devices.simulators.faults.payload_codec import TURN
from telexist.teleop.devices.vmc import OscMessage, build_bundle, build_osc, parse_osc

__all__ = ["VmcFaults"]

JUMP = 1.0  # [m] along Unity's z axis
_POSE_ARGUMENTS = 8  # name, position, quaternion
_TIME = "/VMC/Ext/T"


class VmcFaults:
    """Reads and rewrites VMC's datagrams; see `PayloadCodec`."""

    def reads(self, packet: bytes) -> bool:
        """Return whether it holds a pose or the sender's time."""
        return any(_is_pose(m) or m.address == _TIME for m in _messages(packet))

    def stream(self, packet: bytes) -> object:
        """Return which poses it holds."""
        poses = (m for m in _messages(packet) if _is_pose(m))
        return tuple((m.address, m.arguments[:1]) for m in poses) or None

    def number(self, packet: bytes) -> float | None:
        """Return the sender's time [s]."""
        for message in _messages(packet):
            time = message.arguments[0] if message.arguments else None
            if message.address == _TIME and isinstance(time, float):
                return time
        return None

    def with_number(self, packet: bytes, number: float) -> bytes:
        """Return the packet with another time of the sender."""
        return _bundle(
            [
                OscMessage(_TIME, (number,)) if m.address == _TIME else m
                for m in _messages(packet)
            ]
        )

    def nan(self, packet: bytes, random: np.random.Generator) -> bytes:
        """Return the packet with one number of its poses not a number."""
        messages = _messages(packet)
        poses = [k for k, m in enumerate(messages) if _is_pose(m)]
        if not poses:
            return packet
        k = int(random.choice(poses))
        arguments = list(messages[k].arguments)
        arguments[int(random.integers(1, _POSE_ARGUMENTS))] = float("nan")
        messages[k] = OscMessage(messages[k].address, tuple(arguments))
        return _bundle(messages)

    def jump(self, packet: bytes) -> bytes:
        """Return the packet with its root or devices 1 m away and turned."""
        messages = _messages(packet)
        if not any(_is_pose(m) for m in messages):
            return packet
        return _bundle([_jumped(m) for m in messages])


def _messages(packet: bytes) -> list[OscMessage]:
    try:
        return list(parse_osc(packet))
    except RefusedMessage:
        return []


def _is_pose(message: OscMessage) -> bool:
    numbers = message.arguments[1:_POSE_ARGUMENTS]
    return (
        message.address.endswith("/Pos")
        and len(numbers) == _POSE_ARGUMENTS - 1
        and all(isinstance(number, float) for number in numbers)
    )


def _jumped(message: OscMessage) -> OscMessage:
    """Move the root, or a device, of a VMC source."""
    if not _is_pose(message) or "/Bone/" in message.address:
        return message
    name, *numbers = message.arguments
    x, y, z, *quat = (float(n) for n in numbers[:7] if isinstance(n, float))
    R = rotation_y(-TURN) @ rotation_from_quat_wxyz([quat[3], *quat[:3]])
    qw, qx, qy, qz = (float(number) for number in quat_wxyz_from_rotation(R))
    return OscMessage(message.address, (name, x, y, z + JUMP, qx, qy, qz, qw))


def _bundle(messages: list[OscMessage]) -> bytes:
    return build_bundle([build_osc(m.address, *m.arguments) for m in messages])
